//! Dialects: which part of JSON Schema a provider takes, as data, and the lowering of a shape to it.

mod catalogue;
mod facts;
mod fits;
mod lint;
mod lower;
mod measure;
mod pattern;

pub use catalogue::{ALL, ANTHROPIC, BEDROCK, CLAUDE_CLI, GEMINI, LOCAL, OPENAI_STRICT, PLAIN, find};
pub use facts::{Absence, Dialect, Limits, PatternLimits, References, RootRule};
#[doc(hidden)]
pub use fits::assert_fits;
pub use lint::{Breach, lint};
pub use lower::{Lowered, lower, lower_schema};

use serde_json::value::RawValue;

use crate::json::ReadOptions;

/// A schema made for one dialect, and what that took.
#[derive(Debug)]
pub struct WirePlan {
    /// The dialect it was made for.
    pub dialect: &'static Dialect,
    /// The schema, as JSON text in declaration order.
    pub schema: Box<RawValue>,
    /// Whether the provider's strict flag holds for it (R22 for raw schemas; always for a derived type on OpenAI).
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

/// A schema that a dialect can't take.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Incompatible {
    /// JSON Pointer into the schema.
    pub pointer: String,
    /// The keyword or the limit at fault.
    pub keyword: String,
    /// Why, with the provider's rule.
    pub reason: String,
    /// What to do instead.
    pub help: String,
}

impl std::fmt::Display for Incompatible {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = if self.pointer.is_empty() { "the root" } else { &self.pointer };
        write!(f, "at {place}: {}", self.reason)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, "; {}", self.help) }
    }
}

impl std::error::Error for Incompatible {}

#[cfg(test)]
mod tests;
