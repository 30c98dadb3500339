//! Types whose wire form is another's, or that borrow.

use std::borrow::Cow;

use geode::{Partial, StructuredOutput};

#[derive(Clone, StructuredOutput, Partial)]
#[serde(from = "String", into = "String")]
struct Converted(String);

impl From<String> for Converted {
    fn from(text: String) -> Self {
        Converted(text)
    }
}

impl From<Converted> for String {
    fn from(converted: Converted) -> Self {
        converted.0
    }
}

#[derive(StructuredOutput, Partial)]
struct Borrowing<'a> {
    text: Cow<'a, str>,
}

fn main() {}
