use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(nam = "x", version = 2)]
#[serde(rename_all = "camel")]
struct Several {
    #[geode(range(min = 3, max = 1))]
    range: u8,
    #[serde(with = "module")]
    with: u8,
    #[geode(rename = "range")]
    twice: u8,
}

fn main() {}
