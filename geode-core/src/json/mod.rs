//! JSON text to values and back: one strict reader, driven by the shape's own tables, and one writer.
//!
//! What the reader takes and refuses, beyond RFC 8259:
//!
//! - repeated property names, text behind the value, lone surrogates, and nesting beyond the limit are violations;
//! - `1.0`, `1e2` and `-0` are integers, as they are to JSON Schema; big integers are exact;
//! - a number too large for its type is a violation, never infinity;
//! - a byte order mark in front is taken, and noted;
//! - white space is JSON's four characters, nothing else.

mod fault;
mod held;
mod locate;
mod number;
mod options;
mod reader;
mod scan;
pub mod stream;
mod writer;

#[cfg(feature = "client")]
pub(crate) use held::held_json;
pub use options::ReadOptions;
#[cfg(feature = "client")]
pub(crate) use reader::Ruled;
pub(crate) use reader::put;
pub use reader::{By, DONE, Distinct, Fields, Line, Place, Reader, Settle, Slot, Version, Via};
pub use writer::{Member, WriteBy, WriteVia, Writer};

use crate::output::StructuredOutput;
use crate::report::Report;

/// Reads a whole JSON text as a `T`, strictly.
///
/// # Errors
///
/// Every violation, where there is one.
pub fn from_str<T: StructuredOutput>(text: &str) -> Result<T, Report> {
    Reader::read(text, &ReadOptions::default())
}

/// Reads a whole JSON text, given as UTF-8 bytes, as a `T`, strictly.
///
/// # Errors
///
/// Every violation, where there is one; bytes that are not UTF-8 are a [`Syntax`](crate::report::Code::Syntax) violation.
pub fn from_slice<T: StructuredOutput>(bytes: &[u8]) -> Result<T, Report> {
    match std::str::from_utf8(bytes) {
        Ok(text) => from_str(text),
        Err(error) => Err(Report::not_utf8(error.valid_up_to())),
    }
}

/// Writes `value` in wire form, as compact JSON.
pub fn to_string<T: StructuredOutput>(value: &T) -> String {
    Writer::write(value)
}
