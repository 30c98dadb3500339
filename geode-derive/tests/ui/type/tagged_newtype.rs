use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[serde(tag = "kind")]
enum Tagged {
    Text(String),
    List(Vec<u8>),
    Maybe(Option<Part>),
    Part(Part),
}

#[derive(StructuredOutput)]
struct Part {
    a: u8,
}

fn main() {}
