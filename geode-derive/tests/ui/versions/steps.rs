use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(version = "1")]
struct V1 {
    text: String,
}

#[derive(StructuredOutput)]
#[geode(version = "2")]
struct V2 {
    text: String,
}

#[derive(StructuredOutput)]
#[geode(version = "3")]
struct V3 {
    text: String,
}

impl From<V2> for V3 {
    fn from(old: V2) -> Self {
        V3 { text: old.text }
    }
}

#[derive(StructuredOutput)]
#[geode(versions)]
enum Missing {
    V1(V1),
    V2(V2),
    V3(V3),
}

#[derive(StructuredOutput)]
#[geode(versions, try_latest)]
enum TryMissing {
    V1(V1),
    V2(V2),
    V3(V3),
}

fn main() {}
