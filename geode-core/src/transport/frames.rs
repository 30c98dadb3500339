//! The frames of a streamed body, whichever way they are set apart.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use futures_util::{FutureExt, TryStreamExt};

use super::event_stream::EventStream;
use super::sse::ServerSentEvents;
use super::{TransportError, WireReply, WireStream};

/// One event.
#[derive(Clone, PartialEq, Eq)]
pub struct Frame {
    /// The event's type, where it names one. In AWS's event stream an exception is named `exception:` and its type, an
    /// error `error:` and its code.
    pub name: Option<String>,
    /// Its data; of a server-sent event, its lines joined by `\n`. Never empty.
    pub data: String,
}

/// The frames of a body: server-sent events, or AWS's binary event stream where the content type says so. Comments,
/// frames without data and keep-alives are left out. Ends after its first error; an event that the end of the body cuts
/// is dropped.
pub struct Frames(Framing);

enum Framing {
    ServerSentEvents(ServerSentEvents),
    EventStream(EventStream),
}

impl Frames {
    /// Reads the body of a stream. Events over `max_event_bytes` are an error; of server-sent events the count is exact
    /// to one piece of the body.
    pub fn new(stream: WireStream, max_event_bytes: usize) -> Self {
        Frames(match stream.header("content-type").is_some_and(is_aws_event_stream) {
            true => Framing::EventStream(EventStream::new(stream.body, max_event_bytes)),
            false => Framing::ServerSentEvents(ServerSentEvents::new(stream.body, max_event_bytes)),
        })
    }

    /// The next frame.
    ///
    /// # Errors
    ///
    /// Where the body breaks off, goes silent, holds an event over the limit, or bytes that its framing does not allow:
    /// no UTF-8, a checksum that doesn't fit.
    pub async fn next(&mut self) -> Option<Result<Frame, TransportError>> {
        std::future::poll_fn(|context| Pin::new(&mut *self).poll_next(context)).await
    }
}

impl Stream for Frames {
    type Item = Result<Frame, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        match &mut self.0 {
            Framing::ServerSentEvents(events) => Pin::new(events).poll_next(context),
            Framing::EventStream(messages) => Pin::new(messages).poll_next(context),
        }
    }
}

/// The frames of a body that is there as a whole.
pub(crate) fn frames_of(reply: &WireReply) -> Result<Vec<Frame>, TransportError> {
    let body: Result<Bytes, TransportError> = Ok(reply.body.clone());
    let body = Box::pin(futures_util::stream::once(std::future::ready(body)));
    let stream = WireStream { status: reply.status, headers: reply.headers.clone(), body };
    // Nothing is waited for, so one poll reads it all.
    Frames::new(stream, usize::MAX).try_collect().now_or_never().unwrap_or_else(|| Ok(Vec::new()))
}

/// Whether a content type is one of a stream of events.
pub(crate) fn is_event_stream(content_type: &str) -> bool {
    is_media_type(content_type, "text/event-stream") || is_aws_event_stream(content_type)
}

/// Makes the checksums of a streamed body fit, after bytes in it were replaced by as many others. Server-sent events have
/// none.
#[cfg(feature = "testing")]
pub(crate) fn reseal(content_type: Option<&str>, body: &mut [u8]) {
    if content_type.is_some_and(is_aws_event_stream) {
        super::event_stream::reseal(body);
    }
}

fn is_aws_event_stream(content_type: &str) -> bool {
    is_media_type(content_type, "application/vnd.amazon.eventstream")
}

fn is_media_type(content_type: &str, wanted: &str) -> bool {
    let Some((found, behind)) = content_type.trim_ascii_start().split_at_checked(wanted.len()) else { return false };
    let ends = matches!(behind.trim_ascii_start().as_bytes().first(), None | Some(b';'));
    ends && found.eq_ignore_ascii_case(wanted)
}
