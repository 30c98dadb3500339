use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Fields {
    #[validate(custom(function = "even"))]
    custom: u8,
    #[validate(must_match(other = "custom"))]
    must_match: u8,
    #[validate(regex(path = *EXPRESSION))]
    regex: String,
    #[garde(contains("a"))]
    contains: String,
    #[garde(phone_number)]
    phone_number: String,
    #[garde(length(graphemes, max = 3))]
    graphemes: String,
    #[schemars(regex(path = EXPRESSION))]
    path: String,
}

fn main() {}
