use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Fields {
    twice: Option<Option<String>>,
    unit: Option<()>,
    inside: Vec<Option<Option<u8>>>,
    named: Option<MaybeText>,
}

#[derive(StructuredOutput)]
struct MaybeText(Option<String>);

#[derive(StructuredOutput)]
enum Choice {
    A(Option<Option<u8>>),
}

fn main() {}
