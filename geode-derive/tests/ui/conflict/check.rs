use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(check_context = "u8")]
struct ContextAlone {
    a: u8,
}

fn main() {}
