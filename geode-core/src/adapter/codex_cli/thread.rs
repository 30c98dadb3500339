//! The JSON lines of `codex exec --json`.

use super::super::cli::{Members, left_out, no_output, said};
use super::super::{AdapterFault, Decoder, StreamEvent};
use super::failure;
use crate::reply::{Event, FinishReason, Reply, Usage};
use crate::request::Request;
use crate::transport::WireReply;

/// Reads the program's whole output.
pub(super) fn read(request: &Request, wire: &WireReply) -> Result<Reply, AdapterFault> {
    let mut thread = Thread::new(request);
    let mut seen = Vec::new();
    for line in String::from_utf8_lossy(&wire.body).lines() {
        thread.line(line, &mut seen)?;
        if let Some(Event::Done(reply)) = seen.pop() {
            return Ok(*reply);
        }
    }
    match (wire.status, thread.reply.finish.is_some()) {
        (0, _) => Ok(thread.reply),
        (_, false) => Err(failure::without_turn(wire)),
        (_, true) => Err(no_output("codex", wire)),
    }
}

/// One turn. A message counts only once the turn is completed, and the program then exits with 0: so the answer comes
/// from [`finish`](Decoder::finish). A turn that failed is done at once.
pub(super) struct Thread {
    reply: Reply,
    /// The last error that was no attempt to reconnect: `turn.failed` may only point to it.
    error: Option<String>,
}

impl Thread {
    pub(super) fn new(request: &Request) -> Self {
        let mut reply = Reply::default();
        left_out(&mut reply, "temperature", request.temperature.is_some());
        left_out(&mut reply, "max_output_tokens", request.max_output_tokens.is_some());
        Thread { reply, error: None }
    }

    fn line(&mut self, line: &str, out: &mut Vec<Event>) -> Result<(), AdapterFault> {
        let Some(event) = Members::read(line) else { return Ok(()) };
        match event.text("type").unwrap_or_default().as_str() {
            "thread.started" => self.reply.id = event.filled("thread_id"),
            "item.completed" => self.item(&event.object("item"), out),
            "error" => {
                let message = event.text("message").unwrap_or_default();
                if message.starts_with("Reconnecting") {
                    self.reply.notes.push(said("codex", &message));
                } else {
                    self.error = Some(message);
                }
            }
            "turn.completed" => self.complete(&event.object("usage")),
            "turn.failed" => self.fail(event.object("error").text("message").unwrap_or_default(), out)?,
            _ => {}
        }
        Ok(())
    }

    fn item(&mut self, item: &Members, out: &mut Vec<Event>) {
        match item.text("type").unwrap_or_default().as_str() {
            // Each is a whole message; the last one is the answer.
            "agent_message" => {
                self.reply.text = item.text("text").unwrap_or_default();
                out.push(Event::Text(self.reply.text.clone()));
            }
            // A warning, whatever its name: a turn may well go on to complete.
            "error" => self.reply.notes.push(said("codex", &item.text("message").unwrap_or_default())),
            _ => {}
        }
    }

    fn complete(&mut self, usage: &Members) {
        self.reply.finish = Some(FinishReason::Stop);
        self.reply.usage = Usage {
            input_tokens: usage.count("input_tokens"),
            cached_input_tokens: usage.count("cached_input_tokens"),
            output_tokens: usage.count("output_tokens"),
            reasoning_tokens: usage.count("reasoning_output_tokens"),
        };
        if self.reply.text.is_empty() {
            // The program drops a refusal's text; that the model wrote something is all that shows of it.
            let written = self.reply.usage.output_tokens.saturating_sub(self.reply.usage.reasoning_tokens);
            let why = match written {
                0 => "the model said nothing",
                _ => "what the model wrote is not shown, so it probably declined",
            };
            self.reply.notes.push(format!("codex completed its turn without a message: {why}"));
        }
    }

    fn fail(&mut self, message: String, out: &mut Vec<Event>) -> Result<(), AdapterFault> {
        self.reply.finish = failure::read(&message, self.error.as_deref())?;
        out.push(Event::Done(Box::new(self.reply.clone())));
        Ok(())
    }
}

impl Decoder for Thread {
    fn event(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<(), AdapterFault> {
        self.line(event.data, out)
    }

    fn finish(self: Box<Self>) -> Reply {
        self.reply
    }
}
