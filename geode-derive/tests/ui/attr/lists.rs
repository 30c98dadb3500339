//! Words that take a list, a value or nothing, written as one of the others.

use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Fields {
    #[geode(const)]
    constant: u8,
    #[geode(const("a"))]
    constant_list: String,
    #[geode(range = 3)]
    range: u8,
    #[geode(items(unique = true))]
    unique: Vec<u8>,
    #[geode(inner(regex = "a", const))]
    inner: Vec<String>,
    #[geode(as_string = "a")]
    as_string: u8,
    #[schemars(extend)]
    extend: u8,
    #[schemars(extend("x-order": 1))]
    extend_grammar: u8,
    #[geode(recursive(true))]
    recursive: Vec<u8>,
}

#[derive(StructuredOutput)]
#[geode(untagged = true, bound = 3)]
enum Choice {
    A(u8),
    B(String),
}

#[derive(StructuredOutput)]
#[geode(bound = "T Clone")]
struct Bound<T> {
    value: T,
}

fn main() {}
