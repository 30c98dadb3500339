use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(flatten)]
struct Container {
    #[geode(tag = "kind")]
    tag: u8,
    #[geode(rename_all = "camelCase")]
    rename_all: u8,
    #[geode(fallback)]
    fallback: u8,
    #[geode(version = "2")]
    version: u8,
}

#[derive(StructuredOutput)]
#[geode(transparent)]
enum Choice {
    #[geode(recursive)]
    A,
    #[serde(flatten)]
    B,
}

fn main() {}
