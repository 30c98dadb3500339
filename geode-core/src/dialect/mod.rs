//! Dialects: which part of JSON Schema a provider takes, as data, and the lowering of a shape to it.

use serde_json::value::RawValue;

use crate::json::ReadOptions;

/// Which part of JSON Schema a provider takes.
#[derive(Debug)]
#[non_exhaustive]
pub struct Dialect {
    /// Name, as `geode::assert_fits!` and the command line take it: `OPENAI_STRICT`.
    pub name: &'static str,
}

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

/// OpenAI's strict structured outputs and strict tools.
pub static OPENAI_STRICT: Dialect = Dialect { name: "OPENAI_STRICT" };

/// All of JSON Schema 2020-12.
pub static PLAIN: Dialect = Dialect { name: "PLAIN" };

/// Makes a schema of a shape for a dialect.
///
/// # Errors
///
/// What the dialect can't take, all of it.
pub fn lower(shape: &'static crate::shape::Shape, dialect: &'static Dialect) -> Result<WirePlan, Vec<Incompatible>> {
    let _ = (shape, dialect);
    todo!()
}
/// Local servers that sample under a grammar.
pub static LOCAL: Dialect = Dialect { name: "LOCAL" };
/// Anthropic's structured outputs and strict tools.
pub static ANTHROPIC: Dialect = Dialect { name: "ANTHROPIC" };
/// Gemini's `responseJsonSchema`.
pub static GEMINI: Dialect = Dialect { name: "GEMINI" };
/// Bedrock's Converse.
pub static BEDROCK: Dialect = Dialect { name: "BEDROCK" };
