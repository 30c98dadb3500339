use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(version = "2")]
struct Taken {
    #[serde(rename = "schemaVersion")]
    version: String,
}

#[derive(StructuredOutput)]
#[geode(version = "2")]
struct Newtype(String);

#[derive(StructuredOutput)]
#[geode(version = "2")]
struct Unit;

#[derive(StructuredOutput)]
#[geode(version = "2")]
enum Choice {
    A,
}

fn main() {}
