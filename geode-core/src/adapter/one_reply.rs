//! One reply a stream: what the decoders of all wires over HTTP have in common.

use super::settle::settle;
use super::{AdapterFault, Decoder, StreamEvent};
use crate::reply::{Event, Reply};

/// Reads the events of one wire, up to the one that makes the answer complete.
pub(crate) trait EventReader: Send {
    /// Takes one event, and says whether the answer is complete with it: no other is taken then.
    fn take(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<bool, AdapterFault>;

    /// Hands out the reply as far as it came. Asked once, at the end.
    fn reply(&mut self) -> Reply;
}

/// The decoder of a wire whose events are read so.
pub(crate) struct OneReply<R> {
    reader: R,
    /// The complete reply.
    reply: Option<Reply>,
}

impl<R> OneReply<R> {
    pub(crate) fn new(reader: R) -> Self {
        OneReply { reader, reply: None }
    }
}

impl<R: EventReader> Decoder for OneReply<R> {
    fn event(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<(), AdapterFault> {
        if self.reply.is_none() && self.reader.take(event, out)? {
            let reply = settle(self.reader.reply());
            out.push(Event::Done(Box::new(reply.clone())));
            self.reply = Some(reply);
        }
        Ok(())
    }

    fn finish(mut self: Box<Self>) -> Reply {
        self.reply.take().unwrap_or_else(|| settle(self.reader.reply()))
    }
}
