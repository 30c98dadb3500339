use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Ranges {
    #[geode(range(min = 3, max = 1))]
    range: u8,
    #[geode(range(exclusive_min = 1.5, exclusive_max = -1.5))]
    exclusive: f64,
    #[geode(length(min = 2, max = 1))]
    length: String,
    #[geode(items(min = 2, max = 1))]
    items: Vec<u8>,
}

fn main() {}
