use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Fields {
    a: u8,
    #[serde(rename = "a")]
    b: u8,
}

#[derive(StructuredOutput)]
#[serde(rename_all = "camelCase")]
struct ByRule {
    user_id: u8,
    userId: u8,
}

#[derive(StructuredOutput)]
struct Aliases {
    a: u8,
    #[serde(alias = "a")]
    b: u8,
}

#[derive(StructuredOutput)]
#[serde(rename_all = "lowercase")]
enum Variants {
    Ab,
    AB,
    #[serde(alias = "ab")]
    C,
}

fn main() {}
