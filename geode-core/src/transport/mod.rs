//! The only code that talks to the world: HTTP, server-sent events, and subprocesses.

mod debug;
mod error;
mod event_stream;
mod frames;
mod http;
mod lines;
mod process;
mod reply;
mod request;
mod sse;
mod standard;

pub use self::http::HttpTransport;
#[doc(no_inline)]
pub use ::http::HeaderMap;
pub use error::{TransportError, TransportErrorKind};
#[cfg(feature = "testing")]
pub(crate) use frames::reseal;
pub use frames::{Frame, Frames};
pub(crate) use frames::{frames_of, is_event_stream};
pub(crate) use lines::Lines;
pub use process::ProcessTransport;
use reply::Collected;
pub(crate) use reply::header;
pub use reply::{BodyKind, WireReply, WireStream};
pub use request::{Argument, HttpMethod, HttpRequest, ProcessRequest, RequestSigner, WireRequest};
pub use standard::StandardTransport;

use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

/// Limits of one exchange.
#[derive(Debug, Clone, Copy)]
pub struct ExchangeLimits {
    /// Time for the whole exchange.
    pub timeout: Duration,
    /// Time between two pieces of a streamed body.
    pub idle: Duration,
    /// Most bytes of the answer.
    pub max_bytes: usize,
}

/// Carries what adapters encode.
pub trait Transport: Send + Sync {
    /// Carries a request and collects the whole answer.
    fn send<'a>(
        &'a self,
        request: WireRequest,
        limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>>;

    /// Whether [`send`](Self::send) itself ends by [`ExchangeLimits::timeout`]. Otherwise the caller holds it to that,
    /// with a timer of its own.
    fn keeps_timeout(&self) -> bool {
        false
    }

    /// Carries a request and returns as soon as the answer's head is there.
    fn stream<'a>(
        &'a self,
        request: WireRequest,
        limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>>;
}
