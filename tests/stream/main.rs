//! Answers that come in pieces: the push parser, its previews, early abort, and streamed calls.

mod calls;
mod fixtures;
mod partial;
mod pieces;
mod shapes;
mod socket;
mod tool_mode;
