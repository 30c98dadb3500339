use geode::StructuredOutput;

fn example() -> u8 {
    3
}

const EXAMPLE: &str = "a";

#[derive(StructuredOutput)]
#[schemars(example = Fields::default(), transform = change)]
struct Fields {
    #[schemars(example = example())]
    call: u8,
    #[schemars(example = EXAMPLE)]
    constant: String,
    #[schemars(example = &"a", extend("x-order" = 1, "pattern" = "^a$", "title" = "b"))]
    extend: String,
    #[schemars(with = "String")]
    with: u8,
    #[schemars(schema_with = "function")]
    schema_with: u8,
    // What has been looked at, and is told to be no matter of geode's.
    #[geode(plain)]
    #[schemars(example = example(), extend("format" = "textarea"), transform = change)]
    plain: u8,
    #[geode(example = 3)]
    #[schemars(example = example())]
    own: u8,
}

#[derive(StructuredOutput)]
#[schemars(extend("maxProperties" = 3))]
enum Choice {
    #[schemars(transform = change)]
    A(u8),
    B { b: u8 },
}

fn main() {}
