use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Inner {
    #[geode(range(minimum = 1))]
    range: u8,
    #[geode(length(mn = 1))]
    length: String,
    #[geode(items(uniqe))]
    items: Vec<u8>,
    #[geode(inner(lenght(min = 1)))]
    inner: Vec<String>,
    #[serde(rename(serialise = "x"))]
    rename: u8,
}

fn main() {}
