//! Attributes that change the wire.

use std::collections::BTreeMap;
use std::net::Ipv4Addr;

use geode::StructuredOutput;
use geode::json::{Reader, Writer};
use geode::shape::{Role, Shape};

use crate::support::{both_ways, read, refused, stored};

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
struct Named {
    first_name: String,
    r#type: u8,
    #[serde(rename(serialize = "out", deserialize = "in"), alias = "name")]
    other_name: u8,
    #[serde(rename = "$ref")]
    reference: u8,
}

#[test]
fn names_are_those_that_serde_would_read() {
    let value = Named { first_name: "a".into(), r#type: 1, other_name: 2, reference: 3 };
    both_ways(value, r#"{"firstName":"a","type":1,"in":2,"$ref":3}"#);
    refused::<Named>(r#"{"firstName":"a","type":1,"name":2,"$ref":3}"#, &["Missing /in", "UnknownProperty /name"]);
    let old = stored::<Named>(r#"{"firstName":"a","type":1,"name":2,"$ref":3}"#).unwrap();
    assert_eq!(old.other_name, 2);
}

fn seven() -> u8 {
    7
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Defaulted {
    #[serde(default)]
    list: Vec<u8>,
    #[serde(default = "seven")]
    count: u8,
    #[serde(skip, default = "seven")]
    hidden: u8,
    #[serde(skip_deserializing)]
    made_here: Option<String>,
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(default)]
struct WholeDefault {
    on: bool,
    limit: u8,
    #[serde(skip)]
    hidden: u8,
}

impl Default for WholeDefault {
    fn default() -> Self {
        WholeDefault { on: true, limit: 9, hidden: 5 }
    }
}

#[derive(StructuredOutput, Debug, PartialEq, Default)]
#[serde(default = "Standard::new")]
struct Standard {
    limit: u8,
    #[serde(skip)]
    hidden: u8,
}

impl Standard {
    fn new() -> Self {
        Standard { limit: 9, hidden: 5 }
    }
}

#[test]
fn the_default_of_a_container_can_be_a_function() {
    both_ways(Standard { limit: 1, hidden: 5 }, r#"{"limit":1}"#);
    assert_eq!(stored::<Standard>("{}").unwrap(), Standard::new());
}

#[test]
fn defaults_are_for_stored_data() {
    both_ways(Defaulted { list: vec![1], count: 2, hidden: 7, made_here: None }, r#"{"list":[1],"count":2}"#);
    refused::<Defaulted>("{}", &["Missing /list", "Missing /count"]);
    assert_eq!(stored::<Defaulted>("{}").unwrap(), Defaulted { list: vec![], count: 7, hidden: 7, made_here: None });
    assert_eq!(stored::<WholeDefault>(r#"{"limit":1}"#).unwrap(), WholeDefault { on: true, limit: 1, hidden: 5 });
    assert_eq!(Defaulted::SHAPE.as_object().fields[0].role(), Role::Defaulted);
    assert_eq!(Defaulted::SHAPE.as_object().fields.len(), 2);
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Screen {
    width: Option<u16>,
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(tag = "by", rename_all = "snake_case")]
enum Order {
    Time,
    Metric { name: String },
}

#[derive(StructuredOutput, Debug, PartialEq)]
enum Part {
    Text(String),
    Gone,
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Flat {
    before: u8,
    #[serde(flatten)]
    screen: Screen,
    #[serde(flatten)]
    order: Order,
    #[serde(flatten)]
    part: Part,
    after: u8,
}

#[test]
fn flattened_fields_stand_among_the_others() {
    let order = Order::Metric { name: "size".into() };
    let value = Flat { before: 1, screen: Screen { width: Some(2) }, order, part: Part::Text("a".into()), after: 3 };
    both_ways(value, r#"{"before":1,"width":2,"by":"metric","name":"size","Text":"a","after":3}"#);
    refused::<Flat>(r#"{"before":1,"width":2,"by":"time","Text":"a","after":3,"more":0}"#, &["UnknownProperty /more"]);
    refused::<Flat>(r#"{"before":1,"by":"time","Text":"a","after":3}"#, &["Missing /width"]);
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(version = "2")]
struct Versioned {
    text: String,
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(tag = "kind", rename = "note")]
struct Tagged {
    text: String,
}

#[test]
fn constants_come_first() {
    both_ways(Versioned { text: "a".into() }, r#"{"schemaVersion":"2","text":"a"}"#);
    both_ways(Tagged { text: "a".into() }, r#"{"kind":"note","text":"a"}"#);
    refused::<Versioned>(r#"{"schemaVersion":"3","text":"a"}"#, &["Constant /schemaVersion"]);
    refused::<Versioned>(r#"{"text":"a"}"#, &["Missing /schemaVersion"]);
}

#[derive(StructuredOutput, Debug, PartialEq, Clone)]
#[serde(try_from = "u8", into = "u8")]
struct Even(u8);

impl TryFrom<u8> for Even {
    type Error = String;
    fn try_from(n: u8) -> Result<Self, String> {
        if n.is_multiple_of(2) { Ok(Even(n)) } else { Err(format!("{n} is odd")) }
    }
}

impl From<Even> for u8 {
    fn from(even: Even) -> u8 {
        even.0
    }
}

/// Words.
#[derive(StructuredOutput, Debug, PartialEq, Clone)]
#[geode(from = String, into = String)]
enum Words {
    Of(String),
}

impl From<String> for Words {
    fn from(text: String) -> Self {
        Words::Of(text)
    }
}

impl From<Words> for String {
    fn from(words: Words) -> String {
        let Words::Of(text) = words;
        text
    }
}

#[test]
fn conversions_read_the_other_type() {
    both_ways(Even(2), "2");
    both_ways(Words::Of("a b".into()), r#""a b""#);
    refused::<Even>("3", &["Conversion "]);
    refused::<Even>("300", &["Range "]);
    let report = read::<Even>("3").unwrap_err();
    assert!(!report.to_string().contains("is odd"), "content in Display: {report}");
}

/// An address of electronic mail.
#[derive(StructuredOutput, Debug, PartialEq, Clone)]
#[geode(try_from = String, into = String, pattern = "^[^@]+@[^@]+$", length(max = 9), example = "a@b.c")]
struct Address(String);

impl TryFrom<String> for Address {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        if text.starts_with('x') { Err("no x".into()) } else { Ok(Address(text)) }
    }
}

impl From<Address> for String {
    fn from(address: Address) -> String {
        address.0
    }
}

#[derive(StructuredOutput, Debug, PartialEq, Clone)]
#[geode(from = "Vec<T>", into = "Vec<T>", items(max = 2))]
struct Few<T: Clone>(Vec<T>);

impl<T: Clone> From<Vec<T>> for Few<T> {
    fn from(list: Vec<T>) -> Self {
        Few(list)
    }
}

impl<T: Clone> From<Few<T>> for Vec<T> {
    fn from(few: Few<T>) -> Vec<T> {
        few.0
    }
}

#[test]
fn constraints_stand_on_what_is_converted() {
    both_ways(Address("a@b.c".into()), r#""a@b.c""#);
    refused::<Address>(r#""a b""#, &["Pattern "]);
    refused::<Address>(r#""x@b.c""#, &["Conversion "]);
    refused::<Address>(r#""abcdefg@b.c""#, &["Length "]);
    let schema = serde_json::Value::from(&geode::schema::<Address>());
    assert_eq!((&schema["pattern"], &schema["examples"][0]), (&"^[^@]+@[^@]+$".into(), &"a@b.c".into()));
    both_ways(Few(vec![1u8, 2]), "[1,2]");
    refused::<Few<u8>>("[1,2,3]", &["Items "]);
    geode::testing::assert_parity::<Address>();
    geode::testing::assert_parity::<Few<bool>>();
}

mod seconds {
    //! A carrier of the caller's own.

    use super::*;

    pub const SHAPE: &Shape = &Shape::Number;

    pub fn read(reader: &mut Reader<'_>) -> Option<std::time::Duration> {
        <f64 as StructuredOutput>::read(reader).map(std::time::Duration::from_secs_f64)
    }

    pub fn write(value: &std::time::Duration, writer: &mut Writer) {
        value.as_secs_f64().write(writer);
    }
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Carried {
    #[geode(as_string)]
    address: Ipv4Addr,
    #[geode(as_string)]
    maybe: Option<i64>,
    #[geode(json_text)]
    open: serde_json::Value,
    #[geode(json_text)]
    maybe_open: Option<BTreeMap<String, serde_json::Value>>,
    #[geode(with = seconds)]
    wait: std::time::Duration,
    #[serde(deserialize_with = "lenient")]
    #[geode(plain)]
    plain: u8,
}

#[test]
fn carriers() {
    let value = Carried {
        address: Ipv4Addr::new(1, 2, 3, 4),
        maybe: Some(-1),
        open: serde_json::json!({"a": [1, null]}),
        maybe_open: None,
        wait: std::time::Duration::from_millis(1500),
        plain: 1,
    };
    let text = r#"{"address":"1.2.3.4","maybe":"-1","open":"{\"a\":[1,null]}","maybe_open":null,"wait":1.5,"plain":1}"#;
    both_ways(value, text);
    refused::<Carried>(
        r#"{"address":"1.2.3","maybe":"x","open":"{","maybe_open":3,"wait":"1","plain":"1"}"#,
        &["Format /address", "Format /maybe", "Format /open", "Type /maybe_open", "Type /wait", "Type /plain"],
    );
    let report = geode::from_str::<Carried>(&text.replace("{\\\"a\\\":[1,null]}", "{")).unwrap_err();
    assert_eq!(report.to_string(), "/open: wrong format, expected text that holds JSON");
}
