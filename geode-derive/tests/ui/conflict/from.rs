use geode::StructuredOutput;

#[derive(StructuredOutput, Clone)]
#[serde(from = "u8", try_from = "u8", into = "u8")]
struct Both(u8);

#[derive(StructuredOutput, Clone)]
#[serde(try_from = "u8")]
struct NoInto(u8);

#[derive(StructuredOutput, Clone)]
#[serde(from = "u8", into = "u16")]
struct Differ(u16);

fn main() {}
