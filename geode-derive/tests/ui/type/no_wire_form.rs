use geode::StructuredOutput;

struct Foreign;

#[derive(StructuredOutput)]
struct Fields {
    own: Foreign,
    listed: Vec<Foreign>,
}

#[derive(StructuredOutput)]
enum Choice {
    Newtype(Foreign),
    Fields { a: Foreign },
}

#[derive(StructuredOutput)]
struct Newtype(Foreign);

fn main() {}
