use geode::StructuredOutput;

#[derive(StructuredOutput)]
enum WithData {
    A,
    #[geode(fallback)]
    B(u8),
}

#[derive(StructuredOutput)]
enum Two {
    A,
    #[geode(fallback)]
    B,
    #[serde(other)]
    C,
}

#[derive(StructuredOutput)]
#[serde(untagged)]
enum Untagged {
    A(u8),
    #[serde(other)]
    B,
}

fn main() {}
