use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(name = "a", title = "b")]
struct Twice {
    #[geode(rename = "c")]
    #[serde(rename = "d")]
    rename: u8,
    #[geode(range(min = 1, min = 2))]
    range: u8,
    #[geode(length(min = 1))]
    #[schemars(length(min = 2))]
    length: String,
    #[geode(as_string, json_text)]
    carrier: u8,
}

#[derive(StructuredOutput)]
#[geode(check = one, check = other, bound(T: Clone), bound(T: Copy))]
struct Rules<T> {
    value: T,
}

fn main() {}
