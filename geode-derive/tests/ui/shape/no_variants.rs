use geode::StructuredOutput;

#[derive(StructuredOutput)]
enum Never {}

#[derive(StructuredOutput)]
enum AllSkipped {
    #[serde(skip)]
    A,
}

#[derive(StructuredOutput)]
enum OnlyFallback {
    #[serde(other)]
    A,
}

fn main() {}
