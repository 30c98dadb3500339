//! One model call in neutral terms, before any adapter has rendered it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use serde_json::Value;

use crate::dialect::WirePlan;
use crate::message::{Message, ToolChoice, ToolSpec};

/// One model call. Prompts live here, so `Debug` shows sizes only.
#[derive(Clone, Default)]
pub struct Request {
    /// Model to ask; the adapter's own where `None`.
    pub model: Option<String>,
    /// Instructions that stand above the conversation.
    pub system: Option<String>,
    /// The conversation, oldest turn first.
    pub messages: Vec<Message>,
    /// Tools on offer.
    pub tools: Vec<ToolSpec>,
    /// Which of them may or must be called.
    pub tool_choice: ToolChoice,
    /// Whether one turn may hold one call at most. A wire that has no word for it refuses the request.
    pub single_call: bool,
    /// The response schema, and how it is to be asked for. `None` puts nothing on the wire.
    pub output: Option<OutputRequest>,
    /// Most tokens of the answer.
    pub max_output_tokens: Option<u32>,
    /// Sampling temperature. Left out for models that refuse it.
    pub temperature: Option<f64>,
    /// Whether the answer is wanted in pieces.
    pub stream: bool,
    /// Further members of the request body, merged in last, for what this type doesn't know.
    pub extra: BTreeMap<String, Value>,
}

/// The response schema of one call.
#[derive(Debug, Clone)]
pub struct OutputRequest {
    /// Name, legal for every provider.
    pub name: Cow<'static, str>,
    /// What the answer is for.
    pub description: Option<String>,
    /// The schema for this adapter's dialect, and what it could not carry.
    pub plan: Arc<WirePlan>,
    /// How it is asked for: resolved, never `Auto`.
    pub mode: Mode,
}

/// Name of the internal tool through which a model hands in its answer in tool mode.
pub const OUTPUT_TOOL: &str = "__structured_output__";

/// How structured output is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Mode {
    /// The way with the strongest guarantee that the adapter and the schema allow; among equals native goes before tool
    /// mode, and tool mode before the prompt.
    #[default]
    Auto,
    /// The provider's own structured output.
    Native,
    /// The answer is the arguments of the internal tool `__structured_output__`. The engine puts that tool into
    /// [`Request::tools`] and sets the choice; an adapter puts no response schema on the wire.
    Tool,
    /// The schema stands in the prompt; the answer is read from text. The engine puts it into [`Request::system`]; an
    /// adapter may switch on the provider's JSON mode.
    Prompted,
}

impl std::fmt::Debug for Request {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Request")
            .field("model", &self.model)
            .field("system_bytes", &self.system.as_ref().map_or(0, String::len))
            .field("messages", &self.messages.len())
            .field("tools", &self.tools.len())
            .field("tool_choice", &self.tool_choice)
            .field("single_call", &self.single_call)
            .field("output", &self.output.as_ref().map(|output| &output.name))
            .field("max_output_tokens", &self.max_output_tokens)
            .field("stream", &self.stream)
            .finish_non_exhaustive()
    }
}
