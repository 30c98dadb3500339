//! JSON text to values and back: one strict reader, driven by the shape's own tables, and one writer.

mod reader;
pub mod stream;
mod writer;

pub use reader::{DONE, Fields, ReadOptions, Reader};
pub use writer::Writer;
