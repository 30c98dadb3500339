//! A text that can't become a value of its shape any more is found out early, and no other text ever is.

use geode::json::ReadOptions;
use geode::json::stream::{PushParser, StreamError};
use geode::shape::{Details, Edge, EnumValue, Enumeration, Field, Limit, Object, Rules, Shape};
use proptest::prelude::*;
use serde_json::{Value, json};

const TEXT: Edge = Edge::Eager(&Shape::String);

const fn value(name: &'static str) -> EnumValue {
    EnumValue { name, description: None, aliases: &[] }
}

static CATEGORY: Shape = Shape::Enumeration(&Enumeration {
    name: "Category",
    id: || "Category",
    description: None,
    values: &[value("billing"), value("billing_dispute"), value("technical")],
    integer: false,
    fallback: false,
});

static LINE: Shape = Shape::Object(&Object {
    name: "Line",
    id: || "Line",
    description: None,
    fields: &[
        Field::new(
            "quantity",
            Edge::Eager(&Shape::Integer { minimum: Limit::Integer(0), maximum: Limit::Integer(255) }),
        ),
        Field::new("paid", Edge::Eager(&Shape::Boolean)),
    ],
});

const TAGS: Shape = Shape::Array { items: TEXT, minimum: None, maximum: None, unique: false };

static TICKET: Shape = Shape::Object(&Object {
    name: "Ticket",
    id: || "Ticket",
    description: None,
    fields: &[
        Field::new("category", Edge::Eager(&CATEGORY)),
        Field::new("confidence", Edge::Eager(&Shape::Number)).detailed(
            const {
                &Details::NONE
                    .ruled(const { &Rules::NONE.minimum(Limit::Real(0.0)).maximum(Limit::Real(1.0)) }, &Shape::Number)
            },
        ),
        Field::new("reason", TEXT)
            .detailed(const { &Details::NONE.ruled(const { &Rules::NONE.max_length(5) }, &Shape::String) }),
        Field::new("tags", Edge::Eager(&TAGS)).detailed(
            const {
                &Details::NONE
                    .ruled(const { &Rules::NONE.max_items(2).inner(const { &Rules::NONE.max_length(3) }) }, &TAGS)
            },
        ),
        Field::new(
            "lines",
            Edge::Eager(&Shape::Nullable(Edge::Eager(&Shape::Array {
                items: Edge::Eager(&LINE),
                minimum: None,
                maximum: None,
                unique: false,
            }))),
        ),
        Field::new("counts", Edge::Eager(&Shape::Map { key: TEXT, value: Edge::Eager(&LINE) })),
    ],
});

/// Pushes byte by byte. Returns the length of the prefix that was refused, and why.
fn refused(shape: &'static Shape, options: &ReadOptions, text: &str) -> Option<(usize, String)> {
    let mut parser = PushParser::for_shape(shape, options);
    for (index, byte) in text.as_bytes().iter().enumerate() {
        match parser.push(&[*byte]) {
            Ok(()) => {}
            Err(StreamError::Invalid(violation)) => return Some((index + 1, format!("{violation:?}"))),
            Err(other) => return Some((index + 1, other.to_string())),
        }
    }
    parser.finish().err().map(|error| (text.len(), error.to_string()))
}

/// Checks that `text` is refused, and only when its last byte comes.
#[track_caller]
fn check(text: &str, why: &str) {
    let (at, found) = refused(&TICKET, &ReadOptions::default(), text).expect("must be refused");
    assert_eq!((at, &*found), (text.len(), why), "{:?}", &text[..at]);
    let mut whole = PushParser::for_shape(&TICKET, &ReadOptions::default());
    assert!(whole.push(text.as_bytes()).is_err(), "the same in one piece");
}

#[test]
fn what_can_not_be_mended_is_found_at_its_first_wrong_byte() {
    check("[", r#"Type at "": expected an object"#);
    check(
        r#"{"execute""#,
        r#"UnknownProperty at "/execute": expected one of "category", "confidence", "reason", "tags", "lines", "counts""#,
    );
    check(
        r#"{"category": "bx"#,
        r#"UnknownValue at "/category": expected one of "billing", "billing_dispute", "technical""#,
    );
    check(
        r#"{"category": "billing_""#,
        r#"UnknownValue at "/category": expected one of "billing", "billing_dispute", "technical""#,
    );
    check(r#"{"category": t"#, r#"Type at "/category": expected a string"#);
    check(r#"{"confidence": 1.01,"#, r#"Range at "/confidence": expected at most 1"#);
    check(r#"{"confidence": ""#, r#"Type at "/confidence": expected a number"#);
    check(r#"{"reason": "123456"#, r#"Length at "/reason": expected at most 5 characters"#);
    check(r#"{"reason": "1234\u00e9\n"#, r#"Length at "/reason": expected at most 5 characters"#);
    check(r#"{"tags": ["a", "bcde"#, r#"Length at "/tags/1": expected at most 3 characters"#);
    check(r#"{"tags": ["a", "b", ""#, r#"Items at "/tags": expected at most 2 elements"#);
    check(r#"{"lines": null, "tags": n"#, r#"Type at "/tags": expected an array"#);
    check(r#"{"lines": [{"quantity": 1.5,"#, r#"Type at "/lines/0/quantity": expected an integer"#);
    check(r#"{"lines": [{"quantity": 256,"#, r#"Range at "/lines/0/quantity": expected at most 255"#);
    check(r#"{"lines": [{"quantity": 1}"#, r#"Missing at "/lines/0": expected the property "paid""#);
    check(r#"{"lines": [{"paid": true, "paid""#, r#"Duplicate at "/lines/0/paid": expected each property once"#);
    check(r#"{"counts": [{"key": "a", "value": ["#, r#"Type at "/counts/0/value": expected an object"#);
    check(r#"{"counts": [{"k""#, r#"UnknownProperty at "/counts/0/k": expected one of "key", "value""#);
}

#[test]
fn options_of_the_dialect_count() {
    assert_eq!(refused(&CATEGORY, &ReadOptions::default(), r#""technical""#), None);
    let mut wrapped = ReadOptions::default();
    wrapped.wrapped_root = true;
    wrapped.any_case = true;
    assert_eq!(refused(&CATEGORY, &wrapped, r#"{"value": "BILLING"}"#), None);
    assert_eq!(refused(&CATEGORY, &wrapped, r#""billing""#).map(|refused| refused.0), Some(1));
    let mut absent = ReadOptions::default();
    absent.absent_is_null = true;
    let text = r#"{"category":"billing","confidence":1,"reason":"","tags":[],"counts":[]}"#;
    assert_eq!(refused(&TICKET, &absent, text), None);
    assert!(refused(&TICKET, &ReadOptions::default(), text).is_some());
}

fn line() -> impl Strategy<Value = Value> {
    (any::<u8>(), any::<bool>(), any::<bool>()).prop_map(|(quantity, paid, real)| match real {
        true => json!({"quantity": quantity as f64, "paid": paid}),
        false => json!({"paid": paid, "quantity": quantity}),
    })
}

fn ticket() -> impl Strategy<Value = Value> {
    let category = prop::sample::select(vec!["billing", "billing_dispute", "technical"]);
    let lines = prop::option::of(prop::collection::vec(line(), 0..3));
    let counts = prop::collection::vec((".{0,6}", line()), 0..3);
    (category, 0.0..=1.0f64, ".{0,5}", prop::collection::vec(".{0,3}", 0..=2), lines, counts).prop_map(
        |(category, confidence, reason, tags, lines, counts)| {
            let counts: Vec<Value> = counts.into_iter().map(|(key, value)| json!({"key": key, "value": value})).collect();
            json!({"reason": reason, "category": category, "confidence": confidence, "tags": tags, "lines": lines, "counts": counts})
        },
    )
}

proptest! {
    #[test]
    fn no_prefix_of_a_valid_text_is_refused(ticket in ticket(), pretty in any::<bool>()) {
        let text = if pretty { serde_json::to_string_pretty(&ticket).unwrap() } else { ticket.to_string() };
        prop_assert_eq!(refused(&TICKET, &ReadOptions::default(), &text), None);
    }
}
