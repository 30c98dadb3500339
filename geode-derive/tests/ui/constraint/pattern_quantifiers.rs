use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Quantifiers {
    #[geode(pattern = "^*")]
    anchor: String,
    #[geode(pattern = "a++")]
    twice: String,
    #[geode(pattern = "{")]
    brace: String,
    #[geode(pattern = "a}")]
    closing: String,
    #[geode(pattern = "a{x}")]
    no_count: String,
    #[geode(pattern = "a{2,x}")]
    bad_count: String,
    #[geode(pattern = "a{3,2}")]
    reversed: String,
    #[geode(pattern = "a{2000}")]
    many: String,
    #[geode(pattern = r"(\p{L}{500}){500}")]
    heavy: String,
}

fn main() {}
