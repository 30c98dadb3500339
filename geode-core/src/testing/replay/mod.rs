//! Records real exchanges once and replays them in tests.
//!
//! [`Recorder`] carries requests with another transport and keeps what went out and what came back in a cassette, a
//! JSON file to be read and committed. [`Replayer`] answers from the cassette, in order, and fails with the list of
//! differences when a request is no longer the one that was recorded.
//!
//! Secret headers are never kept, nor values whose names speak of secrets. Further fields go by [`Redaction`], before
//! anything touches the disk.

mod cassette;
mod difference;
mod redaction;
#[cfg(test)]
mod tests;

use std::fmt;
use std::future::Future;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;
use futures_util::StreamExt as _;

pub use cassette::CassetteError;
pub use redaction::Redaction;

use crate::transport::{
    ExchangeLimits, Transport, TransportError, TransportErrorKind, WireReply, WireRequest, WireStream,
};
use cassette::{Cassette, Exchange, RecordedReply, RecordedRequest};

type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, TransportError>> + Send + 'a>>;

/// Carries requests with another transport and keeps each exchange.
///
/// ```no_run
/// use geode_core::testing::replay::{Recorder, Redaction};
/// # fn with(real: impl geode_core::transport::Transport + 'static) -> Result<(), Box<dyn std::error::Error>> {
/// let recorder = Recorder::new(real, Redaction::default().pointer("/metadata/user_id"));
/// // … calls through a client that was given `recorder.clone()` …
/// recorder.save("tests/cassettes/triage.json")?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Recorder {
    inner: Arc<dyn Transport>,
    redaction: Arc<Redaction>,
    cassette: Arc<Mutex<Cassette>>,
}

impl fmt::Debug for Recorder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Recorder").finish_non_exhaustive()
    }
}

impl Recorder {
    /// Wraps a transport.
    pub fn new(transport: impl Transport + 'static, redaction: Redaction) -> Self {
        Recorder {
            inner: Arc::new(transport),
            redaction: Arc::new(redaction),
            cassette: Arc::new(Mutex::new(Cassette::default())),
        }
    }

    /// Writes what was recorded so far.
    ///
    /// # Errors
    ///
    /// Where the file can't be written.
    pub fn save(&self, path: impl Into<PathBuf>) -> Result<(), CassetteError> {
        self.cassette.lock().unwrap_or_else(PoisonError::into_inner).save(&path.into())
    }
}

impl Transport for Recorder {
    fn send<'a>(&'a self, request: WireRequest, limits: ExchangeLimits) -> Answer<'a, WireReply> {
        let recorded = RecordedRequest::of(&request, &self.redaction);
        Box::pin(async move {
            let reply = self.inner.send(request, limits).await?;
            let exchange = Exchange { request: recorded, reply: RecordedReply::of(&reply, &self.redaction) };
            keep(&self.cassette, exchange);
            Ok(reply)
        })
    }

    fn stream<'a>(&'a self, request: WireRequest, limits: ExchangeLimits) -> Answer<'a, WireStream> {
        let recorded = RecordedRequest::of(&request, &self.redaction);
        Box::pin(async move {
            let WireStream { status, headers, mut body } = self.inner.stream(request, limits).await?;
            let (cassette, redaction) = (Arc::clone(&self.cassette), Arc::clone(&self.redaction));
            let head = RecordedReply::head(status, &headers);
            // The exchange is kept when the stream ends, so that a cut stream is recorded as cut.
            let mut pieces = Kept { cassette, redaction, exchange: Some((recorded, head)), chunks: Vec::new() };
            let body = futures_util::stream::poll_fn(move |cx| {
                let polled = body.poll_next_unpin(cx);
                if let std::task::Poll::Ready(Some(Ok(chunk))) = &polled {
                    pieces.chunks.push(chunk.clone());
                }
                polled
            });
            Ok(WireStream { status, headers, body: Box::pin(body) })
        })
    }
}

/// A stream's pieces until it ends, in whatever way.
struct Kept {
    cassette: Arc<Mutex<Cassette>>,
    redaction: Arc<Redaction>,
    exchange: Option<(RecordedRequest, RecordedReply)>,
    chunks: Vec<Bytes>,
}

impl Drop for Kept {
    fn drop(&mut self) {
        if let Some((request, head)) = self.exchange.take() {
            let reply = head.with_chunks(&self.chunks, &self.redaction);
            keep(&self.cassette, Exchange { request, reply });
        }
    }
}

fn keep(cassette: &Mutex<Cassette>, exchange: Exchange) {
    cassette.lock().unwrap_or_else(PoisonError::into_inner).exchanges.push(exchange);
}

/// Answers from a cassette, in order.
#[derive(Clone)]
pub struct Replayer {
    cassette: Arc<Cassette>,
    redaction: Arc<Redaction>,
    next: Arc<Mutex<usize>>,
}

impl fmt::Debug for Replayer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Replayer").finish_non_exhaustive()
    }
}

impl Replayer {
    /// Reads a cassette. The redaction must be the one that it was recorded with.
    ///
    /// # Errors
    ///
    /// Where the file can't be read, or is no cassette.
    pub fn open(path: impl Into<PathBuf>, redaction: Redaction) -> Result<Self, CassetteError> {
        let cassette = Cassette::open(&path.into())?;
        Ok(Replayer { cassette: Arc::new(cassette), redaction: Arc::new(redaction), next: Arc::new(Mutex::new(0)) })
    }

    /// How many exchanges were not asked for. A test ends with `assert_eq!(replayer.remaining(), 0)`.
    pub fn remaining(&self) -> usize {
        let next = *self.next.lock().unwrap_or_else(PoisonError::into_inner);
        self.cassette.exchanges.len().saturating_sub(next)
    }

    fn answer(&self, request: &WireRequest) -> Result<&RecordedReply, TransportError> {
        let position = {
            let mut next = self.next.lock().unwrap_or_else(PoisonError::into_inner);
            *next += 1;
            *next - 1
        };
        let Some(exchange) = self.cassette.exchanges.get(position) else {
            return Err(mismatch(format!("the cassette holds {position} exchanges, and one more was asked for")));
        };
        let differences = exchange.request.differences(&RecordedRequest::of(request, &self.redaction));
        if differences.is_empty() {
            Ok(&exchange.reply)
        } else {
            let list = differences.join("\n  ");
            Err(mismatch(format!("request {position} is not the one that was recorded:\n  {list}")))
        }
    }
}

fn mismatch(message: String) -> TransportError {
    TransportError { kind: TransportErrorKind::Unsupported, message, source: None }
}

impl Transport for Replayer {
    fn send<'a>(&'a self, request: WireRequest, _: ExchangeLimits) -> Answer<'a, WireReply> {
        Box::pin(async move { self.answer(&request).map(RecordedReply::whole) })
    }

    fn stream<'a>(&'a self, request: WireRequest, _: ExchangeLimits) -> Answer<'a, WireStream> {
        Box::pin(async move {
            let reply = self.answer(&request)?;
            let chunks = reply.chunks().into_iter().map(Ok);
            Ok(WireStream {
                status: reply.status,
                headers: reply.headers(),
                body: Box::pin(futures_util::stream::iter(chunks)),
            })
        })
    }
}
