//! Dialects: which part of JSON Schema a provider takes, as data, and the lowering of a shape to it.

mod breach;
mod catalogue;
mod facts;
mod fits;
mod lint;
mod lower;
mod measure;
mod pattern;

pub use breach::{Breach, Incompatible};
#[cfg(feature = "client")]
pub(crate) use catalogue::TOOL_HINT;
pub use catalogue::{ALL, ANTHROPIC, BEDROCK, CLAUDE_CLI, GEMINI, LOCAL, OPENAI_STRICT, PLAIN, find};
pub use facts::{Absence, Dialect, Limits, PatternLimits, References, RootRule};
#[doc(hidden)]
pub use fits::assert_fits;
pub use lint::lint;
#[cfg(feature = "schemars")]
pub(crate) use lower::canonical;
pub use lower::{lower, lower_schema};

use serde_json::value::RawValue;

use crate::json::ReadOptions;

/// A schema made for one dialect, and what that took.
#[derive(Debug)]
pub struct WirePlan {
    /// The dialect it was made for.
    pub dialect: &'static Dialect,
    /// The schema, as JSON text in declaration order.
    pub schema: Box<RawValue>,
    /// Whether the provider's strict flag holds for it: decided by OpenAI's test for raw schemas; always for a derived type
    /// on OpenAI.
    pub strict: bool,
    /// What the schema could not carry and the parser enforces alone.
    pub weakenings: Vec<Weakening>,
    /// How an answer to this schema is read.
    pub lifts: ReadOptions,
}

/// A constraint that stays off the wire.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Weakening {
    /// JSON Pointer into the schema.
    pub pointer: String,
    /// The keyword that was left out.
    pub keyword: String,
    /// Why, with the provider's rule.
    pub reason: String,
}

#[cfg(test)]
mod tests;
