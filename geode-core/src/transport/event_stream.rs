//! AWS's binary event stream (`application/vnd.amazon.eventstream`): bytes, cut anywhere, to frames.
//!
//! A message is a prelude (length of the message, length of its headers, checksum of both), headers, a payload, and a
//! checksum of all before it. Facts: smithy.io, "Amazon Event Stream Specification"; read 2026-11. AWS's own crate for
//! it would bring twelve packages to every user of the client; this needs one, for the checksum.

use std::pin::Pin;
use std::task::{Context, Poll};

use bytes::{Buf, Bytes, BytesMut};
use futures_core::Stream;

use super::frames::Frame;
use super::{TransportError, TransportErrorKind};

/// Two lengths and their checksum.
const PRELUDE: usize = 12;
/// A checksum.
const CHECKSUM: usize = 4;

type Body = Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send>>;

/// The messages of a body, as frames. Ends after its first error; a message that the end of the body cuts is dropped.
///
/// An event's frame has its type as its name. An exception, which ends a stream, is named `exception:` and its type; an
/// error that no type stands for is named `error:` and its code. No type holds a colon.
pub(super) struct EventStream {
    /// `None` once it has ended.
    body: Option<Body>,
    buffer: BytesMut,
    max_message_bytes: usize,
}

impl EventStream {
    pub(super) fn new(body: Body, max_message_bytes: usize) -> Self {
        EventStream { body: Some(body), buffer: BytesMut::new(), max_message_bytes }
    }

    /// Takes the message that the buffer begins with, once all of it is there.
    fn take(&mut self) -> Result<Option<Frame>, TransportError> {
        let Some(prelude) = Prelude::read(&self.buffer)? else { return Ok(None) };
        if prelude.message > self.max_message_bytes {
            let message = format!("one event of the stream is larger than {} bytes", self.max_message_bytes);
            return Err(TransportError::new(TransportErrorKind::TooLarge, message));
        }
        if self.buffer.len() < prelude.message {
            return Ok(None);
        }
        let mut message = self.buffer.split_to(prelude.message).freeze();
        let checksum = message.split_off(message.len() - CHECKSUM).get_u32();
        if crc32fast::hash(&message) != checksum {
            return Err(corrupt("a message whose checksum doesn't fit"));
        }
        let mut headers = message.split_off(PRELUDE);
        let payload = headers.split_off(prelude.headers);
        frame(&headers, &payload).map(Some)
    }
}

impl Stream for EventStream {
    type Item = Result<Frame, TransportError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        loop {
            if self.body.is_none() {
                return Poll::Ready(None);
            }
            match self.take() {
                Ok(Some(frame)) => return Poll::Ready(Some(Ok(frame))),
                Ok(None) => {}
                Err(error) => {
                    self.body = None;
                    return Poll::Ready(Some(Err(error)));
                }
            }
            let Some(body) = &mut self.body else { return Poll::Ready(None) };
            match body.as_mut().poll_next(context) {
                Poll::Pending => return Poll::Pending,
                Poll::Ready(Some(Ok(piece))) => self.buffer.extend_from_slice(&piece),
                Poll::Ready(Some(Err(error))) => {
                    self.body = None;
                    return Poll::Ready(Some(Err(error)));
                }
                Poll::Ready(None) => {
                    self.body = None;
                    return Poll::Ready(None);
                }
            }
        }
    }
}

/// The lengths of a message and of its headers, in bytes.
struct Prelude {
    message: usize,
    headers: usize,
}

impl Prelude {
    /// Checked before a byte of the message is waited for: a wrong length would make the reader wait for ever.
    fn read(bytes: &[u8]) -> Result<Option<Self>, TransportError> {
        let Some(mut prelude) = bytes.get(..PRELUDE) else { return Ok(None) };
        let expected = crc32fast::hash(prelude.get(..PRELUDE - CHECKSUM).unwrap_or_default());
        let (message, headers, checksum) = (prelude.get_u32(), prelude.get_u32(), prelude.get_u32());
        if checksum != expected {
            return Err(corrupt("a message whose first checksum doesn't fit"));
        }
        let (Ok(message), Ok(headers)) = (usize::try_from(message), usize::try_from(headers)) else {
            return Err(corrupt("a message longer than this machine's memory"));
        };
        match message.checked_sub(PRELUDE + CHECKSUM) {
            Some(rest) if headers <= rest => Ok(Some(Prelude { message, headers })),
            _ => Err(corrupt("a message that is shorter than its headers")),
        }
    }
}

/// The headers that say what a message is.
#[derive(Default)]
struct Headers<'a> {
    message_type: &'a str,
    event_type: &'a str,
    exception_type: &'a str,
    error_code: &'a str,
    error_message: &'a str,
}

impl<'a> Headers<'a> {
    /// `None` where the bytes are no headers.
    fn read(mut bytes: &'a [u8]) -> Option<Self> {
        let mut headers = Headers::default();
        while !bytes.is_empty() {
            let length = take(&mut bytes, 1)?.get_u8();
            let name = take(&mut bytes, usize::from(length))?;
            let kind = take(&mut bytes, 1)?.get_u8();
            let length = match kind {
                0 | 1 => 0,
                2 => 1,
                3 => 2,
                4 => 4,
                5 | 8 => 8,
                6 | 7 => usize::from(take(&mut bytes, 2)?.get_u16()),
                9 => 16,
                _ => return None,
            };
            let value = take(&mut bytes, length)?;
            let known = match name {
                b":message-type" => &mut headers.message_type,
                b":event-type" => &mut headers.event_type,
                b":exception-type" => &mut headers.exception_type,
                b":error-code" => &mut headers.error_code,
                b":error-message" => &mut headers.error_message,
                _ => continue,
            };
            *known = std::str::from_utf8(value).ok().filter(|_| kind == 7)?;
        }
        Some(headers)
    }
}

fn take<'a>(bytes: &mut &'a [u8], length: usize) -> Option<&'a [u8]> {
    bytes.split_off(..length)
}

/// Makes the checksums of whole messages fit, after bytes in them were replaced.
#[cfg(feature = "testing")]
pub(super) fn reseal(mut stream: &mut [u8]) {
    while let Ok(Some(prelude)) = Prelude::read(stream)
        && let Some((message, rest)) = std::mem::take(&mut stream).split_at_mut_checked(prelude.message)
        && let Some((content, checksum)) = message.split_last_chunk_mut()
    {
        *checksum = crc32fast::hash(content).to_be_bytes();
        stream = rest;
    }
}

fn frame(headers: &[u8], payload: &[u8]) -> Result<Frame, TransportError> {
    let headers = Headers::read(headers).ok_or_else(|| corrupt("headers that can't be read"))?;
    let payload = std::str::from_utf8(payload).map_err(|_| corrupt("bytes that are no UTF-8"))?;
    let (name, data) = match headers {
        Headers { message_type: "event", event_type, .. } if !event_type.is_empty() => {
            (event_type.to_owned(), payload.to_owned())
        }
        Headers { message_type: "exception", exception_type, .. } => {
            (["exception:", exception_type].concat(), payload.to_owned())
        }
        Headers { message_type: "error", error_code, error_message, .. } => {
            let data = serde_json::json!({"message": error_message}).to_string();
            (["error:", error_code].concat(), data)
        }
        _ => return Err(corrupt("a message of an unknown kind")),
    };
    Ok(Frame { name: Some(name), data: if data.is_empty() { "{}".to_owned() } else { data } })
}

fn corrupt(what: &str) -> TransportError {
    TransportError::new(TransportErrorKind::Corrupt, format!("the event stream holds {what}"))
}
