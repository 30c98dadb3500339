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

#[derive(StructuredOutput, Clone)]
#[geode(try_from = u8, into = u8, version = "1")]
struct Score(#[geode(range(max = 9))] u8);

#[derive(StructuredOutput, Clone)]
#[geode(from = u8, into = u8, repr)]
enum Level {
    #[geode(rename = "low")]
    Low,
    High(#[geode(range(max = 9))] u8),
}

fn main() {}
