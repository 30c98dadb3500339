use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[serde(rename_all = "camelcase")]
struct Near {
    a: u8,
}

#[derive(StructuredOutput)]
#[serde(rename_all = "Title Case")]
struct Far {
    a: u8,
}

#[derive(StructuredOutput)]
#[serde(rename_all_fields = "snake-case")]
enum Fields {
    A { a: u8 },
}

fn main() {}
