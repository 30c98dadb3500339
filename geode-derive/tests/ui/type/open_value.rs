use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Loose {
    stuff: serde_json::Value,
    more: Option<serde_json::Value>,
}

fn main() {}
