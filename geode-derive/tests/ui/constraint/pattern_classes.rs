use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Classes {
    #[geode(pattern = "[]")]
    empty: String,
    #[geode(pattern = "[a")]
    unclosed: String,
    #[geode(pattern = "[a[b]]")]
    nested: String,
    #[geode(pattern = r"[\d-z]")]
    no_range: String,
    #[geode(pattern = "a]")]
    unopened: String,
}

fn main() {}
