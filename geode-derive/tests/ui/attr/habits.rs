//! Words of JSON Schema and of other derives.

use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(strict, desc = "A thing.")]
struct Thing {
    #[geode(min = 1, maximum = 9, gt = 0)]
    number: u8,
    #[geode(max_length = 3, regex = "^a$", uuid, values = ["a"])]
    text: String,
    #[geode(min_items = 1, unique, each(length(min = 1)))]
    list: Vec<String>,
    #[geode(required, validate(length(min = 1)), ignore)]
    other: Option<String>,
    #[geode(length = 3)]
    length: String,
}

fn main() {}
