use super::*;
use crate::dialect::{ANTHROPIC, OPENAI_STRICT, PLAIN, lower};
use crate::shape::*;

fn full_name_of_step() -> &'static str {
    "tests::Step"
}

static STEP: Shape = Shape::Union(&Union {
    name: "Step",
    id: full_name_of_step,
    description: Some("One step."),
    fallback: false,
    tagging: Tagging::Internal { tag: "kind" },
    variants: &[
        Variant {
            name: "walk",
            description: Some("On foot."),
            aliases: &[],
            untagged: false,
            body: Body::Fields(&[Field::new(
                "metres",
                Edge::Eager(&Shape::Integer { minimum: Limit::Integer(0), maximum: Limit::Integer(u32::MAX as i128) }),
            )]),
        },
        Variant { name: "wait", description: None, aliases: &[], untagged: false, body: Body::Unit },
    ],
});

static PLAN: Shape = Shape::Object(&Object {
    name: "Plan",
    id: || "tests::Plan",
    description: None,
    fields: &[
        Field::new("zeta", Edge::Eager(&STEP)).detailed(const { &Details::NONE.described("First of all") }),
        Field::new("alpha", Edge::Eager(&Shape::Nullable(Edge::Eager(&STEP)))),
        Field::new("note", Edge::Eager(&Shape::Nullable(Edge::Eager(&Shape::String)))),
    ],
});

static NODE: Shape = Shape::Object(&Object {
    name: "Node",
    id: || "tests::Node",
    description: None,
    fields: &[Field::new(
        "kids",
        Edge::Eager(&Shape::Array { items: Edge::Lazy(|| &NODE), minimum: None, maximum: None, unique: false }),
    )],
});

#[test]
fn a_union_is_any_of_closed_objects_with_the_tag_first() {
    let schema = from_shape(&PLAN).unwrap();
    assert_eq!(
        schema.to_string(),
        concat!(
            r##"{"title":"Plan","type":"object","properties":{"zeta":{"$ref":"#/$defs/Step","description":"First of all"},"##,
            r##""alpha":{"anyOf":[{"$ref":"#/$defs/Step"},{"type":"null"}]},"note":{"anyOf":[{"type":"string"},{"type":"null"}]}},"##,
            r#""required":["zeta","alpha","note"],"additionalProperties":false,"$defs":{"Step":{"description":"One step.","#,
            r#""anyOf":[{"description":"On foot.","type":"object","properties":{"kind":{"type":"string","enum":["walk"]},"#,
            r#""metres":{"type":"integer","minimum":0,"maximum":4294967295}},"required":["kind","metres"],"#,
            r#""additionalProperties":false},{"type":"object","properties":{"kind":{"type":"string","enum":["wait"]}},"#,
            r#""required":["kind"],"additionalProperties":false}]}}}"#,
        )
    );
}

#[test]
fn a_recursive_root_is_written_out_once_and_refers_to_its_definition() {
    let plan = lower(&NODE, &OPENAI_STRICT).unwrap();
    assert_eq!(
        plan.schema.get(),
        concat!(
            r##"{"title":"Node","type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#/$defs/Node"}}},"##,
            r##""required":["kids"],"additionalProperties":false,"$defs":{"Node":{"type":"object","properties":{"kids":{"##,
            r##""type":"array","items":{"$ref":"#/$defs/Node"}}},"required":["kids"],"additionalProperties":false}}}"##,
        )
    );
    let refused = lower(&NODE, &ANTHROPIC).unwrap_err();
    assert!(refused.breaches().iter().any(|breach| breach.rule.contains("Node is recursive")), "{refused:?}");
}

#[test]
fn a_root_union_is_wrapped_where_the_dialect_wants_an_object() {
    assert!(!lower(&STEP, &PLAIN).unwrap().lifts.wrapped_root);
    let plan = lower(&STEP, &OPENAI_STRICT).unwrap();
    assert!(plan.lifts.wrapped_root);
    assert!(plan.strict);
    assert!(
        plan.schema.get().starts_with(
            r#"{"title":"Step","type":"object","properties":{"value":{"description":"One step.","anyOf":["#
        )
    );
}

#[test]
fn an_option_is_absent_for_anthropic_and_nullable_for_openai() {
    let plan = lower(&PLAN, &ANTHROPIC).unwrap();
    assert!(plan.lifts.absent_is_null && plan.lifts.any_case);
    let text = plan.schema.get();
    assert!(text.contains(r#""note":{"type":"string"}"#), "{text}");
    assert!(text.contains(r#""required":["zeta"]"#), "{text}");
    assert!(plan.weakenings.iter().any(|lost| lost.keyword == "minimum"), "{:?}", plan.weakenings);
    assert!(!lower(&PLAN, &OPENAI_STRICT).unwrap().lifts.absent_is_null);
}
