//! Types that others could not get through a provider, one file each in `cases/`: what schema and parser must come to.

#[path = "../support/mod.rs"]
#[allow(dead_code, reason = "one case asks a server, and only once")]
mod support;

mod judge;
mod limits;

use std::borrow::Cow;
use std::collections::HashMap;
use std::path::Path;

use geode::StructuredOutput;
use geode::dialect::OPENAI_STRICT;
use geode::schema::name_of;
use geode::testing::assert_parity;
use serde_json::json;

use judge::{Case, texts};

/// A test for a case whose file says all that is to be seen.
macro_rules! case {
    ($name:ident, $id:literal, $type:ty) => {
        #[test]
        fn $name() {
            Case::load($id).judge::<$type>(&[]);
        }
    };
}

#[test]
fn every_file_has_a_test() {
    let source = concat!(include_str!("main.rs"), include_str!("limits.rs"));
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/type_cases/cases");
    let files: Vec<_> = std::fs::read_dir(folder).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 23);
    for file in files {
        let id = file.file_stem().unwrap().to_str().unwrap();
        assert!(source.contains(&format!("{id:?}")), "{id} is not judged");
    }
}

#[derive(StructuredOutput)]
#[serde(tag = "kind", rename_all = "snake_case")]
#[allow(dead_code)]
enum Step {
    Walk { metres: u32 },
    Wait { minutes: u32 },
}

#[derive(StructuredOutput)]
struct Plan {
    step: Step,
}

case!(b01_a_union_is_any_of, "B01", Plan);

/// A place
#[derive(StructuredOutput)]
struct Place {
    town: String,
}

#[derive(StructuredOutput)]
struct Trip {
    /// where it starts
    start: Place,
    /// where it ends
    end: Place,
}

case!(b02_nothing_stands_beside_a_reference, "B02", Trip);

/// How to write
#[derive(StructuredOutput)]
#[serde(rename_all = "lowercase")]
enum Mode {
    /// replace all
    Write,
    /// small edits
    Edit,
    Append,
}

#[derive(StructuredOutput)]
struct Job {
    mode: Mode,
}

case!(b04_documented_variants_are_one_enum, "B04", Job);

#[derive(StructuredOutput)]
#[serde(rename_all = "lowercase")]
enum Size {
    Small,
    Big,
}

#[derive(StructuredOutput)]
struct Order {
    size: Option<Size>,
}

case!(b05_a_nullable_enum_takes_null, "B05", Order);

#[derive(StructuredOutput)]
struct Names(Vec<String>);

#[test]
fn b06_a_root_that_is_a_list() {
    let case = Case::load("B06");
    case.judge::<Names>(&["roundtrip"]);
    let plan = geode::plan::<Names>(&OPENAI_STRICT).unwrap();
    assert!(plan.lifts.wrapped_root);
    let text = json!({"value": case.expect["roundtrip"]["model_text_for"]}).to_string();
    let names: Names = geode::json::Reader::read(&text, &plan.lifts).unwrap();
    assert_eq!(json!(names.0), case.expect["roundtrip"]["parsed_as"]);
    for wrapped in [geode::plan::<bool>(&OPENAI_STRICT), geode::plan::<Size>(&OPENAI_STRICT)] {
        assert!(wrapped.unwrap().lifts.wrapped_root);
    }
}

#[derive(StructuredOutput)]
#[serde(tag = "status", rename_all = "snake_case")]
#[allow(dead_code)]
enum Outcome {
    Done { ids: Vec<u32> },
    Failed { why: String },
}

case!(b07_a_root_that_is_a_union, "B07", Outcome);

#[derive(Debug, PartialEq, StructuredOutput)]
struct Prices {
    per_item: HashMap<String, u32>,
}

#[test]
fn b08_a_map_is_a_list_of_entries() {
    // Of the two ways out, ours is the second: a schema without open objects.
    let case = Case::load("B08").instead("either", 1);
    case.judge::<Prices>(&["parse_roundtrip", "not"]);
    let prices = case.expect["parse_roundtrip"]["value"]["per_item"].as_object().unwrap();
    let prices = prices.iter().map(|(name, price)| (name.clone(), price.as_u64().unwrap() as u32));
    let prices = Prices { per_item: prices.collect() };
    assert_eq!(geode::from_str::<Prices>(&geode::to_string(&prices)).unwrap(), prices);
    assert_eq!(case.expect["not"], json!({"only_empty_map_possible": true}));
    assert!(!prices.per_item.is_empty());
}

#[test]
fn b09_an_open_value_is_a_compile_error_at_its_field() {
    let case = Case::load("B09").instead("either", 0);
    let errors = include_str!("../../geode-derive/tests/ui/type/open_value.stderr");
    for text in texts(&case.expect["compile_error_contains"]) {
        assert!(errors.contains(&text), "{text}");
    }
    assert!(errors.contains("#[geode(json_text)]"), "the error doesn't say what to write");
}

#[derive(StructuredOutput)]
struct NoArgs {}

case!(b10_an_empty_object_is_closed, "B10", NoArgs);

#[derive(StructuredOutput)]
struct Integers {
    small: u8,
    big: u64,
    signed: i8,
}

case!(b11_widths_are_enforced_without_formats, "B11", Integers);

#[derive(StructuredOutput)]
struct Deck {
    #[validate(length(min = 8, max = 20))]
    cards: Vec<String>,
    #[validate(range(min = 0.0, max = 1.0))]
    score: f64,
}

case!(b12_what_stays_off_the_wire_is_enforced, "B12", Deck);

#[derive(StructuredOutput)]
struct Node {
    name: String,
    kids: Vec<Node>,
}

case!(b13_a_recursive_type_is_finite, "B13", Node);

#[derive(StructuredOutput)]
struct A {
    b: Option<Box<B>>,
}

#[derive(StructuredOutput)]
struct B {
    a: Vec<A>,
}

case!(b13c_types_that_name_each_other, "B13c", A);

#[derive(StructuredOutput)]
struct M {
    spot: (u32, u32),
    grid: [u8; 3],
    mixed: (String, bool),
}

#[test]
fn b15_tuples_are_objects_and_arrays_have_a_length() {
    let case = Case::load("B15");
    case.judge::<M>(&["parse_accepts_own_encoding", "parse_length_checked"]);
    let text = geode::to_string(&M { spot: (1, 2), grid: [3, 4, 5], mixed: ("a".to_owned(), true) });
    assert!(geode::from_str::<M>(&text).is_ok());
    let report = geode::from_str::<M>(&text.replace("[3,4,5]", "[3,4]")).err().unwrap();
    assert_eq!((report.violations()[0].pointer(), report.violations()[0].code().name()), ("/grid", "items"));
}

#[derive(StructuredOutput)]
struct Links {
    link: url::Url,
    id: uuid::Uuid,
    at: chrono::DateTime<chrono::Utc>,
}

case!(b16_formats_that_the_provider_takes, "B16", Links);

#[derive(StructuredOutput)]
struct Payload<T> {
    data: T,
}

#[derive(StructuredOutput)]
struct Foo {
    a: u8,
}

#[derive(StructuredOutput)]
struct Größe {
    a: u8,
}

#[test]
fn b18_names_are_legal_and_distinct() {
    let case = Case::load("B18");
    let expected = &case.expect["schema_name"];
    assert_eq!(expected["matches"], "^[a-zA-Z0-9_-]{1,64}$");
    assert_eq!(expected["distinct_for"].as_array().unwrap().len(), 3);
    let mut names = vec![
        name_of(Payload::<Vec<Foo>>::SHAPE),
        name_of(Payload::<Option<Foo>>::SHAPE),
        name_of(Payload::<Foo>::SHAPE),
        name_of(Größe::SHAPE),
        name_of(Payload::<Größe>::SHAPE),
    ];
    let legal = |name: &Cow<'static, str>| {
        (1..=64).contains(&name.len()) && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-')
    };
    assert!(names.iter().all(legal), "{names:?}");
    names.sort();
    names.dedup();
    assert_eq!(names.len(), 5, "{names:?}");
}

#[derive(StructuredOutput)]
struct Proof {
    steps: Vec<String>,
    final_answer: String,
    a_note: String,
}

#[test]
fn b19_properties_keep_their_order() {
    let case = Case::load("B19");
    case.judge::<Proof>(&["request_bytes_order"]);
    let plan = geode::plan::<Proof>(&OPENAI_STRICT).unwrap();
    let places =
        texts(&case.expect["request_bytes_order"]).into_iter().map(|name| plan.schema.get().find(&name).unwrap());
    assert!(places.collect::<Vec<_>>().is_sorted());
}

#[derive(StructuredOutput)]
struct Optional {
    a: Option<u8>,
    #[geode(plain)]
    #[serde(deserialize_with = "f")]
    b: Option<u8>,
    #[serde(default)]
    c: u8,
}

#[test]
fn b31_missing_is_not_null() {
    let case = Case::load("B31");
    let [full, empty] = case.expect["parse"].as_array().unwrap().as_slice() else { panic!("two texts") };
    assert!(geode::from_str::<Optional>(full["json"].as_str().unwrap()).is_ok());
    // "Either Ok or a documented error": docs/serde.md documents it.
    assert!(empty["note"].as_str().unwrap().contains("documented error"));
    let report = geode::from_str::<Optional>(empty["json"].as_str().unwrap()).err().unwrap();
    let found: Vec<&str> = report.violations().iter().map(|violation| violation.pointer()).collect();
    assert_eq!(found, ["/a", "/b", "/c"]);
    assert!(
        include_str!("../../docs/serde.md").contains("a missing property is a violation, be it optional or defaulted")
    );
}

#[derive(StructuredOutput)]
#[serde(rename_all = "snake_case")]
enum Only {
    TheOne,
}

#[derive(StructuredOutput)]
struct Constant {
    c: Only,
    m: Option<Only>,
}

case!(b64_one_variant_is_an_enum_of_one, "B64", Constant);

#[test]
fn schema_and_parser_accept_the_same_of_all() {
    assert_parity::<(Plan, Trip, Job, Order, Names, Outcome, Prices, NoArgs)>();
    assert_parity::<(Integers, Deck, Node, A, M, Links, Proof)>();
    assert_parity::<(Optional, Constant)>();
}
