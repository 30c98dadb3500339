use geode::StructuredOutput;

#[derive(StructuredOutput, Clone)]
#[serde(try_from = "u8", into = "u8")]
struct Converted(u8);

fn main() {}
