use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Fields {
    #[geode(range(min = 1))]
    range: String,
    #[geode(multiple_of = 2)]
    multiple_of: bool,
    #[geode(length(min = 1))]
    length: u8,
    #[geode(pattern = "^a")]
    pattern: Vec<String>,
    #[geode(format = "email")]
    format: u8,
    #[geode(items(min = 1))]
    items: String,
    #[geode(items(unique))]
    unique: String,
    #[geode(inner(length(min = 1)))]
    inner: Option<String>,
    #[geode(inner(range(min = 1)))]
    inner_range: Vec<String>,
    #[geode(const = "a")]
    constant: Vec<u8>,
}

#[derive(StructuredOutput)]
#[geode(range(min = 1))]
struct Newtype(String);

#[derive(StructuredOutput)]
enum Choice {
    A(#[geode(length(min = 1))] u8),
}

fn main() {}
