// Without geode's feature `schemars`.
use geode::StructuredOutput;

struct Opaque;

#[derive(StructuredOutput)]
struct Fields {
    #[geode(schemars)]
    carried: Opaque,
}

#[derive(StructuredOutput)]
#[geode(json_schema)]
struct Described {
    text: String,
}

#[derive(StructuredOutput)]
struct Constrained {
    #[geode(schemars, length(max = 3))]
    short: Vec<u8>,
}

fn main() {}
