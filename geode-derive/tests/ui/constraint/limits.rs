use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Limits {
    #[geode(range(max = 256))]
    above: u8,
    #[geode(range(min = -1))]
    below: u16,
    #[geode(multiple_of = 0)]
    zero: u8,
    #[geode(multiple_of = -0.5)]
    negative: f64,
}

fn main() {}
