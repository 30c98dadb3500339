use geode::StructuredOutput;

struct Opaque;

#[derive(StructuredOutput)]
struct Fields {
    #[geode(as_string)]
    text: Opaque,
    #[geode(json_text)]
    json: Opaque,
    #[geode(with = missing)]
    with: Opaque,
}

fn main() {}
