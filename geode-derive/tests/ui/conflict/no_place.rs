//! A tag, a version or a constraint where no object, or no value, could hold it.

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

fn main() {}
