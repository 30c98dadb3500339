use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Groups {
    #[geode(pattern = "(?<year>[0-9]{4})")]
    named: String,
    #[geode(pattern = "(?i)yes")]
    flags: String,
    #[geode(pattern = "a()")]
    empty: String,
    #[geode(pattern = "((((((((((((((((((((((((((((((((((a))))))))))))))))))))))))))))))))))")]
    deep: String,
}

fn main() {}
