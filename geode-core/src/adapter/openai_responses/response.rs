//! Whole answers of the Responses API.

use serde_json::{Value, json};

use super::WIRE;
use crate::adapter::envelope::{Arguments, Loose, envelope};
use crate::adapter::settle::Turn;
use crate::adapter::{AdapterFault, error_body};
use crate::message::Opaque;
use crate::reply::{FinishReason, Reply, Usage};
use crate::request::Request;
use crate::transport::WireReply;

envelope! {
    struct Response {
        id: Option<String> = "id",
        model: Option<String> = "model",
        status: String = "status",
        incomplete: Incomplete = "incomplete_details",
        error: Option<Failure> = "error",
        output: Vec<Item> = "output",
        usage: WireUsage = "usage",
    }

    struct Incomplete { reason: String = "reason" }

    struct Failure { code: Loose = "code", message: String = "message" }

    /// An item of any type: each has some of these members.
    struct Item {
        kind: String = "type",
        id: String = "id",
        call_id: String = "call_id",
        name: String = "name",
        arguments: Arguments = "arguments",
        content: Vec<Content> = "content",
        summary: Value = "summary",
        encrypted_content: Option<String> = "encrypted_content",
    }

    struct Content { kind: String = "type", text: String = "text", refusal: String = "refusal" }

    struct WireUsage {
        input: u64 = "input_tokens",
        input_details: InputDetails = "input_tokens_details",
        output: u64 = "output_tokens",
        output_details: OutputDetails = "output_tokens_details",
    }

    struct InputDetails { cached: u64 = "cached_tokens" }

    struct OutputDetails { reasoning: u64 = "reasoning_tokens" }
}

pub(super) fn decode(request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
    if let Ok(response) = serde_json::from_slice::<Response>(&reply.body)
        && !(response.status.is_empty() && response.output.is_empty())
    {
        return response.into_reply(Vec::new(), &Turn::of(request));
    }
    Err(error_body::no_answer(reply, "a response object with `status` and `output`"))
}

impl Response {
    /// The reply; made of `streamed` items where the response holds none itself.
    pub(super) fn into_reply(self, streamed: Vec<Item>, turn: &Turn) -> Result<Reply, AdapterFault> {
        let finish = match self.status.as_str() {
            "completed" => Some(FinishReason::Stop),
            "incomplete" => Some(match self.incomplete.reason.as_str() {
                "max_output_tokens" => FinishReason::TokenLimit,
                "content_filter" => FinishReason::ContentFilter,
                "" => FinishReason::Other("incomplete".to_owned()),
                reason => FinishReason::Other(reason.to_owned()),
            }),
            "failed" => {
                let Failure { code, message } = self.error.unwrap_or_default();
                return Err(AdapterFault::Provider(Box::new(error_body::from_parts(None, &code.0, &message))));
            }
            "" => None,
            status => Some(FinishReason::Other(status.to_owned())),
        };
        let mut reply = Reply { id: self.id, model: self.model, finish, usage: self.usage.into(), ..Reply::default() };
        for item in if self.output.is_empty() { streamed } else { self.output } {
            item.add_to(&mut reply, turn);
        }
        Ok(reply)
    }
}

impl Item {
    pub(super) fn add_to(self, reply: &mut Reply, turn: &Turn) {
        match self.kind.as_str() {
            "message" => {
                for content in self.content {
                    match content.kind.as_str() {
                        "refusal" => reply.refusal.get_or_insert_default().push_str(&content.refusal),
                        "output_text" => reply.text.push_str(&content.text),
                        _ => {}
                    }
                }
            }
            "function_call" => {
                let id = if self.call_id.is_empty() { self.id } else { self.call_id };
                turn.add_call(&mut reply.tool_uses, id, self.name, self.arguments.0);
            }
            // Without its content the provider, which stores nothing, can't take it back. It wants a `summary` and no id.
            "reasoning" => {
                if let Some(content) = self.encrypted_content {
                    let summary = if self.summary.is_array() { self.summary } else { json!([]) };
                    let item = json!({"type": "reasoning", "summary": summary, "encrypted_content": content});
                    reply.opaque.push(Opaque { adapter: WIRE.to_owned(), item });
                }
            }
            _ => {}
        }
    }
}

impl From<WireUsage> for Usage {
    fn from(usage: WireUsage) -> Self {
        Usage {
            input_tokens: usage.input,
            cached_input_tokens: usage.input_details.cached,
            output_tokens: usage.output,
            reasoning_tokens: usage.output_details.reasoning,
        }
    }
}
