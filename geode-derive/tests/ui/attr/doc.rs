use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[doc = include_str!("doc.rs")]
struct Described {
    #[doc = concat!("of", " two")]
    told: u8,
    #[doc = concat!("of", " two")]
    #[geode(description = "of one")]
    both: u8,
    #[doc = concat!("of", " two")]
    #[serde(skip)]
    hidden: u8,
}

fn main() {}
