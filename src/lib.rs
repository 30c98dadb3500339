//! Derive a Rust type; get a strict JSON Schema, a validating parser, and typed LLM calls that agree with each other.

pub use geode_core::*;

#[cfg(feature = "derive")]
pub use geode_derive::{Partial, StructuredOutput};
