use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(version = "1")]
struct V1 {
    text: String,
}

#[derive(StructuredOutput)]
#[geode(versions)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Tagged {
    V1(V1),
}

#[derive(StructuredOutput)]
#[geode(versions)]
enum Variants {
    Nothing,
    Two(V1, V1),
    Named { of: V1 },
    #[geode(rename = "one", alias = "first")]
    Renamed(V1),
    #[geode(fallback)]
    Unknown,
}

#[derive(StructuredOutput)]
#[geode(try_latest)]
enum Alone {
    V1(V1),
}

#[derive(StructuredOutput)]
#[geode(versions)]
struct NotAnEnum {
    of: V1,
}

#[derive(StructuredOutput)]
#[geode(versions)]
enum Empty {}

fn main() {}
