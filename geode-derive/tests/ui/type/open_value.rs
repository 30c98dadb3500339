use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Open {
    value: serde_json::Value,
}

fn main() {}
