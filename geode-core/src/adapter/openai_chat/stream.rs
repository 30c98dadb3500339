//! Streamed answers of Chat Completions.

use super::calls::Calls;
use super::response::{Completion, finish_reason};
use super::think::ThinkFilter;
use crate::adapter::one_reply::EventReader;
use crate::adapter::settle::Turn;
use crate::adapter::{AdapterFault, StreamEvent, error_body};
use crate::reply::{Event, Reply};
use crate::request::Request;

/// Reads the pieces. The answer is complete once a finish reason came; usage may follow, then `[DONE]`, which some
/// servers leave out.
pub(super) struct ChatReader {
    turn: Turn,
    reply: Reply,
    calls: Calls,
    filter: ThinkFilter,
}

impl ChatReader {
    pub(super) fn new(request: &Request, leading_think: bool) -> Self {
        ChatReader {
            turn: Turn::of(request),
            reply: Reply::default(),
            calls: Calls::default(),
            filter: ThinkFilter::new(leading_think),
        }
    }
}

impl EventReader for ChatReader {
    fn take(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<bool, AdapterFault> {
        if event.data.trim() == "[DONE]" {
            return Ok(self.reply.finish.is_some());
        }
        let piece: Completion =
            serde_json::from_str(event.data).map_err(|error| error_body::malformed_frame(&error))?;
        if (piece.error.is_some() || piece.choices.is_empty())
            && let Some(error) = error_body::in_frame(event.data)
        {
            return Err(AdapterFault::Provider(Box::new(error)));
        }
        self.reply.id = self.reply.id.take().or(piece.id);
        self.reply.request_id = self.reply.request_id.take().or(piece.request_id);
        self.reply.model = self.reply.model.take().or(piece.model);
        let usage = piece.usage.into();
        if usage != Default::default() {
            self.reply.usage = usage;
        }
        for choice in piece.choices.into_iter().filter(|choice| choice.index == 0) {
            let text = self.filter.push(choice.delta.content.0);
            if !text.is_empty() {
                self.reply.text.push_str(&text);
                out.push(Event::Text(text));
            }
            if let Some(refusal) = choice.delta.refusal.filter(|refusal| !refusal.is_empty()) {
                self.reply.refusal.get_or_insert_default().push_str(&refusal);
                out.push(Event::Refusal(refusal));
            }
            for call in choice.delta.tool_calls {
                let (name, delta) = (call.function.name, call.function.arguments.0);
                let Some(index) = self.calls.push(call.index, call.id, &name, &delta) else {
                    return Err(AdapterFault::Malformed {
                        reason: "the stream holds arguments of a call that it never began".to_owned(),
                        status: None,
                        request_id: None,
                    });
                };
                out.push(Event::ToolInput { index, name: (!name.is_empty()).then_some(name), delta });
            }
            if let Some(reason) = choice.finish_reason {
                self.reply.finish = Some(finish_reason(reason));
            }
        }
        Ok(false)
    }

    fn reply(&mut self) -> Reply {
        let mut reply = std::mem::take(&mut self.reply);
        let rest = self.filter.finish(&mut reply.notes);
        reply.text.push_str(&rest);
        std::mem::take(&mut self.calls).finish(&self.turn, &mut reply.tool_uses);
        reply
    }
}
