use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[serde(transparent)]
struct Two {
    a: u8,
    b: u8,
}

#[derive(StructuredOutput)]
#[serde(transparent)]
struct Nothing {
    #[serde(skip)]
    a: u8,
}

#[derive(StructuredOutput)]
#[serde(transparent)]
struct Flattened {
    #[serde(flatten)]
    a: u8,
}

fn main() {}
