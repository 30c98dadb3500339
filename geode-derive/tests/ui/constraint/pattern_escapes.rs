use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Escapes {
    #[geode(pattern = r"\bword\b")]
    word: String,
    #[geode(pattern = r"a\-b")]
    dash: String,
    #[geode(pattern = r"\u{1F600}")]
    braces: String,
    #[geode(pattern = "a\\")]
    nothing: String,
    #[geode(pattern = r"\q")]
    unknown: String,
    #[geode(pattern = r"\x1")]
    digits: String,
    #[geode(pattern = r"\uD800")]
    surrogate: String,
    #[geode(pattern = r"\p{Klingon}")]
    property: String,
}

fn main() {}
