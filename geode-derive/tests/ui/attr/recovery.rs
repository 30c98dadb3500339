//! A word that can't be read hides none of the others.

use geode::StructuredOutput;

#[derive(StructuredOutput)]
#[geode(name "ticket", rename_al = "camelCase", 3, version = )]
struct Several {
    #[geode(range(min 1, maximum = 3), patern = "^a$")]
    range: u8,
    #[geode(length(min = 1 max = 2) flaten)]
    length: String,
}

fn main() {}
