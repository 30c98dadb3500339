//! Enums: without data, with data under each tagging.

use geode::StructuredOutput;

use crate::support::{both_ways, refused, stored};

/// How urgent.
#[derive(StructuredOutput, Debug, PartialEq, Clone)]
#[serde(rename_all = "snake_case")]
enum Urgency {
    /// Drop everything.
    RightNow,
    #[serde(alias = "later")]
    Soon,
    #[serde(rename = "n/a")]
    Never,
    #[serde(skip)]
    Internal,
    #[geode(fallback)]
    NeedsReview,
}

#[test]
fn names() {
    both_ways(Urgency::RightNow, r#""right_now""#);
    both_ways(Urgency::Never, r#""n/a""#);
    for text in [r#""needs_review""#, r#""internal""#, r#""later""#, r#""Soon""#] {
        refused::<Urgency>(text, &["UnknownValue "]);
    }
    let enumeration = Urgency::SHAPE.as_enumeration();
    assert_eq!(enumeration.values.len(), 3);
    assert_eq!(enumeration.values[0].description, Some("Drop everything."));
    assert_eq!(stored::<Urgency>(r#""later""#).unwrap(), Urgency::Soon);
    assert_eq!(stored::<Urgency>(r#""escalated""#).unwrap(), Urgency::NeedsReview);
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(repr)]
#[repr(i16)]
enum Weight {
    Light = -100,
    Lighter,
    Bold = 700,
}

#[test]
fn integers() {
    both_ways(Weight::Light, "-100");
    both_ways(Weight::Lighter, "-99");
    both_ways(Weight::Bold, "700");
    refused::<Weight>("0", &["UnknownValue "]);
    refused::<Weight>(r#""Bold""#, &["Type "]);
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Point {
    x: i32,
}

#[derive(StructuredOutput)]
#[allow(dead_code)]
enum Described {
    /// By name.
    Named(
        /// As in the passport.
        #[geode(example = "Ada")]
        String,
    ),
    #[geode(example = 7, range(min = 1))]
    Numbered(u8),
}

#[test]
fn what_stands_on_the_field_of_a_variant_is_told() {
    let schema = serde_json::Value::from(&geode::schema::<Described>());
    let [named, numbered] = [0, 1].map(|index| schema["anyOf"][index]["properties"].clone());
    assert_eq!(named["Named"]["description"], "As in the passport.");
    assert_eq!((&named["Named"]["examples"][0], &numbered["Numbered"]["examples"][0]), (&"Ada".into(), &7.into()));
    geode::testing::assert_parity::<Described>();
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(rename_all_fields = "camelCase")]
enum External {
    Unit,
    Newtype(Point),
    Scalar(#[geode(range(max = 3))] u8),
    Tuple(u8, String),
    Struct { first_part: u8, r#type: Option<bool> },
    Empty {},
}

#[test]
fn external() {
    both_ways(External::Unit, r#""Unit""#);
    both_ways(External::Newtype(Point { x: -1 }), r#"{"Newtype":{"x":-1}}"#);
    both_ways(External::Scalar(3), r#"{"Scalar":3}"#);
    both_ways(External::Tuple(1, "a".into()), r#"{"Tuple":{"_0":1,"_1":"a"}}"#);
    both_ways(External::Struct { first_part: 1, r#type: None }, r#"{"Struct":{"firstPart":1,"type":null}}"#);
    both_ways(External::Empty {}, r#"{"Empty":{}}"#);
    refused::<External>(r#"{"Scalar":4}"#, &["Range /Scalar"]);
    refused::<External>(r#"{"Struct":{"firstPart":1}}"#, &["Missing /Struct/type"]);
    refused::<External>(r#"{"Unknown":1}"#, &["UnknownValue "]);
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(tag = "type", rename_all = "kebab-case", rename_all_fields = "camelCase")]
enum Internal {
    #[serde(alias = "old-unit")]
    PlainUnit,
    Newtype(Point),
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    Loud {
        last_seen: Option<String>,
    },
    Quiet {
        last_seen: u8,
    },
    #[serde(other)]
    Unknown,
}

#[test]
fn internal() {
    both_ways(Internal::PlainUnit, r#"{"type":"plain-unit"}"#);
    both_ways(Internal::Newtype(Point { x: 1 }), r#"{"type":"newtype","x":1}"#);
    both_ways(Internal::Loud { last_seen: None }, r#"{"type":"loud","LAST_SEEN":null}"#);
    both_ways(Internal::Quiet { last_seen: 1 }, r#"{"type":"quiet","lastSeen":1}"#);
    assert_eq!(
        crate::support::read::<Internal>(r#"{"x":1,"type":"newtype"}"#).unwrap(),
        Internal::Newtype(Point { x: 1 })
    );
    refused::<Internal>(r#"{"type":"newtype","x":1,"y":2}"#, &["UnknownProperty /y"]);
    refused::<Internal>(r#"{"x":1}"#, &["Missing /type"]);
    refused::<Internal>(r#"{"type":"brand-new"}"#, &["UnknownValue /type"]);
    assert_eq!(stored::<Internal>(r#"{"type":"old-unit"}"#).unwrap(), Internal::PlainUnit);
    assert_eq!(stored::<Internal>(r#"{"type":"brand-new","more":[1]}"#).unwrap(), Internal::Unknown);
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Newtype(u32),
    Tuple(u32, String),
    Struct { a: Option<u32> },
}

#[test]
fn adjacent() {
    both_ways(Adjacent::Unit, r#"{"t":"Unit"}"#);
    both_ways(Adjacent::Newtype(1), r#"{"t":"Newtype","c":1}"#);
    both_ways(Adjacent::Tuple(1, "a".into()), r#"{"t":"Tuple","c":{"_0":1,"_1":"a"}}"#);
    both_ways(Adjacent::Struct { a: Some(1) }, r#"{"t":"Struct","c":{"a":1}}"#);
    refused::<Adjacent>(r#"{"t":"Newtype"}"#, &["Missing /c"]);
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(untagged)]
enum Untagged {
    Nothing,
    Count(u32),
    Text(String),
    Many(Vec<u32>),
    Body { a: u8 },
}

#[test]
fn untagged() {
    both_ways(Untagged::Nothing, "null");
    both_ways(Untagged::Count(1), "1");
    both_ways(Untagged::Text("a".into()), r#""a""#);
    both_ways(Untagged::Many(vec![1]), "[1]");
    both_ways(Untagged::Body { a: 1 }, r#"{"a":1}"#);
    refused::<Untagged>("true", &["NoVariant "]);
    // what is wrong is told of the variant that takes values of the type
    refused::<Untagged>("[1,-2]", &["NoVariant ", "Range /1"]);
    refused::<Untagged>(r#"{"a":1,"b":2}"#, &["NoVariant ", "UnknownProperty /b"]);
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(tag = "mode")]
enum OneUntagged {
    Form {
        text: String,
    },
    #[serde(untagged)]
    Old {
        message: String,
    },
}

#[test]
fn one_variant_untagged() {
    both_ways(OneUntagged::Form { text: "a".into() }, r#"{"mode":"Form","text":"a"}"#);
    both_ways(OneUntagged::Old { message: "a".into() }, r#"{"message":"a"}"#);
}

#[derive(StructuredOutput, Debug, PartialEq)]
enum Formula {
    Number(f64),
    Negated(Box<Formula>),
    Sum(Vec<Formula>),
    Called { name: String, arguments: Vec<Self> },
}

#[test]
fn recursive() {
    both_ways(
        Formula::Sum(vec![Formula::Negated(Box::new(Formula::Number(1.5)))]),
        r#"{"Sum":[{"Negated":{"Number":1.5}}]}"#,
    );
    both_ways(
        Formula::Called { name: "f".into(), arguments: vec![Formula::Number(2.0)] },
        r#"{"Called":{"name":"f","arguments":[{"Number":2.0}]}}"#,
    );
}
