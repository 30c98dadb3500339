//! Whole answers of the Messages API.

use serde_json::{Value, json};

use super::WIRE;
use crate::adapter::envelope::{Arguments, envelope};
use crate::adapter::settle::Turn;
use crate::adapter::{AdapterFault, error_body};
use crate::message::Opaque;
use crate::reply::{FinishReason, Reply, Usage};
use crate::request::Request;
use crate::transport::WireReply;

envelope! {
    struct Answer {
        id: Option<String> = "id",
        kind: String = "type",
        model: Option<String> = "model",
        content: Option<Vec<Block>> = "content",
        stop: Option<String> = "stop_reason",
        stop_details: StopDetails = "stop_details",
        usage: WireUsage = "usage",
    }

    /// A block of any type: each has some of these members.
    struct Block {
        kind: String = "type",
        text: String = "text",
        id: String = "id",
        name: String = "name",
        input: Arguments = "input",
        thinking: String = "thinking",
        signature: String = "signature",
        data: String = "data",
    }

    struct StopDetails { category: Option<String> = "category", explanation: Option<String> = "explanation" }

    struct WireUsage {
        input: Option<u64> = "input_tokens",
        cache_written: Option<u64> = "cache_creation_input_tokens",
        cache_read: Option<u64> = "cache_read_input_tokens",
        output: Option<u64> = "output_tokens",
    }
}

pub(super) fn decode(request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
    if let Ok(answer) = serde_json::from_slice::<Answer>(&reply.body)
        && answer.kind != "error"
        && let Some(content) = answer.content
    {
        let mut decoded = Reply { id: answer.id, model: answer.model, usage: answer.usage.into(), ..Reply::default() };
        let turn = Turn::of(request);
        for block in content {
            block.add_to(&mut decoded, &turn);
        }
        stop(&mut decoded, answer.stop, answer.stop_details);
        return Ok(decoded);
    }
    Err(error_body::no_answer(reply, "a message with `content`"))
}

/// Sets why the model stopped. What it wrote before a refusal is part of the refusal, no answer.
pub(super) fn stop(reply: &mut Reply, reason: Option<String>, details: StopDetails) {
    reply.finish = match reason.as_deref() {
        None => None,
        Some("end_turn" | "stop_sequence") => Some(FinishReason::Stop),
        Some("tool_use") => Some(FinishReason::ToolUse),
        Some("max_tokens" | "model_context_window_exceeded") => Some(FinishReason::TokenLimit),
        Some("refusal") => {
            let text = std::mem::take(&mut reply.text);
            reply.refusal = Some(if text.is_empty() { details.explanation.unwrap_or_default() } else { text });
            if let Some(category) = details.category {
                reply.notes.push(format!("refusal category: {category}"));
            }
            Some(FinishReason::Refusal)
        }
        Some(_) => reason.map(FinishReason::Other),
    };
}

impl Block {
    pub(super) fn add_to(self, reply: &mut Reply, turn: &Turn) {
        match self.kind.as_str() {
            "text" => reply.text.push_str(&self.text),
            "tool_use" => {
                let input = if self.input.0.is_empty() { "{}".to_owned() } else { self.input.0 };
                turn.add_call(&mut reply.tool_uses, self.id, self.name, input);
            }
            "thinking" => {
                let item = json!({"type": "thinking", "thinking": self.thinking, "signature": self.signature});
                push_opaque(reply, item);
            }
            "redacted_thinking" => push_opaque(reply, json!({"type": "redacted_thinking", "data": self.data})),
            _ => {}
        }
    }
}

fn push_opaque(reply: &mut Reply, item: Value) {
    reply.opaque.push(Opaque { adapter: WIRE.to_owned(), item });
}

impl WireUsage {
    /// Later figures of a stream replace earlier ones.
    pub(super) fn update(&mut self, later: WireUsage) {
        self.input = later.input.or(self.input);
        self.cache_written = later.cache_written.or(self.cache_written);
        self.cache_read = later.cache_read.or(self.cache_read);
        self.output = later.output.or(self.output);
    }
}

impl From<WireUsage> for Usage {
    fn from(usage: WireUsage) -> Self {
        let cached = usage.cache_read.unwrap_or(0);
        Usage {
            // The wire counts cached tokens apart.
            input_tokens: usage.input.unwrap_or(0) + usage.cache_written.unwrap_or(0) + cached,
            cached_input_tokens: cached,
            output_tokens: usage.output.unwrap_or(0),
            reasoning_tokens: 0,
        }
    }
}
