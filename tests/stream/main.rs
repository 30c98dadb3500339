//! Answers that come in pieces: the push parser, its previews, early abort, and streamed calls.

mod pieces;
mod shapes;
