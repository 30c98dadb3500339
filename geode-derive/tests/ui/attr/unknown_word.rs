use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(nmae = "ticket")]
struct Container {
    #[geode(patern = "^a$")]
    near: String,
    #[geode(minimum_wage = 3)]
    far: String,
    #[serde(renam = "b")]
    serde: String,
    #[schemars(lenght(min = 1))]
    schemars: String,
    #[validate(emial)]
    validate: String,
    #[garde(rnage(min = 1))]
    garde: u8,
}

#[derive(StructuredOutput)]
enum Variants {
    #[geode(falback)]
    Unknown,
    #[serde(oter)]
    Other,
    #[serde(unheard_of)]
    Unheard,
}

fn main() {}
