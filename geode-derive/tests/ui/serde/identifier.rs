use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[serde(field_identifier)]
enum Name {
    A,
}

fn main() {}
