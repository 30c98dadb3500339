use geode::StructuredOutput;

use std::collections::BTreeMap;

#[derive(StructuredOutput)]
struct Part {
    a: u8,
}

#[derive(StructuredOutput)]
#[serde(untagged)]
enum Untagged {
    A { b: u8 },
}

#[derive(StructuredOutput)]
struct Scalar {
    #[serde(flatten)]
    part: u8,
}

#[derive(StructuredOutput)]
struct Map {
    #[serde(flatten)]
    part: BTreeMap<String, u8>,
}

#[derive(StructuredOutput)]
struct Maybe {
    #[serde(flatten)]
    part: Option<Part>,
}

#[derive(StructuredOutput)]
struct NoTag {
    #[serde(flatten)]
    part: Untagged,
}

#[derive(StructuredOutput)]
struct Collides {
    a: u8,
    #[serde(flatten)]
    part: Part,
}

#[derive(StructuredOutput)]
struct Twice {
    #[serde(flatten)]
    one: Part,
    #[serde(flatten)]
    two: Part,
}

fn main() {}
