//! Answers of `generateContent`, whole and streamed: a stream's pieces have the form of the whole.

use serde_json::json;

use super::WIRE;
use crate::adapter::envelope::{Arguments, envelope};
use crate::adapter::one_reply::EventReader;
use crate::adapter::settle::Turn;
use crate::adapter::{AdapterFault, ProviderError, ProviderErrorKind, StreamEvent, error_body};
use crate::message::Opaque;
use crate::reply::{Event, FinishReason, Reply, Usage};
use crate::request::Request;
use crate::transport::WireReply;

envelope! {
    struct Answer {
        id: Option<String> = "responseId",
        model: Option<String> = "modelVersion",
        candidates: Vec<Candidate> = "candidates",
        feedback: PromptFeedback = "promptFeedback",
        usage: WireUsage = "usageMetadata",
    }

    struct Candidate { content: Content = "content", finish: Option<String> = "finishReason" }

    struct Content { parts: Vec<Part> = "parts" }

    struct Part {
        text: String = "text",
        thought: bool = "thought",
        call: Option<Call> = "functionCall",
        signature: Option<String> = "thoughtSignature",
    }

    struct Call { id: String = "id", name: String = "name", args: Arguments = "args" }

    struct PromptFeedback { block_reason: Option<String> = "blockReason" }

    struct WireUsage {
        prompt: u64 = "promptTokenCount",
        cached: u64 = "cachedContentTokenCount",
        candidates: u64 = "candidatesTokenCount",
        thoughts: u64 = "thoughtsTokenCount",
        total: u64 = "totalTokenCount",
    }
}

pub(super) fn decode(request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
    let mut decoded = Reply::default();
    match serde_json::from_slice::<Answer>(&reply.body) {
        Ok(answer) if answer.is_any() => answer.add_to(&mut decoded, &Turn::of(request), &mut Vec::new())?,
        _ => return Err(error_body::no_answer(reply, "an answer with `candidates`")),
    }
    Ok(decoded)
}

impl Answer {
    fn is_any(&self) -> bool {
        !self.candidates.is_empty() || self.feedback.block_reason.is_some()
    }

    fn add_to(self, reply: &mut Reply, turn: &Turn, out: &mut Vec<Event>) -> Result<(), AdapterFault> {
        if let Some(reason) = self.feedback.block_reason {
            let message = format!("the prompt was blocked: {reason}");
            let error = ProviderError::new(ProviderErrorKind::ContentFiltered, None, Some(reason), message);
            return Err(AdapterFault::Provider(Box::new(error)));
        }
        reply.id = reply.id.take().or(self.id);
        reply.model = reply.model.take().or(self.model);
        let usage = self.usage.into();
        if usage != Usage::default() {
            reply.usage = usage;
        }
        let Some(candidate) = self.candidates.into_iter().next() else {
            return Ok(());
        };
        for part in candidate.content.parts {
            part.add_to(reply, turn, out);
        }
        if let Some(reason) = candidate.finish {
            reply.finish = Some(finish_reason(reason));
        }
        Ok(())
    }
}

impl Part {
    fn add_to(self, reply: &mut Reply, turn: &Turn, out: &mut Vec<Event>) {
        let mut signed = json!({});
        if let Some(call) = self.call {
            let index = reply.tool_uses.len();
            let input = if call.args.0.is_empty() { "{}".to_owned() } else { call.args.0 };
            out.push(Event::ToolInput { index, name: Some(call.name.clone()), delta: input.clone() });
            turn.add_call(&mut reply.tool_uses, call.id, call.name, input);
            if let Some(call) = reply.tool_uses.last() {
                signed = json!({"id": call.id});
            }
        } else if !self.thought && !self.text.is_empty() {
            reply.text.push_str(&self.text);
            out.push(Event::Text(self.text));
        }
        // Without its signature the model refuses, or forgets why, the call in the next round.
        if let (Some(signature), Some(members)) = (self.signature, signed.as_object_mut()) {
            members.insert("thoughtSignature".to_owned(), signature.into());
            reply.opaque.push(Opaque { adapter: WIRE.to_owned(), item: signed });
        }
    }
}

fn finish_reason(reason: String) -> FinishReason {
    match reason.as_str() {
        "STOP" => FinishReason::Stop,
        "MAX_TOKENS" => FinishReason::TokenLimit,
        "SAFETY" | "RECITATION" | "BLOCKLIST" | "PROHIBITED_CONTENT" | "SPII" | "IMAGE_SAFETY" => {
            FinishReason::ContentFilter
        }
        _ => FinishReason::Other(reason),
    }
}

/// Reads the pieces. The answer is complete with the piece that holds a finish reason.
pub(super) struct GeminiReader {
    turn: Turn,
    reply: Reply,
}

impl GeminiReader {
    pub(super) fn new(request: &Request) -> Self {
        GeminiReader { turn: Turn::of(request), reply: Reply::default() }
    }
}

impl EventReader for GeminiReader {
    fn take(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<bool, AdapterFault> {
        let answer: Answer = serde_json::from_str(event.data).map_err(|error| error_body::malformed_frame(&error))?;
        if !answer.is_any()
            && let Some(error) = error_body::in_frame(event.data)
        {
            return Err(AdapterFault::Provider(Box::new(error)));
        }
        answer.add_to(&mut self.reply, &self.turn, out)?;
        Ok(self.reply.finish.is_some())
    }

    fn reply(&mut self) -> Reply {
        std::mem::take(&mut self.reply)
    }
}

impl From<WireUsage> for Usage {
    fn from(usage: WireUsage) -> Self {
        Usage {
            input_tokens: usage.prompt,
            cached_input_tokens: usage.cached,
            // A cut answer comes with the total only.
            output_tokens: match usage.candidates + usage.thoughts {
                0 => usage.total.saturating_sub(usage.prompt),
                written => written,
            },
            reasoning_tokens: usage.thoughts,
        }
    }
}
