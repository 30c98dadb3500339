use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Raw {
    n: u8,
}

#[derive(StructuredOutput, Clone)]
#[serde(try_from = "Raw", into = "Raw")]
struct NoConversions(u8);

fn main() {}
