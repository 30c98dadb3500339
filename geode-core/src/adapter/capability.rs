//! What a provider can do, as data with a source and a date.

use crate::dialect::Dialect;

/// What an adapter can do. Decisions are taken from these facts, never from an adapter's name.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Capabilities {
    /// Its own structured output.
    pub native: Enforcement,
    /// Whether tools can be offered.
    pub tools: bool,
    /// Whether tools and a response schema may stand in one request.
    pub tools_with_schema: bool,
    /// Whether the schema of a tool's arguments is enforced (`strict`).
    pub strict_tools: bool,
    /// Whether a call can be forced: any tool, or a named one.
    pub forced_tool_choice: bool,
    /// Whether an answer can be streamed.
    pub streaming: bool,
    /// Whether a response schema in the request keeps the model from calling tools, so that the agent loop sends it
    /// only when it wants the final answer.
    pub schema_suppresses_tools: bool,
    /// Schema subset of its native structured output and of its strict tools.
    pub dialect: &'static Dialect,
    /// Where these facts are from, and as of when.
    pub source: &'static str,
}

impl Capabilities {
    /// Nothing but plain text.
    pub const fn text_only(dialect: &'static Dialect, source: &'static str) -> Self {
        Capabilities {
            native: Enforcement::None,
            tools: false,
            tools_with_schema: false,
            strict_tools: false,
            forced_tool_choice: false,
            streaming: false,
            schema_suppresses_tools: false,
            dialect,
            source,
        }
    }
}

/// How far a provider holds a model to a schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Enforcement {
    /// It takes no schema.
    None,
    /// It shows the schema to the model, or asks again when the answer doesn't fit, and promises nothing.
    Hint,
    /// It samples under the schema.
    Enforced,
}
