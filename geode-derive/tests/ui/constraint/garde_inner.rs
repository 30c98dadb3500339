//! garde's `inner` speaks of what is inside of an `Option`, too.

use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Inner {
    #[garde(length(chars, min = 2), inner(length(chars, max = 3)))]
    both: Option<String>,
    #[garde(inner(length(chars, max = 3)))]
    one: Option<String>,
}

fn main() {}
