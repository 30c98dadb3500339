//! `--output-format=stream-json`: one JSON object a line, of which the `result` line alone counts.
//!
//! The program can print the answer as the model writes it, and then asks the model again where that doesn't fit. What a
//! preview had shown would be another answer than the one that counts, so nothing is shown.

use super::super::cli::Members;
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
}

impl Lines {
    pub(super) fn new(request: &Request) -> Self {
        Lines { request: request.clone(), reply: Reply::default() }
    }
}

impl Decoder for Lines {
    fn event(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<(), AdapterFault> {
        // The program's own notices may stand between the lines.
        let result = Members::read(event.data).filter(|line| line.text("type").as_deref() == Some("result"));
        if let Some(result) = result {
            self.reply = outcome::settle(&self.request, &result)?;
            if self.reply.finish != Some(FinishReason::Stop) {
                out.push(Event::Done(Box::new(self.reply.clone())));
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Reply {
        self.reply
    }
}
