//! What is checked while compiling: limits and locks. A check that fails is a panic, so that it can be watched here.

use geode::StructuredOutput;
use geode::dialect::{ANTHROPIC, Dialect, GEMINI, OPENAI_STRICT};
use geode::shape::Sizes;

/// A support ticket.
#[derive(StructuredOutput)]
struct Ticket {
    /// What it is about.
    topic: Topic,
    note: Option<String>,
    answers: Vec<Answer>,
}

#[derive(StructuredOutput)]
enum Topic {
    Billing,
    Other,
}

#[derive(StructuredOutput)]
#[serde(tag = "kind")]
enum Answer {
    Text { text: String },
    Nothing,
}

geode::assert_fits!(Ticket: OPENAI_STRICT, ANTHROPIC, GEMINI, LOCAL);
geode::assert_fits!(Vec<Ticket>: PLAIN);
geode::lock!(Ticket, "tests/compile_time/schemas/ticket.json");

#[test]
fn the_lock_holds_the_whole_schema() {
    geode::testing::lock::<Ticket>("tests/compile_time/schemas/ticket.json");
}

#[test]
#[should_panic(expected = "no longer equals its lock")]
fn another_type_does_not_equal_the_lock() {
    let lock = include_str!("schemas/ticket.json");
    geode::__private::check_lock(Answer::SHAPE, lock, "`Answer` no longer equals its lock");
}

#[test]
fn sizes_are_counted_at_compile_time() {
    const SIZES: Sizes = Sizes::of(Ticket::SHAPE);
    // Ticket and its answers; topic, note, answers, kind, text, kind; Billing, Other, Text, Nothing.
    assert_eq!((SIZES.depth, SIZES.properties, SIZES.enum_values), (2, 6, 4));
    assert_eq!((SIZES.nullable, SIZES.unions), (1, 1));
}

macro_rules! nested {
    ($outer:ident $inner:ident $($rest:ident)*) => {
        #[derive(StructuredOutput)]
        struct $outer { inner: $inner }
        nested!($inner $($rest)*);
    };
    ($last:ident) => {
        #[derive(StructuredOutput)]
        struct $last { last: bool }
    };
}

nested!(L1 L2 L3 L4 L5 L6 L7 L8 L9 L10 L11);

fn fits<T: StructuredOutput>(dialect: &Dialect) {
    geode::__private::assert_fits(T::SHAPE, "T", dialect);
}

#[test]
fn ten_levels_fit() {
    fits::<L2>(&OPENAI_STRICT);
    fits::<L1>(&GEMINI);
    assert!(geode::plan::<L2>(&OPENAI_STRICT).is_ok());
}

#[test]
#[should_panic(
    expected = "`T` does not fit OPENAI_STRICT: it has 11 levels of nested objects, and OpenAI takes at most 10"
)]
fn eleven_levels_do_not_fit() {
    assert_eq!(geode::plan::<L1>(&OPENAI_STRICT).unwrap_err().breaches()[0].keyword, "depth");
    fits::<L1>(&OPENAI_STRICT);
}

type Ten = [Option<u8>; 1];

#[derive(StructuredOutput)]
#[rustfmt::skip]
struct Form {
    a: Option<u8>, b: Option<u8>, c: Option<u8>, d: Option<u8>, e: Option<u8>, f: Option<u8>, g: Option<u8>, h: Option<u8>,
    i: Option<u8>, j: Option<u8>, k: Option<u8>, l: Option<u8>, m: Option<u8>, n: Option<u8>, o: Option<u8>, p: Option<u8>,
    q: Option<u8>, r: Option<u8>, s: Option<u8>, t: Option<u8>, u: Option<u8>, v: Option<u8>, w: Option<u8>, x: Option<u8>,
}

#[derive(StructuredOutput)]
struct Forms {
    one: Form,
    two: Other,
}

#[derive(StructuredOutput)]
#[rustfmt::skip]
struct Other {
    a: Option<i8>, b: Option<i8>, c: Option<i8>, d: Option<i8>, e: Option<i8>, f: Option<i8>, g: Option<i8>, h: Option<i8>,
    i: Option<i8>, j: Option<i8>, k: Option<i8>, l: Option<i8>, m: Option<i8>, n: Option<i8>, list: Vec<Ten>,
}

#[test]
fn options_are_absent_then_nullable_within_the_budget() {
    fits::<Form>(&ANTHROPIC);
    let plan = geode::plan::<Form>(&ANTHROPIC).unwrap();
    assert_eq!(plan.schema.get().matches("anyOf").count(), 1);
    assert!(plan.lifts.absent_is_null);
}

#[test]
#[should_panic(expected = "it has 16 unions")]
fn options_beyond_both_budgets_do_not_fit() {
    let refused = geode::plan::<Forms>(&ANTHROPIC).unwrap_err();
    assert!(refused.breaches()[0].rule.contains("at most 15 unions"), "{refused:?}");
    fits::<Forms>(&ANTHROPIC);
}

#[derive(StructuredOutput)]
#[rustfmt::skip]
struct Shared {
    a: Topics, b: Topics, c: Topics, d: Topics, e: Topics, f: Topics, g: Topics, h: Topics, i: Topics, j: Topics, k: Topics,
    l: Topics, m: Topics, n: Topics, o: Topics, p: Topics,
}

#[derive(StructuredOutput)]
struct Topics {
    either: Answer,
}

/// A `const` can't tell that sixteen unions are one definition: `plan` can.
#[test]
#[should_panic(expected = "it has 16 unions")]
fn a_shared_type_counts_wherever_it_stands() {
    assert!(geode::plan::<Shared>(&ANTHROPIC).is_ok());
    fits::<Shared>(&ANTHROPIC);
}
