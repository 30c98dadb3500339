use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Borrowed<'a> {
    text: &'a str,
}

fn main() {}
