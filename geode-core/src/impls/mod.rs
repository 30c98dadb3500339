//! [`StructuredOutput`](crate::StructuredOutput) for standard types.
//!
//! `usize` and `isize` count as 64 bits wide everywhere, so that a schema does not depend on the machine.

mod carrier;
mod collections;
mod numbers;
mod pointers;
mod products;
mod text;

#[cfg(test)]
mod tests;

pub use carrier::{Carrier, Json, Optional, Text};
