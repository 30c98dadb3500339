use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Formats {
    #[geode(format = "e-mail")]
    near: String,
    #[geode(format = "phone")]
    far: String,
}

fn main() {}
