//! Constraints: ours, and those of other crates that mean the same.

use geode::StructuredOutput;
use geode::shape::Limit;

use crate::support::{both_ways, refused};

#[derive(StructuredOutput, Debug, PartialEq)]
struct Own {
    #[geode(range(min = 1, max = 10))]
    count: u8,
    #[geode(range(exclusive_min = 0.0, max = 1.0))]
    share: f64,
    #[geode(multiple_of = 5)]
    step: i32,
    #[geode(length(min = 1, max = 3))]
    code: Option<String>,
    #[geode(pattern = "^[A-Z]{2}-[0-9]+$")]
    reference: String,
    #[geode(format = "email")]
    mail: String,
    #[geode(items(min = 1, max = 2, unique), inner(length(max = 2)))]
    tags: Vec<String>,
    #[geode(const = "eur")]
    currency: String,
}

const GOOD: &str = r#"{"count":1,"share":0.5,"step":-10,"code":"äöü","reference":"AB-1","mail":"a@example.org","tags":["a","b"],"currency":"eur"}"#;

#[test]
fn own() {
    let value = Own {
        count: 1,
        share: 0.5,
        step: -10,
        code: Some("äöü".into()),
        reference: "AB-1".into(),
        mail: "a@example.org".into(),
        tags: vec!["a".into(), "b".into()],
        currency: "eur".into(),
    };
    both_ways(value, GOOD);
    refused::<Own>(
        r#"{"count":11,"share":0,"step":3,"code":"","reference":"A","mail":"a","tags":[],"currency":"usd"}"#,
        &[
            "Range /count",
            "Range /share",
            "MultipleOf /step",
            "Length /code",
            "Pattern /reference",
            "Format /mail",
            "Items /tags",
            "Constant /currency",
        ],
    );
    refused::<Own>(&GOOD.replace(r#"["a","b"]"#, r#"["a","a"]"#), &["Unique /tags"]);
    refused::<Own>(&GOOD.replace(r#"["a","b"]"#, r#"["a","abc"]"#), &["Length /tags/1"]);
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Borrowed {
    #[schemars(range(min = 0.0, max = 1.0))]
    confidence: f64,
    #[schemars(length(min = 1), inner(range(min = 2)))]
    numbers: Vec<u8>,
    #[validate(length(max = 3))]
    short: String,
    #[garde(inner(length(min = 1)))]
    maybe: Option<String>,
    #[garde(length(min = 1), skip)]
    text: String,
    #[garde(length(chars, max = 2))]
    chars: String,
}

#[test]
fn of_other_crates() {
    let good = r#"{"confidence":1.0,"numbers":[2],"short":"äöü","maybe":null,"text":"a","chars":"äö"}"#;
    assert!(crate::support::read::<Borrowed>(good).is_ok());
    refused::<Borrowed>(
        r#"{"confidence":1.1,"numbers":[1],"short":"abcd","maybe":"","text":"","chars":"abc"}"#,
        &["Range /confidence", "Range /numbers/0", "Length /short", "Length /maybe", "Length /text", "Length /chars"],
    );
    let numbers = Borrowed::SHAPE.as_object().fields[1].rules();
    assert_eq!((numbers.min_items, numbers.min_length), (Some(1), None));
    assert_eq!(numbers.inner.and_then(|inner| inner.minimum), Some(Limit::Integer(2)));
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Share(f64);

#[derive(StructuredOutput, Debug, PartialEq, Clone)]
#[geode(from = String, into = String)]
struct Code(String);

impl From<String> for Code {
    fn from(text: String) -> Self {
        Code(text)
    }
}

impl From<Code> for String {
    fn from(code: Code) -> String {
        code.0
    }
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Wrapped {
    #[geode(range(max = 1.0))]
    share: Share,
    #[geode(length(max = 2))]
    code: Option<Code>,
}

#[test]
fn on_newtypes_and_conversions() {
    both_ways(Wrapped { share: Share(1.0), code: Some(Code("ab".into())) }, r#"{"share":1.0,"code":"ab"}"#);
    refused::<Wrapped>(r#"{"share":1.5,"code":"abc"}"#, &["Range /share", "Length /code"]);
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Single {
    #[geode(range(min = 0.1, max = 0.3))]
    share: f32,
    #[geode(multiple_of = 0.1)]
    step: Option<f32>,
    #[geode(inner(range(max = 0.7)))]
    list: Vec<f32>,
    any: f32,
    #[geode(const = 1)]
    one: f32,
    #[geode(const = 2)]
    two: Option<f64>,
}

/// The nearest single-precision number to 0.3 is above it.
#[test]
fn single_precision_is_held_against_limits_as_it_is_written() {
    let text = r#"{"share":0.3,"step":0.7,"list":[0.7,-0.1],"any":3.4028234663852886e38,"one":1.0,"two":2.0}"#;
    both_ways(
        Single { share: 0.3, step: Some(0.7), list: vec![0.7, -0.1], any: f32::MAX, one: 1.0, two: Some(2.0) },
        text,
    );
    refused::<Single>(
        r#"{"share":0.30000001,"step":0.71,"list":[0.70000001],"any":3.4028235e38,"one":1.5,"two":2}"#,
        &["Range /share", "MultipleOf /step", "Range /list/0", "Range /any", "Constant /one"],
    );
    geode::testing::assert_parity::<Single>();
}
