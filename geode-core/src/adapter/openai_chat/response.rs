//! Whole answers of Chat Completions.

use serde::de::{Deserialize, Deserializer, SeqAccess, Visitor};
use serde_json::value::RawValue;

use super::think::ThinkFilter;
use crate::adapter::envelope::{Arguments, envelope};
use crate::adapter::settle::Turn;
use crate::adapter::{AdapterFault, error_body};
use crate::reply::{FinishReason, Reply, Usage};
use crate::request::Request;
use crate::transport::WireReply;

envelope! {
    struct Completion {
        id: Option<String> = "id",
        request_id: Option<String> = "request_id",
        model: Option<String> = "model",
        choices: Vec<Choice> = "choices",
        usage: WireUsage = "usage",
        error: Option<Box<RawValue>> = "error",
    }

    /// A choice of a whole answer, or of a piece of a stream.
    struct Choice {
        index: u64 = "index",
        message: Said = "message",
        delta: Said = "delta",
        finish_reason: Option<String> = "finish_reason",
        error: Option<Box<RawValue>> = "error",
    }

    struct Said {
        content: Text = "content",
        refusal: Option<String> = "refusal",
        tool_calls: Vec<Call> = "tool_calls",
    }

    struct Call { index: Option<u64> = "index", id: String = "id", function: Function = "function" }

    struct Function { name: String = "name", arguments: Arguments = "arguments" }

    struct WireUsage {
        input: u64 = "prompt_tokens",
        input_details: InputDetails = "prompt_tokens_details",
        output: u64 = "completion_tokens",
        output_details: OutputDetails = "completion_tokens_details",
    }

    struct InputDetails { cached: u64 = "cached_tokens" }

    struct OutputDetails { reasoning: u64 = "reasoning_tokens" }

    struct Part { kind: String = "type", text: String = "text", thought: bool = "thought" }
}

/// Content as text, or as a list of parts of which those of type `text` count.
#[derive(Default)]
pub(crate) struct Text(pub(super) String);

impl<'de> Deserialize<'de> for Text {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct TextOrParts;
        impl<'de> Visitor<'de> for TextOrParts {
            type Value = Text;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("text or a list of parts")
            }
            fn visit_str<E>(self, text: &str) -> Result<Text, E> {
                Ok(Text(text.to_owned()))
            }
            fn visit_string<E>(self, text: String) -> Result<Text, E> {
                Ok(Text(text))
            }
            fn visit_seq<A: SeqAccess<'de>>(self, mut parts: A) -> Result<Text, A::Error> {
                let mut text = String::new();
                while let Some(part) = parts.next_element::<Part>()? {
                    if matches!(part.kind.as_str(), "text" | "") && !part.thought {
                        text.push_str(&part.text);
                    }
                }
                Ok(Text(text))
            }
        }
        deserializer.deserialize_any(TextOrParts)
    }
}

pub(super) fn decode(request: &Request, reply: &WireReply, leading_think: bool) -> Result<Reply, AdapterFault> {
    let completion = match serde_json::from_slice::<Completion>(&reply.body) {
        Ok(completion) if completion.error.is_none() => completion,
        _ => return Err(no_answer(reply)),
    };
    let Some(choice) = completion.choices.into_iter().next() else {
        return Err(no_answer(reply));
    };
    if let Some(error) = choice.error {
        return Err(choice_error(&error, reply));
    }
    let mut filter = ThinkFilter::new(leading_think);
    let mut decoded = Reply {
        id: completion.id,
        request_id: completion.request_id,
        model: completion.model,
        text: filter.push(choice.message.content.0),
        refusal: choice.message.refusal.filter(|refusal| !refusal.is_empty()),
        finish: choice.finish_reason.map(finish_reason),
        usage: completion.usage.into(),
        ..Reply::default()
    };
    decoded.text.push_str(&filter.finish(&mut decoded.notes));
    let turn = Turn::of(request);
    for call in choice.message.tool_calls {
        turn.add_call(&mut decoded.tool_uses, call.id, call.function.name, call.function.arguments.0);
    }
    Ok(decoded)
}

fn no_answer(reply: &WireReply) -> AdapterFault {
    error_body::no_answer(reply, "a completion with `choices`")
}

/// A gateway's error in the place of one choice.
fn choice_error(error: &RawValue, reply: &WireReply) -> AdapterFault {
    let body = format!(r#"{{"error":{}}}"#, error.get()).into();
    let alone = WireReply { status: reply.status, headers: reply.headers.clone(), body, stderr: reply.stderr.clone() };
    error_body::no_answer(&alone, "a choice with a message")
}

pub(super) fn finish_reason(reason: String) -> FinishReason {
    match reason.as_str() {
        "stop" => FinishReason::Stop,
        "length" | "model_context_window_exceeded" => FinishReason::TokenLimit,
        "tool_calls" | "function_call" => FinishReason::ToolUse,
        "content_filter" | "sensitive" => FinishReason::ContentFilter,
        _ => FinishReason::Other(reason),
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
