use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Fields {
    #[serde(as_string)]
    as_string: u8,
    #[schemars(format = "email")]
    format: String,
    #[serde(pattern = "^a$")]
    pattern: String,
}

fn main() {}
