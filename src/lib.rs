//! Derive a Rust type; get a strict JSON Schema, a validating parser, and typed LLM calls that agree with each other.
#![cfg_attr(all(feature = "derive", feature = "client"), doc = "\n---\n")]
#![cfg_attr(all(feature = "derive", feature = "client"), doc = include_str!("../README.md"))]
#![cfg_attr(docsrs, feature(doc_cfg))]

pub use geode_core::*;

#[cfg(feature = "client")]
pub use geode_core::tool::Tools;
#[cfg(feature = "derive")]
pub use geode_derive::{Partial, StructuredOutput};
#[cfg(all(feature = "derive", feature = "client"))]
pub use geode_derive::{Tools, function, tool};

/// The guide: from a type to a checked answer, step by step.
#[cfg(all(feature = "derive", feature = "client"))]
#[doc = include_str!("../docs/guide.md")]
pub mod guide {}
