use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(version = "1")]
struct V1 {
    text: String,
}

#[derive(StructuredOutput)]
#[geode(versions)]
enum Any {
    V1(V1),
}

#[derive(StructuredOutput)]
struct Holder {
    #[geode(flatten)]
    any: Any,
}

fn main() {}
