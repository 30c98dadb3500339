use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Part {}

#[derive(StructuredOutput)]
struct Whole {
    #[serde(flatten, rename = "x")]
    rename: Part,
    #[serde(flatten, alias = "y")]
    alias: Part,
    #[serde(flatten, default)]
    default: Part,
    #[serde(flatten)]
    #[geode(range(min = 1))]
    range: Part,
    #[serde(flatten)]
    #[geode(as_string)]
    carrier: Part,
}

fn main() {}
