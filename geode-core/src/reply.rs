//! One model answer in neutral terms, and the events that a streamed one comes in.

use serde::{Deserialize, Serialize};

use crate::message::{Opaque, ToolUse};

/// One answer. Content lives here, so `Debug` shows sizes only.
#[derive(Clone, Default)]
pub struct Reply {
    /// The provider's id of the answer.
    pub id: Option<String>,
    /// The provider's id of the request: what its support asks for.
    pub request_id: Option<String>,
    /// The model that answered, as the provider names it.
    pub model: Option<String>,
    /// The answer's text, all text parts joined; reasoning is not in it.
    pub text: String,
    /// The refusal, where the model declined.
    pub refusal: Option<String>,
    /// The calls it made, in order.
    pub tool_uses: Vec<ToolUse>,
    /// Items to be sent back unchanged in the next round.
    pub opaque: Vec<Opaque>,
    /// Why it stopped. `None`: the provider never said, so the answer is cut.
    pub finish: Option<FinishReason>,
    /// What it cost.
    pub usage: Usage,
    /// What the adapter tolerated or left out, a phrase each.
    pub notes: Vec<String>,
}

impl std::fmt::Debug for Reply {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Reply")
            .field("id", &self.id)
            .field("request_id", &self.request_id)
            .field("model", &self.model)
            .field("text_bytes", &self.text.len())
            .field("refused", &self.refusal.is_some())
            .field("tool_uses", &self.tool_uses.len())
            .field("finish", &self.finish)
            .field("usage", &self.usage)
            .finish_non_exhaustive()
    }
}

/// Why a model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FinishReason {
    /// It was done, or met a stop sequence.
    Stop,
    /// It wants tools run.
    ToolUse,
    /// It reached its limit of output tokens, or its context window.
    TokenLimit,
    /// A filter stopped it.
    ContentFilter,
    /// It declined.
    Refusal,
    /// A reason that this version doesn't know, as the provider spells it. Counts as incomplete.
    Other(String),
}

/// Tokens of one call, or of several added up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens read, those from a cache included.
    pub input_tokens: u64,
    /// Of those, tokens read from a cache.
    pub cached_input_tokens: u64,
    /// Tokens written, reasoning included.
    pub output_tokens: u64,
    /// Of those, tokens of reasoning.
    pub reasoning_tokens: u64,
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Usage) {
        self.input_tokens += other.input_tokens;
        self.cached_input_tokens += other.cached_input_tokens;
        self.output_tokens += other.output_tokens;
        self.reasoning_tokens += other.reasoning_tokens;
    }
}

/// A piece of a streamed answer.
#[derive(Clone)]
#[non_exhaustive]
pub enum Event {
    /// More text of the answer.
    Text(String),
    /// More text of a refusal.
    Refusal(String),
    /// More of the arguments of the `index`th call.
    ToolInput {
        /// Which call, counted from 0.
        index: usize,
        /// Its name, once known.
        name: Option<String>,
        /// More of its arguments.
        delta: String,
    },
    /// The provider said that the answer is complete. Nothing before it is final.
    Done(Box<Reply>),
}

impl std::fmt::Debug for Event {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Event::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Event::Refusal(text) => write!(f, "Refusal({} bytes)", text.len()),
            Event::ToolInput { index, name, delta } => {
                write!(f, "ToolInput({index}, {name:?}, {} bytes)", delta.len())
            }
            Event::Done(reply) => f.debug_tuple("Done").field(reply).finish(),
        }
    }
}
