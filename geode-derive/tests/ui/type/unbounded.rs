use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(bound())]
struct Unbounded<T> {
    value: T,
}

fn main() {}
