//! Answers of Converse.

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
    struct Answer { output: Output = "output", stop: Option<String> = "stopReason", usage: WireUsage = "usage" }

    struct Output { message: Option<Said> = "message" }

    struct Said { content: Vec<Block> = "content" }

    /// A block: one of these members.
    struct Block {
        text: String = "text",
        call: Option<Call> = "toolUse",
        reasoning: Option<Value> = "reasoningContent",
    }

    struct Call { id: String = "toolUseId", name: String = "name", input: Arguments = "input" }

    struct WireUsage {
        input: u64 = "inputTokens",
        cache_written: u64 = "cacheWriteInputTokens",
        cache_read: u64 = "cacheReadInputTokens",
        output: u64 = "outputTokens",
    }
}

pub(super) fn decode(request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
    if let Ok(answer) = serde_json::from_slice::<Answer>(&reply.body)
        && let Some(message) = answer.output.message
    {
        let mut decoded = Reply { usage: answer.usage.into(), ..Reply::default() };
        let turn = Turn::of(request);
        for block in message.content {
            decoded.text.push_str(&block.text);
            if let Some(call) = block.call {
                turn.add_call(&mut decoded.tool_uses, call.id, call.name, call.input.0);
            }
            if let Some(reasoning) = block.reasoning {
                let item = json!({"reasoningContent": reasoning});
                decoded.opaque.push(Opaque { adapter: WIRE.to_owned(), item });
            }
        }
        stop(&mut decoded, answer.stop);
        return Ok(decoded);
    }
    Err(error_body::no_answer(reply, "an answer with `output.message`"))
}

/// Sets the finish reason. What a model says when it declines is its refusal, not its answer.
pub(super) fn stop(reply: &mut Reply, reason: Option<String>) {
    reply.finish = reason.map(finish_reason);
    if reply.finish == Some(FinishReason::Refusal) {
        reply.refusal = Some(std::mem::take(&mut reply.text));
    }
}

fn finish_reason(reason: String) -> FinishReason {
    match reason.as_str() {
        "end_turn" | "stop_sequence" => FinishReason::Stop,
        "tool_use" => FinishReason::ToolUse,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::TokenLimit,
        "guardrail_intervened" | "content_filtered" => FinishReason::ContentFilter,
        "refusal" => FinishReason::Refusal,
        _ => FinishReason::Other(reason),
    }
}

impl From<WireUsage> for Usage {
    fn from(usage: WireUsage) -> Self {
        Usage {
            // The wire counts cached tokens apart.
            input_tokens: usage.input + usage.cache_written + usage.cache_read,
            cached_input_tokens: usage.cache_read,
            output_tokens: usage.output,
            reasoning_tokens: 0,
        }
    }
}
