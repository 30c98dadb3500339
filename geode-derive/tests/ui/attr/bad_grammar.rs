use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode]
struct NoList {
    a: u8,
}

#[derive(StructuredOutput)]
#[geode = "name"]
struct Pair {
    a: u8,
}

#[derive(StructuredOutput)]
struct Grammar {
    #[geode(rename "a")]
    comma: u8,
    #[geode(rename = "a" range(min = 1))]
    missing_comma: u8,
    #[geode("rename")]
    literal: u8,
    #[schemars(!default)]
    taken_back: u8,
}

fn main() {}
