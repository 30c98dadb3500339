use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Level(u8);

#[derive(StructuredOutput)]
struct Fields {
    #[geode(default)]
    level: Level,
    #[geode(skip)]
    hidden: Level,
}

#[derive(StructuredOutput)]
#[serde(default)]
struct Whole {
    level: Level,
    count: u8,
}

fn main() {}
