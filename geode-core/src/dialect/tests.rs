use serde_json::json;

use super::*;
use crate::schema::{Schema, is_openai_strict};

fn lowered(schema: serde_json::Value, dialect: &'static Dialect) -> Result<serde_json::Value, Incompatible> {
    let schema = Schema::try_from(&schema).unwrap();
    let plan = lower_schema(&schema, dialect)?;
    Ok(serde_json::from_str(plan.schema.get()).unwrap())
}

fn closed(properties: serde_json::Value) -> serde_json::Value {
    let required: Vec<_> = properties.as_object().unwrap().keys().cloned().collect();
    json!({"type": "object", "properties": properties, "required": required, "additionalProperties": false})
}

#[test]
fn words_beside_a_reference_stay_and_the_reference_is_written_out() {
    let schema = json!({"type": "object", "properties": {"q": {"$ref": "#/$defs/S", "description": "d", "default": "all"}},
        "required": ["q"], "additionalProperties": false, "$defs": {"S": {"type": "string"}}});
    let lowered = lowered(schema, &OPENAI_STRICT).unwrap();
    assert_eq!(lowered, closed(json!({"q": {"type": "string", "description": "d"}})));
}

#[test]
fn a_nullable_enum_is_any_of_the_enum_and_null() {
    let written = closed(json!({"e": {"type": ["string", "null"], "enum": ["x", null]}}));
    let expected = closed(json!({"e": {"anyOf": [{"type": "string", "enum": ["x"]}, {"type": "null"}]}}));
    assert_eq!(lowered(written.clone(), &OPENAI_STRICT).unwrap(), expected);
    assert_eq!(lowered(written, &ANTHROPIC).unwrap()["properties"]["e"], json!({"type": "string", "enum": ["x"]}));
    let untyped = closed(json!({"e": {"anyOf": [{"enum": ["x"]}, {"type": "null"}]}}));
    assert_eq!(lowered(untyped, &OPENAI_STRICT).unwrap(), expected);
}

#[test]
fn an_answer_that_may_be_null_stays_required_in_its_wrapper() {
    let inner = closed(json!({"note": {"anyOf": [{"type": "string"}, {"type": "null"}]}}));
    let lowered = lowered(json!({"anyOf": [inner, {"type": "null"}]}), &ANTHROPIC).unwrap();
    assert_eq!(lowered["required"], json!(["value"]));
    let answer = &lowered["properties"]["value"]["anyOf"];
    assert_eq!((&answer[0]["properties"]["note"], &answer[0]["required"]), (&json!({"type": "string"}), &json!([])));
    assert_eq!(answer[1], json!({"type": "null"}));
}

#[test]
fn one_of_becomes_any_of_only_where_its_branches_exclude_each_other() {
    let branch = |tag: &str| json!({"type": "object", "properties": {"type": {"const": tag}}, "required": ["type"], "additionalProperties": false});
    let tagged = closed(json!({"k": {"oneOf": [branch("A"), branch("B")]}}));
    let text = lowered(tagged, &OPENAI_STRICT).unwrap().to_string();
    assert!(text.contains("anyOf") && !text.contains("oneOf"), "{text}");
    let overlapping = closed(json!({"k": {"oneOf": [{"type": "integer"}, {"type": "number"}]}}));
    assert_eq!(lowered(overlapping, &OPENAI_STRICT).unwrap_err().breaches()[0].keyword, "oneOf");
}

#[test]
fn optional_is_required_and_nullable_where_everything_must_be_required() {
    let schema = json!({"type": "object", "properties": {"a": {"type": "string"}, "b": {"type": "integer", "default": 3}},
        "required": ["a"]});
    let expected = closed(json!({"a": {"type": "string"}, "b": {"anyOf": [{"type": "integer"}, {"type": "null"}]}}));
    assert_eq!(lowered(schema, &OPENAI_STRICT).unwrap(), expected);
}

#[test]
fn open_objects_are_refused_and_never_closed_to_nothing() {
    for open in [
        json!({"type": "object", "additionalProperties": {"type": "integer"}}),
        json!({"type": "object"}),
        json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": true}),
    ] {
        let refused = lowered(closed(json!({"m": open})), &OPENAI_STRICT).unwrap_err();
        assert_eq!(
            (refused.breaches()[0].pointer.as_str(), refused.breaches()[0].keyword.as_str()),
            ("/properties/m", "additionalProperties")
        );
    }
}

#[test]
fn all_of_is_merged() {
    let single = json!({"type": "object", "properties": {"a": {"allOf": [{"$ref": "#/$defs/A"}], "description": "d"}},
        "required": ["a"], "$defs": {"A": {"type": "object", "properties": {"x": {"type": "integer"}}, "required": ["x"]}}});
    let mut inner = closed(json!({"x": {"type": "integer"}}));
    inner["description"] = json!("d");
    assert_eq!(lowered(single, &OPENAI_STRICT).unwrap(), closed(json!({"a": inner})));
    let several = json!({"type": "object", "allOf": [
        {"type": "object", "properties": {"a": {"type": "integer", "minimum": 1}}, "required": ["a"]},
        {"type": "object", "properties": {"a": {"maximum": 5}, "b": {"type": "integer"}}, "required": ["b"]}]});
    let expected = closed(json!({"a": {"type": "integer", "minimum": 1, "maximum": 5}, "b": {"type": "integer"}}));
    assert_eq!(lowered(several, &OPENAI_STRICT).unwrap(), expected);
}

#[test]
fn what_anthropic_does_not_take_goes_into_the_description_and_is_reported() {
    let schema = closed(json!({
        "s": {"type": "string", "minLength": 1, "maxLength": 9, "pattern": "^a+$"},
        "v": {"type": "array", "items": {"type": "string"}, "minItems": 2, "maxItems": 4, "uniqueItems": true},
        "n": {"type": "integer", "minimum": 0, "maximum": 5, "format": "uint8", "description": "How many."},
    }));
    let plan = lower_schema(&Schema::try_from(&schema).unwrap(), &ANTHROPIC).unwrap();
    let lowered: serde_json::Value = serde_json::from_str(plan.schema.get()).unwrap();
    let properties = &lowered["properties"];
    assert_eq!(
        properties["s"],
        json!({"type": "string", "pattern": "^a+$", "description": "{minLength: 1, maxLength: 9}"})
    );
    assert_eq!(properties["n"]["description"], "How many.\n\n{minimum: 0, maximum: 5, format: uint8}");
    assert_eq!(properties["v"]["minItems"], 1);
    assert_eq!(properties["v"]["description"], "{maxItems: 4, minItems: 2, uniqueItems: true}");
    let lost: Vec<_> = plan.weakenings.iter().map(|lost| format!("{}#{}", lost.pointer, lost.keyword)).collect();
    assert!(lost.contains(&"/properties/v#uniqueItems".to_owned()) && lost.len() == 8, "{lost:?}");
}

#[test]
fn tuples_and_anything_are_refused_at_their_place() {
    let tuple =
        closed(json!({"t": {"type": "array", "prefixItems": [{"type": "integer"}], "minItems": 1, "maxItems": 1}}));
    let refused = lowered(tuple, &OPENAI_STRICT).unwrap_err();
    assert!(
        refused.breaches().iter().any(|fault| fault.pointer == "/properties/t" && fault.keyword == "prefixItems"),
        "{refused:?}"
    );
    for anything in [json!({}), json!(true), json!({"title": "T"})] {
        let refused = lowered(closed(json!({"v": anything})), &ANTHROPIC).unwrap_err();
        assert_eq!(refused.breaches()[0].pointer, "/properties/v");
    }
}

#[test]
fn a_recursive_raw_schema_keeps_its_references_for_openai_and_is_refused_by_anthropic() {
    for recursive in [
        json!({"type": "object", "properties": {"next": {"anyOf": [{"$ref": "#"}, {"type": "null"}]}}, "required": ["next"]}),
        json!({"$ref": "#/definitions/N", "definitions": {"N": {"type": "object", "properties":
            {"next": {"anyOf": [{"$ref": "#/definitions/N"}, {"type": "null"}]}}, "required": ["next"]}}}),
    ] {
        let text = lowered(recursive.clone(), &OPENAI_STRICT).unwrap().to_string();
        assert!(text.contains("#/$defs/"), "{text}");
        let refused = lowered(recursive, &ANTHROPIC).unwrap_err();
        assert!(refused.breaches()[0].rule.contains("recursive"), "{refused:?}");
    }
}

#[test]
fn whatever_a_reference_leads_to_becomes_a_definition() {
    let point = json!({"type": "object", "properties": {"x": {"$ref": "#named"}}, "required": ["x"]});
    let schema = json!({"$id": "https://example.com/root.json", "type": "object", "properties": {
            "from": point,
            "to": {"$ref": "#/properties/from"},
            "via": {"type": "array", "items": {"$ref": "https://example.com/root.json#/definitions/a~1b/properties/inner"}},
            "number": {"$anchor": "named", "type": "integer"},
        },
        "required": ["from", "to", "via", "number"],
        "definitions": {"a/b": {"properties": {"inner": {"$ref": "#/properties/from"}}}}});
    for dialect in [&OPENAI_STRICT, &ANTHROPIC, &GEMINI, &CLAUDE_CLI] {
        let lowered = lowered(schema.clone(), dialect).unwrap();
        let text = lowered.to_string();
        assert_eq!(text.matches("$ref").count(), text.matches("#/$defs/").count(), "{text}");
        assert!(!text.contains("$anchor"), "{text}");
        // It accepts what the schema accepts, and nothing else.
        let good = json!({"from": {"x": 1}, "to": {"x": 2}, "via": [{"x": 3}], "number": 4});
        let validator = jsonschema::validator_for(&lowered).unwrap();
        assert!(validator.is_valid(&good), "{text}");
        for wrong in [
            json!({"from": {"x": 1}, "to": {"x": "2"}, "via": [{"x": 3}], "number": 4}),
            json!({"from": {"x": 1}, "to": {"x": 2}, "via": [{"x": "3"}], "number": 4}),
        ] {
            assert!(!validator.is_valid(&wrong), "{text}");
        }
    }
}

#[test]
fn older_drafts_boolean_forms_stay_off_the_wire() {
    let schema = closed(json!({"a": {"type": "number", "minimum": 1, "exclusiveMinimum": true, "required": true}}));
    let breaches = lint(&Schema::try_from(&schema).unwrap(), &OPENAI_STRICT);
    let found: Vec<_> = breaches.iter().map(|breach| (breach.pointer.as_str(), breach.keyword.as_str())).collect();
    assert_eq!(found, [("/properties/a", "exclusiveMinimum"), ("/properties/a", "required")]);
    let plan = lower_schema(&Schema::try_from(&schema).unwrap(), &OPENAI_STRICT).unwrap();
    let lowered: serde_json::Value = serde_json::from_str(plan.schema.get()).unwrap();
    assert_eq!(lowered["properties"]["a"]["description"], "{exclusiveMinimum: true, required: true}");
    assert_eq!(plan.weakenings.len(), 2);
}

#[test]
fn budgets_name_their_limit() {
    let properties: serde_json::Map<_, _> =
        (0..60).map(|index| (format!("p{index}"), json!({"type": ["string", "integer"]}))).collect();
    let refused = lowered(closed(properties.into()), &ANTHROPIC).unwrap_err();
    assert!(refused.breaches()[0].rule.contains("at most 15 unions"), "{refused:?}");
}

#[test]
fn a_property_called_like_a_keyword_is_a_property() {
    let schema =
        closed(json!({"format": {"type": "string"}, "minimum": {"type": "integer"}, "oneOf": {"type": "string"}}));
    assert_eq!(lowered(schema.clone(), &OPENAI_STRICT).unwrap(), schema);
    assert_eq!(lint(&Schema::try_from(&schema).unwrap(), &OPENAI_STRICT), []);
}

#[test]
fn every_lowered_schema_is_strict_for_openai() {
    let schema = json!({"type": "object", "properties": {"o": {"type": ["object", "null"], "properties": {"x": {"type": "integer"}}}},
        "required": ["o"]});
    let text = lowered(schema, &OPENAI_STRICT).unwrap().to_string();
    assert!(is_openai_strict(&text.parse().unwrap()), "{text}");
}
