use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Tuple {
    pair: (u8, Option<Option<u8>>),
}

#[derive(StructuredOutput)]
struct Deep {
    fine: Vec<(u8, Option<(bool, Option<u8>)>)>,
    pairs: Vec<(u8, Option<(bool, Option<()>)>)>,
}

#[derive(StructuredOutput)]
struct Outcome {
    outcome: Result<u8, Vec<Option<Option<u8>>>>,
}

#[derive(StructuredOutput)]
struct Keyed {
    keyed: (std::collections::BTreeMap<(u8, u8), u8>, u8),
}

fn main() {}
