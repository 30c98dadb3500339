use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Bytes {
    #[garde(length(max = 10))]
    text: String,
    #[garde(length(min = 1))]
    not_empty: String,
    #[garde(length(max = 10))]
    list: Vec<u8>,
}

fn main() {}
