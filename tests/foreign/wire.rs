//! Our types in crates that speak schemars: `#[geode(json_schema)]` and `Wire`.

use std::collections::BTreeMap;

use geode::{StructuredOutput, Wire};
use schemars::generate::SchemaSettings;
use schemars::{JsonSchema, SchemaGenerator, schema_for};
use serde_json::{Value, json};

/// A ticket.
#[derive(Debug, PartialEq, StructuredOutput)]
#[geode(json_schema, rename_all = "camelCase")]
struct Ticket {
    /// How urgent it is.
    #[geode(range(min = 1, max = 5))]
    how_urgent: u8,
    first: Note,
    second: Option<Note>,
    labels: BTreeMap<String, bool>,
}

#[derive(Debug, PartialEq, StructuredOutput)]
struct Note {
    text: String,
}

#[derive(Debug, PartialEq, StructuredOutput)]
#[geode(json_schema)]
struct Tree {
    label: String,
    kids: Vec<Tree>,
    leaf: Leaf,
    other: Leaf,
}

#[derive(Debug, PartialEq, StructuredOutput)]
struct Leaf {
    colour: String,
}

#[derive(Debug, PartialEq, StructuredOutput)]
#[geode(json_schema)]
struct Payload<T> {
    data: T,
}

#[derive(Debug, PartialEq, StructuredOutput)]
#[geode(json_schema)]
enum Verdict {
    Yes,
    No,
}

/// A type of the user's that schemars derives, with ours inside.
#[derive(JsonSchema)]
#[allow(dead_code)]
struct Outer {
    trees: Vec<Tree>,
    root: Tree,
    ticket: Ticket,
    of_byte: Payload<u8>,
    of_text: Payload<String>,
}

fn accepts(schema: &Value, text: &str) -> bool {
    let value: Value = serde_json::from_str(text).unwrap();
    jsonschema::validator_for(schema).unwrap().is_valid(&value)
}

#[test]
fn it_is_the_wire_form() {
    let schema = schema_for!(Ticket).to_value();
    let mut own = Value::from(&geode::schema::<Ticket>());
    own["$schema"] = schema["$schema"].clone();
    let note = own["$defs"].as_object_mut().unwrap().remove("Note").unwrap();
    own["$defs"]["Ticket.Note"] = note;
    let text = own.to_string().replace("#/$defs/Note", "#/$defs/Ticket.Note");
    assert_eq!(schema, serde_json::from_str::<Value>(&text).unwrap());
    assert_eq!((Ticket::schema_name(), Ticket::inline_schema()), ("Ticket".into(), false));
    assert!(Ticket::schema_id().ends_with("wire::Ticket"), "{}", Ticket::schema_id());
    assert_eq!(schema["description"], "A ticket.");
    assert_eq!(schema["properties"]["labels"]["items"]["required"], json!(["key", "value"]));
    assert_eq!(schema_for!(Verdict).to_value()["enum"], json!(["Yes", "No"]));
}

#[test]
fn a_recursive_type_refers_to_itself() {
    let schema = schema_for!(Tree).to_value();
    assert_eq!(schema["properties"]["kids"]["items"], json!({"$ref": "#"}));
    assert_eq!(schema["$defs"].as_object().unwrap().keys().collect::<Vec<_>>(), ["Tree.Leaf"]);
    let leaf = r#""leaf":{"colour":"red"},"other":{"colour":"red"}"#;
    let good = format!(r#"{{"label":"a","kids":[{{"label":"b","kids":[],{leaf}}}],{leaf}}}"#);
    assert!(accepts(&schema, &good) && geode::from_str::<Tree>(&good).is_ok());
    let bad = good.replace(r#""label":"b","#, "");
    assert!(!accepts(&schema, &bad) && geode::from_str::<Tree>(&bad).is_err());
}

#[test]
fn it_stands_among_types_that_schemars_derives() {
    let schema = schema_for!(Outer).to_value();
    let definitions: Vec<&String> = schema["$defs"].as_object().unwrap().keys().collect();
    assert_eq!(definitions, ["Payload_String", "Payload_u8", "Ticket", "Ticket.Note", "Tree", "Tree.Leaf"]);
    assert_eq!(schema["properties"]["root"], json!({"$ref": "#/$defs/Tree"}));
    assert_eq!(schema["$defs"]["Tree"]["properties"]["kids"]["items"], json!({"$ref": "#/$defs/Tree"}));
    jsonschema::meta::validate(&schema).unwrap();
    // Every reference leads somewhere.
    jsonschema::validator_for(&schema).unwrap();
}

#[test]
fn it_follows_the_generator() {
    // As aide asks for it: OpenAPI's components.
    let settings =
        SchemaSettings::openapi3().with(|settings| settings.definitions_path = "/components/schemas/".into());
    let mut generator = SchemaGenerator::new(settings);
    assert_eq!(generator.subschema_for::<Ticket>().to_value(), json!({"$ref": "#/components/schemas/Ticket"}));
    let definitions = generator.take_definitions(true);
    assert_eq!(definitions["Ticket"]["properties"]["first"], json!({"$ref": "#/components/schemas/Ticket.Note"}));
    assert!(definitions.contains_key("Ticket.Note"));

    // As providers ask for it that take no references.
    let inline = SchemaSettings::draft2020_12().with(|settings| settings.inline_subschemas = true);
    let schema = inline.into_generator().into_root_schema_for::<Ticket>().to_value();
    assert_eq!(schema["properties"]["first"]["required"], json!(["text"]));
    assert_eq!(schema.get("$defs"), None);
}

/// Another type of the same name, whose definitions must not take the first one's place.
mod second {
    #[derive(Debug, PartialEq, geode::StructuredOutput)]
    #[geode(json_schema)]
    pub(super) struct Ticket {
        pub first: Note,
        pub second: Note,
    }

    #[derive(Debug, PartialEq, geode::StructuredOutput)]
    pub(super) struct Note {
        pub number: u8,
    }
}

#[test]
fn two_types_of_one_name_stay_apart() {
    let schema = schema_for!((Ticket, second::Ticket)).to_value();
    let definitions = &schema["$defs"];
    assert_eq!(definitions["Ticket.Note"]["required"], json!(["text"]));
    assert_eq!(definitions["Ticket.Note2"]["required"], json!(["number"]));
    assert_eq!(definitions["Ticket2"]["properties"]["first"], json!({"$ref": "#/$defs/Ticket.Note2"}));
}

#[test]
fn wire_reads_and_writes_what_its_schema_says() {
    let text = r#"{"howUrgent":2,"first":{"text":"a"},"second":null,"labels":[{"key":"new","value":true}]}"#;
    let ticket: Wire<Ticket> = serde_json::from_str(text).unwrap();
    assert!(ticket.labels["new"]);
    assert_eq!(serde_json::to_value(&ticket).unwrap(), serde_json::from_str::<Value>(text).unwrap());
    assert_eq!(schema_for!(Wire<Ticket>), schema_for!(Ticket));
    let error = serde_json::from_str::<Wire<Ticket>>(&text.replace("2,", "9,").replace("new", "secret")).unwrap_err();
    assert!(error.to_string().contains("/howUrgent") && !error.to_string().contains("secret"), "{error}");
    let map = serde_json::from_str::<Wire<Ticket>>(&text.replace(r#"[{"key":"new","value":true}]"#, r#"{"new":true}"#));
    assert!(map.is_err(), "a map has one wire form");
}
