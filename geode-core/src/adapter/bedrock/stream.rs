//! Streamed answers of ConverseStream.

use serde_json::json;

use super::WIRE;
use super::response::{Call, WireUsage, stop};
use crate::adapter::envelope::envelope;
use crate::adapter::one_reply::EventReader;
use crate::adapter::settle::Turn;
use crate::adapter::{AdapterFault, StreamEvent, error_body};
use crate::message::Opaque;
use crate::reply::{Event, Reply};
use crate::request::Request;

envelope! {
    /// The payload of an event of any type: each has some of these members.
    struct Payload {
        index: u64 = "contentBlockIndex",
        start: Start = "start",
        delta: Delta = "delta",
        stop: Option<String> = "stopReason",
        usage: WireUsage = "usage",
        message: String = "message",
    }

    struct Start { call: Option<Call> = "toolUse" }

    /// A piece of a block: one of these members.
    struct Delta {
        text: String = "text",
        call: PartialCall = "toolUse",
        reasoning: Reasoning = "reasoningContent",
    }

    struct PartialCall { input: String = "input" }

    struct Reasoning {
        text: String = "text",
        signature: String = "signature",
        redacted: Option<String> = "redactedContent",
    }
}

/// A block as far as it came: a call, reasoning, or text, which goes to the reply at once.
#[derive(Default)]
struct Block {
    index: u64,
    call: Option<Call>,
    reasoning: Reasoning,
}

/// Reads the events. The answer is complete with `messageStop`; `metadata`, with the usage, comes behind it.
pub(super) struct ConverseReader {
    turn: Turn,
    reply: Reply,
    blocks: Vec<Block>,
    stop: Option<String>,
}

impl ConverseReader {
    pub(super) fn new(request: &Request) -> Self {
        ConverseReader { turn: Turn::of(request), reply: Reply::default(), blocks: Vec::new(), stop: None }
    }

    /// The block of an index, and its position among the calls. Blocks of text begin without an event of their own.
    #[expect(clippy::indexing_slicing, reason = "the position was found, or is that of the block just added")]
    fn block(&mut self, index: u64) -> (&mut Block, usize) {
        let position = self.blocks.iter().rposition(|block| block.index == index).unwrap_or_else(|| {
            self.blocks.push(Block { index, ..Block::default() });
            self.blocks.len() - 1
        });
        let calls = self.blocks.iter().take(position).filter(|block| block.call.is_some()).count();
        (&mut self.blocks[position], calls)
    }

    fn extend(&mut self, index: u64, delta: Delta, out: &mut Vec<Event>) {
        let (block, calls) = self.block(index);
        if let Some(call) = &mut block.call {
            call.input.0.push_str(&delta.call.input);
            out.push(Event::ToolInput { index: calls, name: None, delta: delta.call.input });
            return;
        }
        block.reasoning.text.push_str(&delta.reasoning.text);
        block.reasoning.signature.push_str(&delta.reasoning.signature);
        if delta.reasoning.redacted.is_some() {
            block.reasoning.redacted = delta.reasoning.redacted;
        }
        if !delta.text.is_empty() {
            self.reply.text.push_str(&delta.text);
            out.push(Event::Text(delta.text));
        }
    }
}

impl Reasoning {
    /// The block as a whole answer holds it.
    fn into_content(self) -> Option<serde_json::Value> {
        match (self.redacted, self.text.as_str(), self.signature.as_str()) {
            (Some(redacted), ..) => Some(json!({"redactedContent": redacted})),
            (None, "", "") => None,
            (None, text, "") => Some(json!({"reasoningText": {"text": text}})),
            (None, text, signature) => Some(json!({"reasoningText": {"text": text, "signature": signature}})),
        }
    }
}

impl EventReader for ConverseReader {
    fn take(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<bool, AdapterFault> {
        let payload: Payload = serde_json::from_str(event.data).map_err(|error| error_body::malformed_frame(&error))?;
        let name = event.name.unwrap_or_default();
        if let Some((_, code)) = name.split_once(':') {
            return Err(exception(code, &payload.message));
        }
        match name {
            "contentBlockStart" => {
                if let Some(mut call) = payload.start.call {
                    // The input comes in deltas.
                    call.input.0.clear();
                    let name = Some(call.name.clone());
                    let (block, index) = self.block(payload.index);
                    block.call = Some(call);
                    out.push(Event::ToolInput { index, name, delta: String::new() });
                }
            }
            "contentBlockDelta" => self.extend(payload.index, payload.delta, out),
            "messageStop" => self.stop = payload.stop,
            "metadata" => {
                self.reply.usage = payload.usage.into();
                return Ok(self.stop.is_some());
            }
            _ => {}
        }
        Ok(false)
    }

    fn reply(&mut self) -> Reply {
        let mut reply = std::mem::take(&mut self.reply);
        for block in std::mem::take(&mut self.blocks) {
            if let Some(call) = block.call {
                self.turn.add_call(&mut reply.tool_uses, call.id, call.name, call.input.0);
            } else if let Some(content) = block.reasoning.into_content() {
                let item = json!({"reasoningContent": content});
                reply.opaque.push(Opaque { adapter: WIRE.to_owned(), item });
            }
        }
        stop(&mut reply, self.stop.take());
        reply
    }
}

/// An exception in the stream. Its type begins in lower case there, and in upper case everywhere else.
fn exception(code: &str, message: &str) -> AdapterFault {
    let mut letters = code.chars();
    let code: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    let message = if message.is_empty() { "no message" } else { message };
    AdapterFault::Provider(Box::new(error_body::from_parts(None, &code, message)))
}
