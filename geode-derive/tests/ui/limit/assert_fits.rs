//! What a dialect can't take of a type, at the type.

use geode::StructuredOutput;

#[derive(StructuredOutput)]
struct Comment {
    text: String,
    answers: Vec<Comment>,
}

macro_rules! nested {
    ($outer:ident $inner:ident $($rest:ident)*) => {
        #[derive(StructuredOutput)]
        struct $outer { inner: $inner }
        nested!($inner $($rest)*);
    };
    ($last:ident) => {
        #[derive(StructuredOutput)]
        struct $last { last: bool }
    };
}

nested!(L1 L2 L3 L4 L5 L6 L7 L8 L9 L10 L11);

geode::assert_fits!(L2: OPENAI_STRICT, GEMINI);
geode::assert_fits!(L1: GEMINI, OPENAI_STRICT);
geode::assert_fits!(L1: OPENAI);

fn main() {
    let _ = <Comment as StructuredOutput>::SHAPE;
}
