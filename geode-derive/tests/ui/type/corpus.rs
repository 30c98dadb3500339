// The types of the corpus that can't be: `tests/corpus` names them, with these reasons.
use std::collections::HashMap;

use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct TicketPatch {
    heading: Option<String>,
    #[schemars(description = "Parent ticket. Pass null to detach.")]
    parent: Option<Option<u128>>,
}

#[derive(StructuredOutput)]
struct GadgetPatch {
    #[geode(plain)]
    #[serde(default, deserialize_with = "double_option")]
    #[schemars(extend("x-tri-state" = true))]
    permitted: Option<Option<Vec<String>>>,
    added: Option<Vec<String>>,
}

#[derive(StructuredOutput)]
struct Open_ {
    name: String,
    #[serde(flatten)]
    rest: HashMap<String, String>,
}

fn main() {}
