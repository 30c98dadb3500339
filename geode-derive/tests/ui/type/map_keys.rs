use geode::StructuredOutput;

use std::collections::BTreeMap;

#[derive(StructuredOutput, PartialEq, Eq, PartialOrd, Ord)]
struct Point {
    x: i32,
}

#[derive(StructuredOutput)]
struct Maps {
    by_text: BTreeMap<String, u8>,
    by_point: BTreeMap<Point, u8>,
    by_list: BTreeMap<Vec<u8>, u8>,
}

fn main() {}
