//! Server-sent events: bytes, cut anywhere, to frames.
//!
//! The parsing is `sse-stream`'s: strict UTF-8, every line ending, one frame however its bytes are cut. It has no limit
//! on the size of an event, so this wrapper counts the bytes that go in between two frames.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};

use bytes::Bytes;
use futures_core::Stream;
use sse_stream::SseByteStream;

use super::frames::Frame;
use super::{TransportError, TransportErrorKind};

/// The events of a body, as frames. Ends after its first error; an event that the end of the body cuts is dropped.
pub(super) struct ServerSentEvents {
    events: SseByteStream<Counted>,
    since_frame: Arc<AtomicUsize>,
}

impl ServerSentEvents {
    /// Events over `max_event_bytes` are an error; the count is exact to one piece of the body.
    pub(super) fn new(
        body: Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send>>,
        max_event_bytes: usize,
    ) -> Self {
        let since_frame = Arc::new(AtomicUsize::new(0));
        let counted = Counted { body, since_frame: Arc::clone(&since_frame), max_event_bytes };
        ServerSentEvents { events: SseByteStream::new(counted), since_frame }
    }
}

impl Stream for ServerSentEvents {
    type Item = Result<Frame, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            let event = match Pin::new(&mut self.events).poll_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(transport_error(error)))),
                Poll::Ready(Some(Ok(event))) => event,
            };
            self.since_frame.store(0, Ordering::Relaxed);
            // Some gateways send their keep-alive comments as data (`data: : keepalive`).
            if let Some(data) = event.data
                && !data.is_empty()
                && !data.starts_with(':')
            {
                return Poll::Ready(Some(Ok(Frame { name: event.event, data })));
            }
        }
    }
}

fn transport_error(error: sse_stream::Error) -> TransportError {
    match error {
        sse_stream::Error::Body(source) => match source.downcast::<TransportError>() {
            Ok(error) => *error,
            Err(source) => {
                TransportError::new(TransportErrorKind::Interrupted, "the stream broke off").with_source(source)
            }
        },
        error => TransportError::new(TransportErrorKind::Corrupt, "the event stream holds bytes that are no UTF-8")
            .with_source(error),
    }
}

/// The body's pieces, counted.
struct Counted {
    body: Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send>>,
    since_frame: Arc<AtomicUsize>,
    max_event_bytes: usize,
}

impl Stream for Counted {
    type Item = Result<Bytes, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        // Read before the next piece: what came since the last frame is one event, unfinished.
        if self.since_frame.load(Ordering::Relaxed) > self.max_event_bytes {
            let message = format!("one event of the stream is larger than {} bytes", self.max_event_bytes);
            return Poll::Ready(Some(Err(TransportError::new(TransportErrorKind::TooLarge, message))));
        }
        let piece = self.body.as_mut().poll_next(context);
        if let Poll::Ready(Some(Ok(bytes))) = &piece {
            self.since_frame.fetch_add(bytes.len(), Ordering::Relaxed);
        }
        piece
    }
}
