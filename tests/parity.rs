//! Schema and parser accept the same, over types of every kind.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

use geode::StructuredOutput;
use geode::testing::parity;

/// One step.
#[derive(StructuredOutput)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Internal {
    Walk { metres: u32 },
    Wait,
    Nested(Point),
}

#[derive(StructuredOutput)]
enum External {
    Nothing,
    Empty,
    One(u8),
    Point { x: i16, y: Option<i64> },
    Many(Vec<Point>),
}

#[derive(StructuredOutput)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Nothing,
    One(String),
    Point { x: f64 },
}

#[derive(StructuredOutput)]
#[serde(untagged)]
enum Untagged {
    Text(String),
    Whole(i32),
    Point(Point),
    List(Vec<bool>),
}

#[derive(StructuredOutput)]
struct Point {
    x: i32,
    y: i32,
}

#[derive(StructuredOutput)]
#[serde(rename_all = "kebab-case")]
enum Colour {
    /// Like blood.
    DarkRed,
    Green,
}

#[derive(StructuredOutput)]
struct Constrained {
    #[geode(length(min = 2, max = 5))]
    short: String,
    #[geode(pattern = "^[A-Z]{3}-[0-9]+$")]
    code: String,
    #[geode(format = "date-time")]
    at: String,
    #[geode(format = "email")]
    mail: Option<String>,
    #[geode(range(min = 0.0, max = 1.0))]
    confidence: f64,
    #[geode(range(min = 3, max = 9))]
    small: u8,
    #[geode(multiple_of = 5)]
    step: i32,
    #[geode(items(min = 1, max = 3))]
    list: Vec<Colour>,
    #[geode(const = "EUR")]
    currency: String,
    #[geode(const = "EUR")]
    maybe: Option<String>,
    #[geode(const = 3, range(max = 5))]
    number: Option<Box<u8>>,
    #[geode(const = "Green")]
    colour: Option<Colour3>,
    #[geode(items(min = 1, unique), inner(range(max = 5)))]
    distinct: Option<Vec<u8>>,
    #[geode(pattern = "^a")]
    boxed: Option<Box<str>>,
}

#[derive(StructuredOutput)]
enum Colour3 {
    Red,
    Green,
}

#[derive(StructuredOutput)]
struct Containers {
    map: BTreeMap<String, u8>,
    set: BTreeSet<Colour2>,
    pair: (u8, String),
    array: [i8; 3],
    option: Option<Colour>,
    unit_option: Option<External>,
    list: Vec<Option<Point>>,
}

#[derive(StructuredOutput, PartialEq, Eq, PartialOrd, Ord)]
enum Colour2 {
    A,
    B,
    C,
}

#[derive(StructuredOutput)]
struct Flattened {
    id: u64,
    #[serde(flatten)]
    point: Point,
    #[serde(flatten)]
    step: Internal2,
    last: bool,
}

#[derive(StructuredOutput)]
#[serde(tag = "how")]
enum Internal2 {
    A { a: u8 },
    B { b: Option<String> },
}

#[derive(StructuredOutput)]
struct Tree {
    label: String,
    kids: Vec<Tree>,
    next: Option<Box<Tree>>,
}

#[derive(StructuredOutput)]
struct Numbers {
    a: i8,
    b: u8,
    c: i16,
    d: u16,
    e: i32,
    f: u32,
    g: i64,
    h: u64,
    i: f32,
    j: f64,
    k: std::num::NonZeroU32,
    l: char,
    m: bool,
}

/// What std has besides.
#[derive(StructuredOutput)]
struct Std {
    wide: u128,
    signed: i128,
    not_zero: std::num::NonZeroI8,
    queue: VecDeque<u8>,
    slice: Box<[bool]>,
    text: Box<str>,
    counted: Rc<str>,
    shared: Arc<Point>,
    borrowed: Cow<'static, str>,
    by_number: HashMap<i8, Colour>,
    words: HashSet<String>,
    result: Result<u8, String>,
    marker: PhantomData<Point>,
}

#[derive(StructuredOutput)]
struct Unit;

#[derive(StructuredOutput)]
struct Empty {}

#[derive(StructuredOutput)]
struct Positional(u8, Option<String>);

#[derive(StructuredOutput)]
struct Newtype(#[geode(length(min = 1))] String);

#[derive(StructuredOutput)]
struct Fixed(#[geode(const = "EUR")] Option<String>);

#[derive(StructuredOutput)]
#[geode(version = "1")]
struct First {
    text: String,
    point: Option<Point>,
}

#[derive(StructuredOutput)]
#[geode(version = "2")]
struct Second {
    text: String,
    points: Vec<Point>,
}

#[derive(StructuredOutput)]
#[geode(versions)]
enum Versions {
    First(First),
    /// With more points.
    Second(Second),
}

impl From<First> for Second {
    fn from(first: First) -> Self {
        Second { text: first.text, points: Vec::from_iter(first.point) }
    }
}

/// Texts for each type; `PARITY_TEXTS` asks for more.
fn texts() -> usize {
    std::env::var("PARITY_TEXTS").ok().and_then(|count| count.parse().ok()).unwrap_or(3_000)
}

macro_rules! parity_of {
    ($($type:ty),+ $(,)?) => {{
        let mut differences = Vec::new();
        $(match parity::<$type>(texts(), 1) {
            Ok(count) => println!("{}: {count:?}", stringify!($type)),
            Err(difference) => differences.push(format!("{}: {difference}", stringify!($type))),
        })+
        assert!(differences.is_empty(), "{}", differences.join("\n\n"));
    }};
}

#[test]
fn schema_and_parser_accept_the_same() {
    parity_of!(
        Internal, External, Adjacent, Untagged, Point, Colour, Constrained, Containers, Flattened, Tree, Numbers, Std, Newtype, Fixed,
        Unit, Empty, Positional,
        Versions, Option<Versions>,
        Vec<String>, Option<u8>, bool, u64, i64, f64, f32, String, (), (u8, bool), [bool; 2], BTreeMap<u8, bool>,
        BTreeSet<i8>, Vec<Vec<Colour>>, Box<Point>, std::net::IpAddr, std::time::Duration, std::path::PathBuf,
    );
}
