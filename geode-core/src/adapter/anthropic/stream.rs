//! Streamed answers of the Messages API.

use super::response::{Answer, Block, StopDetails, WireUsage, stop};
use crate::adapter::envelope::envelope;
use crate::adapter::one_reply::EventReader;
use crate::adapter::settle::Turn;
use crate::adapter::{AdapterFault, ProviderError, ProviderErrorKind, StreamEvent, error_body};
use crate::reply::{Event, Reply};
use crate::request::Request;

envelope! {
    /// An event of any type: each has some of these members.
    struct Frame {
        kind: String = "type",
        index: u64 = "index",
        message: Answer = "message",
        block: Block = "content_block",
        delta: Delta = "delta",
        usage: WireUsage = "usage",
    }

    struct Delta {
        kind: String = "type",
        text: String = "text",
        partial_json: String = "partial_json",
        thinking: String = "thinking",
        signature: String = "signature",
        stop: Option<String> = "stop_reason",
        stop_details: StopDetails = "stop_details",
    }
}

/// Reads the events. The answer is complete with `message_stop`, and not before.
pub(super) struct MessagesReader {
    turn: Turn,
    reply: Reply,
    usage: WireUsage,
    blocks: Vec<(u64, Block)>,
    /// Why the model stopped; counts once the message has.
    stop: Option<(String, StopDetails)>,
    stopped: bool,
}

impl MessagesReader {
    pub(super) fn new(request: &Request) -> Self {
        MessagesReader {
            turn: Turn::of(request),
            reply: Reply::default(),
            usage: WireUsage::default(),
            blocks: Vec::new(),
            stop: None,
            stopped: false,
        }
    }

    /// The block of an index, and its position among the calls.
    fn block(&mut self, index: u64) -> Option<(&mut Block, usize)> {
        let position = self.blocks.iter().rposition(|(at, _)| *at == index)?;
        let calls = self.blocks.iter().take(position).filter(|(_, block)| block.kind == "tool_use").count();
        self.blocks.get_mut(position).map(|(_, block)| (block, calls))
    }

    fn extend(&mut self, index: u64, delta: Delta, out: &mut Vec<Event>) {
        let Some((block, call)) = self.block(index) else {
            return;
        };
        match delta.kind.as_str() {
            "text_delta" => {
                block.text.push_str(&delta.text);
                out.push(Event::Text(delta.text));
            }
            "input_json_delta" => {
                block.input.0.push_str(&delta.partial_json);
                out.push(Event::ToolInput { index: call, name: None, delta: delta.partial_json });
            }
            "thinking_delta" => block.thinking.push_str(&delta.thinking),
            "signature_delta" => block.signature.push_str(&delta.signature),
            _ => {}
        }
    }
}

impl EventReader for MessagesReader {
    fn take(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<bool, AdapterFault> {
        if event.name == Some("error") {
            return Err(stream_error(event.data));
        }
        let frame: Frame = serde_json::from_str(event.data).map_err(|error| error_body::malformed_frame(&error))?;
        match frame.kind.as_str() {
            "message_start" => {
                self.reply.id = frame.message.id;
                self.reply.model = frame.message.model;
                self.usage.update(frame.message.usage);
            }
            "content_block_start" => {
                let mut block = frame.block;
                // The input of a call begins as `{}`, in whose place the deltas come.
                block.input.0.clear();
                if block.kind == "tool_use" {
                    let index = self.blocks.iter().filter(|(_, block)| block.kind == "tool_use").count();
                    out.push(Event::ToolInput { index, name: Some(block.name.clone()), delta: String::new() });
                } else if !block.text.is_empty() {
                    out.push(Event::Text(block.text.clone()));
                }
                self.blocks.push((frame.index, block));
            }
            "content_block_delta" => self.extend(frame.index, frame.delta, out),
            "message_delta" => {
                self.usage.update(frame.usage);
                if let Some(reason) = frame.delta.stop {
                    self.stop = Some((reason, frame.delta.stop_details));
                }
            }
            "message_stop" => self.stopped = true,
            "error" => return Err(stream_error(event.data)),
            _ => {}
        }
        Ok(self.stopped)
    }

    fn reply(&mut self) -> Reply {
        let mut reply = std::mem::take(&mut self.reply);
        reply.usage = std::mem::take(&mut self.usage).into();
        for (_, block) in std::mem::take(&mut self.blocks) {
            block.add_to(&mut reply, &self.turn);
        }
        if let Some((reason, details)) = self.stop.take().filter(|_| self.stopped) {
            stop(&mut reply, Some(reason), details);
        }
        reply
    }
}

fn stream_error(data: &str) -> AdapterFault {
    let error = error_body::in_frame(data).unwrap_or_else(|| {
        let message = "the provider broke the stream off with an error that can't be read";
        ProviderError::new(ProviderErrorKind::Other, None, None, message.to_owned())
    });
    AdapterFault::Provider(Box::new(error))
}
