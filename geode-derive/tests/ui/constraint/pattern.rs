use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Patterns {
    #[geode(pattern = "(")]
    unclosed: String,
    #[geode(pattern = "a)")]
    unopened: String,
    #[geode(pattern = "*a")]
    nothing_repeated: String,
    #[geode(pattern = "[z-a]")]
    reversed: String,
    #[geode(pattern = "(?=a)")]
    lookahead: String,
    #[geode(pattern = r"(a)\1")]
    backreference: String,
}

fn main() {}
