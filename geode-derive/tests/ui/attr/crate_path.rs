use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(crate = geode)]
struct Relative {
    a: u8,
}

fn main() {}
