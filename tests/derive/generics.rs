//! Parameters of every kind.

use std::borrow::Cow;
use std::marker::PhantomData;

use geode::StructuredOutput;

use crate::support::both_ways;

#[derive(StructuredOutput, Debug, PartialEq)]
struct Page<T> {
    items: Vec<T>,
    next: Option<u32>,
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Fixed<const N: usize> {
    grid: [[u8; N]; 2],
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Text<'a> {
    title: Cow<'a, str>,
}

struct Marker;

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(transparent)]
struct Key<E, T = u32>(T, #[serde(skip)] PhantomData<E>);

trait Kind {
    type Body;
}

#[derive(Debug, PartialEq)]
struct Plain;

impl Kind for Plain {
    type Body = String;
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Projected<K: Kind> {
    body: K::Body,
}

/// The same, spelt out, within other types.
#[derive(StructuredOutput)]
struct Qualified<K: Kind> {
    body: <K as Kind>::Body,
    more: Vec<(u8, Option<<K as Kind>::Body>)>,
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(bound(T: StructuredOutput))]
struct Bounded<T> {
    value: Option<T>,
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Tree<T> {
    value: T,
    children: Vec<Tree<T>>,
}

#[test]
fn parameters() {
    both_ways(Page { items: vec![true], next: None }, r#"{"items":[true],"next":null}"#);
    both_ways(Fixed::<1> { grid: [[1], [2]] }, r#"{"grid":[[1],[2]]}"#);
    both_ways(Text { title: Cow::Borrowed("a\n") }, r#"{"title":"a\n"}"#);
    both_ways(Projected::<Plain> { body: "a".into() }, r#"{"body":"a"}"#);
    let qualified: Qualified<Plain> = crate::support::read(r#"{"body":"a","more":[{"_0":1,"_1":"b"}]}"#).unwrap();
    assert_eq!((qualified.body.as_str(), qualified.more[0].1.as_deref()), ("a", Some("b")));
    both_ways(Bounded { value: Some(1u8) }, r#"{"value":1}"#);
    both_ways(Tree { value: 1u8, children: vec![] }, r#"{"value":1,"children":[]}"#);
    let key: Key<Marker> = crate::support::read("7").unwrap();
    assert_eq!(key.0, 7);
}

macro_rules! declared {
    ($name:ident { $($field:ident: $ty:ty),* }) => {
        #[derive(StructuredOutput, Debug, PartialEq)]
        struct $name { $($field: $ty),* }
    };
}

declared!(ByMacro { a: u8, b: Option<Vec<ByMacro>> });

#[test]
fn inside_macros() {
    both_ways(ByMacro { a: 1, b: None }, r#"{"a":1,"b":null}"#);
}
