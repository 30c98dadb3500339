use geode::StructuredOutput;

const ONE: isize = 1;

#[derive(StructuredOutput)]
#[geode(repr)]
enum NotLiteral {
    A = ONE,
    B = 1 + 1,
}

#[derive(StructuredOutput)]
#[geode(repr)]
enum WithData {
    A(u8),
}

fn main() {}
