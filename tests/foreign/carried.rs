//! Foreign types in ours: `#[geode(schemars)]`.

use std::borrow::Cow;
use std::collections::HashMap;

use geode::StructuredOutput;
use geode::dialect::{ALL, ANTHROPIC, Dialect, Incompatible, OPENAI_STRICT, PLAIN, lint};
use geode::json::Reader;
use geode::schema::Schema;
use geode::testing::assert_parity;
use schemars::{JsonSchema, SchemaGenerator, json_schema};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// As another crate might have it: it knows schemars and serde, and nothing of Geode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
struct Address {
    /// Street and number.
    street_line: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    unit: Option<u8>,
    #[serde(default)]
    floor: i16,
    kind: Kind,
    place: Place,
}

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// People live there.
    Home,
    Work,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "by", rename_all = "snake_case")]
enum Place {
    City { name: String },
    Point { x: f64, y: f64 },
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
struct Chain {
    label: String,
    next: Option<Box<Chain>>,
}

#[derive(Debug, PartialEq, StructuredOutput)]
struct Order {
    #[geode(range(min = 1))]
    count: u8,
    /// Where it goes.
    #[geode(schemars)]
    to: Address,
    #[geode(schemars)]
    from: Option<Address>,
    #[geode(schemars)]
    stops: Vec<Place>,
}

#[derive(Debug, PartialEq, StructuredOutput)]
struct Linked {
    #[geode(schemars)]
    chain: Chain,
}

#[derive(Debug, PartialEq, StructuredOutput)]
struct Delivered(#[geode(schemars)] Address);

#[derive(Debug, PartialEq, StructuredOutput)]
enum Target {
    Nowhere,
    Known(#[geode(schemars)] Address),
    Near {
        #[geode(schemars)]
        place: Place,
    },
}

fn address() -> Address {
    Address {
        street_line: "Ring 1".to_owned(),
        unit: None,
        floor: -1,
        kind: Kind::Work,
        place: Place::City { name: "Ulm".to_owned() },
    }
}

const ADDRESS: &str =
    r#"{"floor":-1,"kind":"work","place":{"by":"city","name":"Ulm"},"streetLine":"Ring 1","unit":null}"#;

#[test]
fn a_foreign_type_stands_in_the_schema_in_the_form_of_our_own() {
    let schema = Value::from(&geode::schema::<Order>());
    let to = &schema["$defs"]["Address"];
    assert_eq!(to["additionalProperties"], json!(false));
    assert_eq!(to["required"], json!(["floor", "kind", "place", "streetLine", "unit"]));
    // What serde takes for absent is `null` on the wire; a width is a range.
    assert_eq!(
        to["properties"]["floor"]["anyOf"],
        json!([{"type": "integer", "minimum": -32768, "maximum": 32767, "default": 0}, {"type": "null"}])
    );
    assert_eq!(
        to["properties"]["unit"]["anyOf"],
        json!([{"type": "integer", "minimum": 0, "maximum": 255}, {"type": "null"}])
    );
    assert_eq!(to["properties"]["kind"]["enum"], json!(["work", "home"]));
    assert_eq!(to["properties"]["kind"]["description"], json!("- `home`: People live there."));
    assert_eq!(to["properties"]["streetLine"]["description"], json!("Street and number."));
    assert_eq!(schema["properties"]["to"], json!({"$ref": "#/$defs/Address", "description": "Where it goes."}));
    assert_eq!(schema["properties"]["from"], json!({"anyOf": [{"$ref": "#/$defs/Address"}, {"type": "null"}]}));
    let branches = schema["$defs"]["Place"]["anyOf"].as_array().unwrap();
    assert!(branches.iter().all(|branch| branch["additionalProperties"] == json!(false)));
}

#[test]
fn every_dialect_takes_it_as_it_takes_ours() {
    for dialect in ALL {
        let plan = geode::plan::<Order>(dialect).unwrap_or_else(|refused| panic!("{refused}"));
        let schema: Schema = plan.schema.get().parse().unwrap();
        assert_eq!(lint(&schema, dialect), [], "{}", dialect.name);
    }
    let refused = geode::plan::<Linked>(&ANTHROPIC).unwrap_err();
    assert!(refused.breaches()[0].rule.contains("Chain is recursive"), "{refused}");
    geode::plan::<Linked>(&OPENAI_STRICT).unwrap();
}

#[test]
fn values_go_there_and_back() {
    let order = Order { count: 2, to: address(), from: None, stops: vec![Place::Point { x: 1.0, y: -0.5 }] };
    let text = geode::to_string(&order);
    assert_eq!(
        text,
        format!(r#"{{"count":2,"to":{ADDRESS},"from":null,"stops":[{{"by":"point","x":1.0,"y":-0.5}}]}}"#)
    );
    assert_eq!(geode::from_str::<Order>(&text).unwrap(), order);

    let delivered: Delivered = geode::from_str(ADDRESS).unwrap();
    assert_eq!(delivered, Delivered(address()));
    assert_eq!(geode::to_string(&delivered), ADDRESS);

    for target in [Target::Nowhere, Target::Known(address()), Target::Near { place: Place::Point { x: 0.0, y: 1.0 } }] {
        let text = geode::to_string(&target);
        assert_eq!(geode::from_str::<Target>(&text).unwrap(), target, "{text}");
    }
    let chain = Chain { label: "a".into(), next: Some(Box::new(Chain { label: "b".into(), next: None })) };
    let text = geode::to_string(&Linked { chain: chain.clone() });
    assert_eq!(text, r#"{"chain":{"label":"a","next":{"label":"b","next":null}}}"#);
    assert_eq!(geode::from_str::<Linked>(&text).unwrap().chain, chain);
}

#[test]
fn a_default_stands_where_null_does() {
    let text = ADDRESS.replace("-1", "null");
    assert_eq!(geode::from_str::<Delivered>(&text).unwrap().0.floor, 0);
    // 1e0 is the integer 1 to JSON Schema; serde alone would refuse it.
    assert_eq!(geode::from_str::<Delivered>(&ADDRESS.replace("-1", "1e0")).unwrap().0.floor, 1);
}

#[test]
fn what_is_wrong_in_it_stands_in_the_one_report() {
    let text = r#"{"count":0,"to":{"floor":70000,"kind":"shop","place":{"by":"city","name":"Ulm"},"streetLine":7,"pay":1},
        "from":[],"stops":[],"more":true}"#;
    let report = geode::from_str::<Order>(text).unwrap_err();
    let mut found: Vec<String> =
        report.violations().iter().map(|v| format!("{} {}", v.pointer(), v.code().name())).collect();
    found.sort();
    assert_eq!(
        found,
        [
            "/count range",
            "/from type",
            "/more unknown_property",
            "/to/floor range",
            "/to/kind unknown_value",
            "/to/pay unknown_property",
            "/to/streetLine type",
            "/to/unit missing",
        ]
    );
    let kind = report.violations().iter().find(|violation| violation.pointer() == "/to/kind").unwrap();
    assert_eq!(kind.found(), r#""shop""#);
    assert!(!report.to_string().contains("shop"), "what was found is content");
}

#[test]
fn a_key_twice_is_a_violation_there_too() {
    let report = geode::from_str::<Delivered>(&ADDRESS.replace(r#""unit""#, r#""floor":1,"unit""#)).unwrap_err();
    assert_eq!(report.violations()[0].code().name(), "duplicate");
    assert!(geode::from_str::<Delivered>(&format!("{ADDRESS} x")).is_err());
    assert!(geode::from_str::<Delivered>(&ADDRESS[..40]).is_err());
}

#[test]
fn what_a_dialect_changed_is_undone() {
    let plan = geode::plan::<Order>(&ANTHROPIC).unwrap();
    assert!(plan.lifts.absent_is_null && plan.lifts.any_case);
    let text =
        r#"{"count":1,"to":{"kind":"Work","place":{"by":"CITY","name":"Ulm"},"streetLine":"Ring 1"},"stops":[]}"#;
    let (order, notes) = Reader::read_noted::<Order>(text, &plan.lifts).unwrap();
    assert_eq!(order.to, Address { floor: 0, ..address() });
    assert_eq!(order.from, None);
    assert_eq!(notes.iter().map(|note| note.pointer.as_str()).collect::<Vec<_>>(), ["/to"]);
    assert!(geode::from_str::<Order>(text).is_err(), "strictly read, a missing property is missing");
}

#[test]
fn schema_and_parser_accept_the_same() {
    assert_parity::<Order>();
    assert_parity::<Linked>();
    assert_parity::<Delivered>();
    assert_parity::<Target>();
}

#[derive(Debug, StructuredOutput)]
struct Labelled {
    #[geode(schemars)]
    labels: HashMap<String, u8>,
}

#[test]
fn what_the_wire_cannot_carry_is_told_with_its_place() {
    // JSON Schema can say it, and so the parser reads it.
    geode::plan::<Labelled>(&PLAIN).unwrap();
    assert_eq!(geode::from_str::<Labelled>(r#"{"labels":{"a":1}}"#).unwrap().labels["a"], 1);
    let report = geode::from_str::<Labelled>(r#"{"labels":{"a":1,"b/c":256}}"#).unwrap_err();
    assert_eq!(report.violations()[0].pointer(), "/labels/b~1c");
    assert_parity::<Labelled>();
    for dialect in [&OPENAI_STRICT, &ANTHROPIC] {
        let refused = geode::plan::<Labelled>(dialect).unwrap_err();
        let breach = &refused.breaches()[0];
        assert_eq!(breach.pointer, "/properties/labels", "{refused}");
        assert!(!breach.help.is_empty());
    }
}

/// Hand-written, and narrower in serde than in its schema.
#[derive(Debug, Clone, PartialEq, Serialize)]
struct Even(u32);

impl<'de> Deserialize<'de> for Even {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        match u32::deserialize(deserializer)? {
            odd if odd % 2 == 1 => Err(serde::de::Error::custom("it is odd")),
            even => Ok(Even(even)),
        }
    }
}

impl JsonSchema for Even {
    fn schema_name() -> Cow<'static, str> {
        "Even".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        json_schema!({"type": "integer", "minimum": 0, "maximum": 100, "description": "An even number."})
    }
}

#[derive(Debug, PartialEq, StructuredOutput)]
struct Pair {
    #[geode(schemars)]
    left: Even,
    #[geode(schemars)]
    right: Option<Even>,
}

#[test]
fn a_hand_written_type_goes_there_and_back_and_says_what_it_refuses() {
    let pair = Pair { left: Even(4), right: None };
    let text = geode::to_string(&pair);
    assert_eq!(text, r#"{"left":4,"right":null}"#);
    assert_eq!(geode::from_str::<Pair>(&text).unwrap(), pair);
    let report = geode::from_str::<Pair>(r#"{"left":3,"right":102}"#).unwrap_err();
    let found: Vec<String> =
        report.violations().iter().map(|v| format!("{} {}", v.pointer(), v.code().name())).collect();
    assert_eq!(found, ["/left conversion", "/right range"]);
    assert_parity::<Pair>();
}

/// A schema that nobody can hold an answer against.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Elsewhere(u8);

impl JsonSchema for Elsewhere {
    fn schema_name() -> Cow<'static, str> {
        "Elsewhere".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> schemars::Schema {
        json_schema!({"type": "object", "properties": {"a": {"$ref": "https://example.org/schema.json"}}})
    }
}

#[derive(Debug, StructuredOutput)]
struct HoldsElsewhere {
    #[geode(schemars)]
    value: Elsewhere,
}

#[derive(Debug, StructuredOutput)]
struct TwiceNull {
    #[geode(schemars)]
    value: Option<Nothing>,
}

#[derive(Debug, Serialize, Deserialize, JsonSchema)]
struct Nothing(Option<u8>);

#[test]
fn a_schema_that_can_not_be_is_told_when_it_is_first_used() {
    let told = |refused: Incompatible| format!("{} {}", refused.breaches()[0].pointer, refused.breaches()[0].rule);
    let reasons = told(geode::plan::<HoldsElsewhere>(&PLAIN).unwrap_err());
    assert!(reasons.starts_with("/properties/value/properties/a/$ref ") && reasons.contains("leads out"), "{reasons}");
    let report = geode::from_str::<HoldsElsewhere>(r#"{"value":1}"#).unwrap_err();
    assert_eq!(report.violations()[0].pointer(), "/value");
    assert!(report.to_string().contains("leads out"), "{report}");

    let reasons = told(geode::plan::<TwiceNull>(&PLAIN).unwrap_err());
    assert!(reasons.starts_with("/properties/value `null` could mean two things"), "{reasons}");
}

/// Two foreign types of one name.
mod other {
    use super::{Deserialize, JsonSchema, Serialize};

    #[derive(Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
    pub(super) struct Address {
        pub planet: String,
    }
}

#[derive(Debug, StructuredOutput)]
struct Both {
    #[geode(schemars)]
    near: Address,
    #[geode(schemars)]
    nearest: [Address; 2],
    #[geode(schemars)]
    far: (other::Address, other::Address),
}

#[test]
fn two_foreign_types_of_one_name_are_told_apart() {
    let schema = geode::schema::<Both>();
    let names: Vec<&str> = schema.node().unwrap().definitions.iter().map(|(name, _)| name.as_str()).collect();
    assert!(names.contains(&"Address") && names.contains(&"Address_2"), "{names:?}");
    assert_parity::<Both>();
}

/// The plan of a dialect that the type keeps within, whatever it is.
#[test]
fn compile_time_checks_stop_at_a_foreign_type() {
    const FITS: fn() -> &'static Dialect = || &OPENAI_STRICT;
    geode::assert_fits!(Order: OPENAI_STRICT, ANTHROPIC);
    assert!(geode::plan::<Order>(FITS()).is_ok());
}
