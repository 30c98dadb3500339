use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(name = 3, description)]
struct Values {
    #[geode(rename = name)]
    rename: u8,
    #[geode(range(min = "low", max = LIMIT))]
    range: u8,
    #[geode(length(min = -1))]
    length: String,
    #[geode(items(max = 1.5))]
    items: Vec<u8>,
    #[geode(multiple_of = half)]
    multiple_of: f64,
    #[geode(pattern)]
    pattern: String,
    #[geode(const = Level::High)]
    constant: u8,
    #[geode(example = String::new())]
    example: String,
    #[geode(flatten = true)]
    flatten: u8,
    #[geode(with = 3)]
    with: u8,
    #[geode(default = 3)]
    default: u8,
    #[geode(range)]
    bare: u8,
    #[geode(example)]
    nothing: u8,
}

#[derive(StructuredOutput)]
#[geode(try_from)]
struct NoType(u8);

fn main() {}
