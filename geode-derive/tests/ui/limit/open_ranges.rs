//! Limits that leave no number, where one of them doesn't count itself.

use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Ranges {
    #[geode(range(min = 3, exclusive_max = 3))]
    lower: u8,
    #[geode(range(exclusive_min = 1, max = 1.0))]
    upper: f64,
    #[geode(range(exclusive_min = 2.5, exclusive_max = 2.5))]
    both: f64,
    #[geode(range(min = 3, max = 3))]
    one: u8,
}

fn main() {}
