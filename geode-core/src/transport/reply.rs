//! What comes back: a whole answer, or one in pieces.

use std::pin::Pin;

use bytes::Bytes;
use http::HeaderMap;
use http::header::AsHeaderName;

use super::TransportError;
use super::frames::is_event_stream;

/// A whole answer as it came.
pub struct WireReply {
    /// HTTP status or exit code (128 and the signal's number, where a signal ended the program); 0 for a loopback.
    pub status: i32,
    /// Response headers; empty for a process.
    pub headers: HeaderMap,
    /// Body, or standard output.
    pub body: Bytes,
    /// Standard error of a process, at most 64 KiB of its end.
    pub stderr: Bytes,
}

impl WireReply {
    /// A header's value, where it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

/// A header's value, where it is text.
pub(crate) fn header(headers: &HeaderMap, name: impl AsHeaderName) -> Option<&str> {
    headers.get(name)?.to_str().ok()
}

/// A streamed answer: its head, and its body in pieces. Dropping it ends the exchange.
pub struct WireStream {
    /// HTTP status; 0 while a process runs.
    pub status: i32,
    /// Response headers.
    pub headers: HeaderMap,
    /// The body's pieces, cut anywhere.
    pub body: Pin<Box<dyn futures_core::Stream<Item = Result<Bytes, TransportError>> + Send>>,
}

/// What a streamed answer's head says about its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyKind {
    /// Events, one after another: read it with [`Frames`](super::Frames).
    Events,
    /// Something else. Where it is a whole JSON answer or an error, [`WireStream::collect`] and
    /// [`Adapter::decode`](crate::adapter::Adapter::decode) read it.
    Whole,
}

impl WireStream {
    /// A header's value, where it is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }

    /// Whether the body is a stream of events. An error status never is one; a success without a content type is taken
    /// for one, since it was asked for.
    pub fn kind(&self) -> BodyKind {
        let events = self.header("content-type").is_none_or(is_event_stream);
        match self.status {
            200..=299 if events => BodyKind::Events,
            _ => BodyKind::Whole,
        }
    }

    /// Reads the rest of the body, at most `max_bytes`.
    ///
    /// # Errors
    ///
    /// Where the body breaks off, or is larger.
    pub async fn collect(mut self, max_bytes: usize) -> Result<WireReply, TransportError> {
        let mut body = Collected::default();
        while let Some(piece) = std::future::poll_fn(|context| self.body.as_mut().poll_next(context)).await {
            body.push(piece?, max_bytes)?;
        }
        Ok(WireReply { status: self.status, headers: self.headers, body: body.into_bytes(), stderr: Bytes::new() })
    }
}

/// A body as it grows. One that comes in one piece is never copied.
#[derive(Default)]
pub(super) struct Collected {
    first: Bytes,
    rest: Vec<u8>,
}

impl Collected {
    pub(super) fn push(&mut self, piece: Bytes, max_bytes: usize) -> Result<(), TransportError> {
        let length = self.first.len().max(self.rest.len()) + piece.len();
        if length > max_bytes {
            return Err(TransportError::too_large(max_bytes));
        }
        if self.first.is_empty() && self.rest.is_empty() {
            self.first = piece;
        } else {
            if self.rest.is_empty() {
                self.rest.reserve(length);
                self.rest.extend_from_slice(&self.first);
                self.first = Bytes::new();
            }
            self.rest.extend_from_slice(&piece);
        }
        Ok(())
    }

    pub(super) fn into_bytes(self) -> Bytes {
        if self.rest.is_empty() { self.first } else { self.rest.into() }
    }
}
