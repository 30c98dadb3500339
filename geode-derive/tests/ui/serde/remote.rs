use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[serde(remote = "Other")]
struct Mirror {
    a: u8,
}

fn main() {}
