//! A tag, a version, a constraint or an example where no object, or no value, could hold it.

use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[serde(tag = "kind")]
struct TaggedNewtype(String);

#[derive(StructuredOutput)]
#[geode(length(max = 3))]
struct ConstrainedUnit;

#[derive(StructuredOutput)]
#[serde(tag = "kind")]
struct TagIsField {
    kind: String,
}

#[derive(StructuredOutput)]
#[geode(version = "1", tag = "schemaVersion")]
struct TagIsVersion {
    text: String,
}

#[derive(StructuredOutput)]
#[geode(example = "a")]
struct ExampleOfSeveral {
    text: String,
}

#[derive(StructuredOutput)]
#[geode(example = "a")]
enum ExampleOfMany {
    #[geode(example = "b")]
    A,
    B(String),
}

fn main() {}
