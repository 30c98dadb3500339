//! `--output-format=stream-json`: one JSON object a line.

use super::super::cli::{Members, native};
use super::super::{AdapterFault, Decoder, StreamEvent};
use super::outcome;
use crate::reply::{Event, FinishReason, Reply};
use crate::request::Request;

/// Reads the lines. An answer is complete with the `result` line and counts only if the program then exits with 0, so it
/// comes from [`finish`](Decoder::finish), when the output has ended. A refusal or a cut answer is done at once: the
/// program exits with 1 after it.
pub(super) struct Lines {
    request: Request,
    reply: Reply,
    /// The content block that holds the answer being written.
    block: Option<u64>,
    /// Blocks with an answer so far. A second one is another attempt; a preview can't start anew, so it stays with the
    /// first.
    blocks: usize,
}

impl Lines {
    pub(super) fn new(request: &Request) -> Self {
        Lines { request: request.clone(), reply: Reply::default(), block: None, blocks: 0 }
    }

    /// An event of the Messages API, as the program received it.
    fn partial(&mut self, event: &Members, out: &mut Vec<Event>) {
        let index = event.get("index");
        match event.text("type").unwrap_or_default().as_str() {
            "content_block_start" => {
                let block = event.object("content_block");
                let answers = match native(&self.request) {
                    Some(_) => block.text("name").as_deref() == Some("StructuredOutput"),
                    None => block.text("type").as_deref() == Some("text"),
                };
                if answers {
                    self.block = index;
                    self.blocks += 1;
                }
            }
            "content_block_delta" if self.blocks == 1 && index.is_some() && index == self.block => {
                let delta = event.object("delta");
                let text = delta.filled("partial_json").or_else(|| delta.filled("text"));
                out.extend(text.map(Event::Text));
            }
            "content_block_stop" if index == self.block => self.block = None,
            _ => {}
        }
    }
}

impl Decoder for Lines {
    fn event(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<(), AdapterFault> {
        // The program's own notices may stand between the lines.
        let Some(line) = Members::read(event.data) else { return Ok(()) };
        match line.text("type").unwrap_or_default().as_str() {
            "stream_event" => self.partial(&line.object("event"), out),
            "result" => {
                self.reply = outcome::settle(&self.request, &line)?;
                if self.reply.finish != Some(FinishReason::Stop) {
                    out.push(Event::Done(Box::new(self.reply.clone())));
                }
            }
            _ => {}
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Reply {
        self.reply
    }
}
