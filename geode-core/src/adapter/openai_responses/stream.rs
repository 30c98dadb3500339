//! Streamed answers of the Responses API.

use super::response::{Item, Response};
use crate::adapter::envelope::envelope;
use crate::adapter::one_reply::EventReader;
use crate::adapter::settle::Turn;
use crate::adapter::{AdapterFault, StreamEvent, error_body};
use crate::reply::{Event, Reply};
use crate::request::Request;

envelope! {
    /// An event of any type: each has some of these members.
    struct Frame {
        kind: String = "type",
        response: Response = "response",
        item: Item = "item",
        item_id: String = "item_id",
        delta: String = "delta",
    }
}

/// Reads the events. Deltas are for the preview; the reply is made of finished items and the terminal event.
pub(super) struct ResponsesReader {
    turn: Turn,
    /// As far as it came; with the terminal event, the whole.
    reply: Reply,
    /// Finished items, for a terminal event that leaves them out (the ChatGPT backend's does).
    items: Vec<Item>,
    /// Item ids of the calls seen.
    calls: Vec<String>,
}

impl ResponsesReader {
    pub(super) fn new(request: &Request) -> Self {
        ResponsesReader { turn: Turn::of(request), reply: Reply::default(), items: Vec::new(), calls: Vec::new() }
    }

    fn arguments(&self, item_id: &str, name: Option<String>, delta: String) -> Event {
        // Some servers leave the id out; their calls come one after another.
        let index = self.calls.iter().position(|id| id == item_id).unwrap_or(self.calls.len().saturating_sub(1));
        Event::ToolInput { index, name, delta }
    }
}

impl EventReader for ResponsesReader {
    fn take(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<bool, AdapterFault> {
        // OpenAI sends none; proxies that speak both of its wires do.
        if event.data == "[DONE]" {
            return Ok(false);
        }
        let frame: Frame = serde_json::from_str(event.data).map_err(|error| error_body::malformed_frame(&error))?;
        match frame.kind.as_str() {
            "response.created" => {
                self.reply.id = frame.response.id;
                self.reply.model = frame.response.model;
            }
            "response.output_text.delta" => {
                self.reply.text.push_str(&frame.delta);
                out.push(Event::Text(frame.delta));
            }
            "response.refusal.delta" => {
                self.reply.refusal.get_or_insert_default().push_str(&frame.delta);
                out.push(Event::Refusal(frame.delta));
            }
            "response.output_item.added" if frame.item.kind == "function_call" => {
                self.calls.push(frame.item.id);
                let id = self.calls.last().map(String::as_str).unwrap_or_default();
                out.push(self.arguments(id, Some(frame.item.name), String::new()));
            }
            "response.function_call_arguments.delta" => out.push(self.arguments(&frame.item_id, None, frame.delta)),
            "response.output_item.done" => self.items.push(frame.item),
            "response.completed" | "response.incomplete" | "response.failed" | "response.cancelled" => {
                self.reply = frame.response.into_reply(std::mem::take(&mut self.items), &self.turn)?;
                return Ok(true);
            }
            "error" | "" => {
                if let Some(error) = error_body::in_frame(event.data) {
                    return Err(AdapterFault::Provider(Box::new(error)));
                }
            }
            _ => {}
        }
        Ok(false)
    }

    fn reply(&mut self) -> Reply {
        std::mem::take(&mut self.reply)
    }
}
