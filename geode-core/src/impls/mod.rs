//! [`StructuredOutput`](crate::StructuredOutput) for standard types, and for foreign ones behind features of their
//! crates' names.
//!
//! `usize` and `isize` count as 64 bits wide everywhere, so that a schema does not depend on the machine.

mod carrier;
mod collections;
mod numbers;
mod pointers;
mod products;
mod text;

#[cfg(feature = "base64")]
mod base64;
#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "rust_decimal")]
mod rust_decimal;
#[cfg(feature = "url")]
mod url;
#[cfg(feature = "uuid")]
mod uuid;

#[cfg(test)]
mod tests;

#[cfg(feature = "base64")]
pub use base64::Base64;

pub use carrier::{Json, Optional, Schemars, Text};
