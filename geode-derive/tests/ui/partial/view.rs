//! Types that have no partial view, each told what to write instead.

use geode::{Partial, StructuredOutput};

#[derive(StructuredOutput, Partial)]
#[serde(untagged)]
enum Payment {
    Card { last4: String },
    Cash,
}

#[derive(StructuredOutput, Partial)]
#[serde(tag = "by")]
enum Delivery {
    Parcel { weight: u32 },
    #[serde(untagged)]
    Letter { stamps: u32 },
}

#[derive(StructuredOutput, Partial)]
enum Nothing {
    Held {},
}

#[derive(StructuredOutput, Partial)]
struct Pair(u32, u32);

#[derive(StructuredOutput)]
struct Plain {
    text: String,
}

#[derive(StructuredOutput, Partial)]
struct Holder {
    plain: Plain,
    #[partial(raw)]
    text: String,
}

#[derive(StructuredOutput, Partial)]
struct Other {
    plain: Plain,
}

fn main() {}
