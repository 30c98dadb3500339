use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(range(min = 1))]
struct OnBoth(#[geode(range(max = 3))] u8);

#[derive(StructuredOutput)]
#[geode(range(min = 1))]
struct OnStruct {
    a: u8,
    b: u8,
}

#[derive(StructuredOutput)]
enum OnVariant {
    #[geode(length(min = 1))]
    A { a: String },
    B,
}

#[derive(StructuredOutput)]
struct OnWith {
    #[geode(with = module, range(min = 1))]
    a: u8,
}

fn main() {}
