use geode::StructuredOutput;

#[derive(StructuredOutput)]
union Bits {
    a: u8,
    b: u8,
}

fn main() {}
