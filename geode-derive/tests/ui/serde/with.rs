use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Fields {
    #[serde(with = "module")]
    with: u8,
    #[serde(deserialize_with = "function")]
    deserialize_with: u8,
    #[serde(serialize_with = "function")]
    serialize_with: u8,
    #[serde(getter = "function")]
    getter: u8,
}

#[derive(StructuredOutput)]
enum Variants {
    #[serde(with = "module")]
    A(u8),
}

fn main() {}
