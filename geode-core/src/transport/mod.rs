//! The only code that talks to the world: HTTP, server-sent events, and subprocesses.

mod debug;
mod event_stream;
mod frames;
mod http;
mod lines;
mod process;
mod sse;
mod standard;

#[cfg(feature = "testing")]
pub(crate) use frames::reseal;
pub use frames::{Frame, Frames};
pub(crate) use frames::{frames_of, is_event_stream};
pub use http::HttpTransport;
pub(crate) use lines::Lines;
pub use process::ProcessTransport;
pub use standard::StandardTransport;

use std::borrow::Cow;
use std::ffi::OsString;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use secrecy::SecretString;

/// What an adapter wants carried.
#[non_exhaustive]
pub enum WireRequest {
    /// An HTTP exchange.
    Http(HttpRequest),
    /// A subprocess.
    Process(ProcessRequest),
    /// Nothing leaves the process: the body comes back as it is (the embedded adapter).
    Loopback(Bytes),
}

/// An HTTP request.
pub struct HttpRequest {
    /// Method.
    pub method: HttpMethod,
    /// Full URL. Holds no secret.
    pub url: String,
    /// Headers without secrets; names in lower case.
    pub headers: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    /// Headers that hold a secret; names in lower case.
    pub secret_headers: Vec<(Cow<'static, str>, SecretString)>,
    /// Adds the headers that hold the time, when the request is sent.
    pub signer: Option<Arc<dyn RequestSigner>>,
    /// Body: JSON, or what the `content-type` header says.
    pub body: Bytes,
}

/// Signs requests at the moment they are sent: a signature holds the time, and an adapter reads no clock.
pub trait RequestSigner: Send + Sync {
    /// The headers of the signature; names in lower case. It must not block.
    ///
    /// # Errors
    ///
    /// Where the request can't be signed: a key is empty, or the URL is none.
    fn sign(
        &self,
        request: &HttpRequest,
        now: SystemTime,
    ) -> Result<Vec<(Cow<'static, str>, SecretString)>, TransportError>;
}

/// Method of an [`HttpRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpMethod {
    /// Sends a body.
    Post,
    /// Asks for a resource; the body is empty.
    Get,
}

/// A subprocess that reads a prompt and prints its answer. Never run through a shell; it starts in an empty directory
/// of its own, so that project files lying about don't reach the model.
pub struct ProcessRequest {
    /// Program, looked up on `PATH` where it has no slash.
    pub program: OsString,
    /// Arguments.
    pub arguments: Vec<Argument>,
    /// Whether the program sees this process's environment.
    pub inherit_environment: bool,
    /// Environment set on top.
    pub environment: Vec<(OsString, SecretString)>,
    /// Written to the program's standard input, which is then closed.
    pub stdin: Bytes,
    /// Files made before the start, readable by this user alone, and removed in every case. [`Argument::File`] names
    /// them by their position.
    pub files: Vec<Bytes>,
    /// How to install the program, for the error where it is missing.
    pub install_hint: &'static str,
}

/// One argument of a [`ProcessRequest`].
#[derive(Clone, PartialEq, Eq)]
pub enum Argument {
    /// Text, handed on as it is.
    Text(OsString),
    /// The path of the request's `index`th file, behind `prefix`.
    File {
        /// What stands before the path: `--schema=`, or nothing.
        prefix: &'static str,
        /// Position in [`ProcessRequest::files`].
        index: usize,
    },
}

impl<T: Into<OsString>> From<T> for Argument {
    fn from(text: T) -> Self {
        Argument::Text(text.into())
    }
}

/// A whole answer as it came.
pub struct WireReply {
    /// HTTP status or exit code (128 and the signal's number, where a signal ended the program); 0 for a loopback.
    pub status: i32,
    /// Response headers, names in lower case; empty for a process.
    pub headers: Vec<(String, String)>,
    /// Body, or standard output.
    pub body: Bytes,
    /// Standard error of a process, at most 64 KiB of its end.
    pub stderr: Bytes,
}

impl WireReply {
    /// A header's value.
    pub fn header(&self, name: &str) -> Option<&str> {
        header(&self.headers, name)
    }
}

fn header<'a>(headers: &'a [(String, String)], name: &str) -> Option<&'a str> {
    headers.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
}

/// A streamed answer: its head, and its body in pieces. Dropping it ends the exchange.
pub struct WireStream {
    /// HTTP status; 0 while a process runs.
    pub status: i32,
    /// Response headers, names in lower case.
    pub headers: Vec<(String, String)>,
    /// The body's pieces, cut anywhere.
    pub body: Pin<Box<dyn futures_core::Stream<Item = Result<Bytes, TransportError>> + Send>>,
}

/// What a streamed answer's head says about its body.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BodyKind {
    /// Events, one after another: read it with [`Frames`].
    Events,
    /// Something else. Where it is a whole JSON answer or an error, [`WireStream::collect`] and
    /// [`Adapter::decode`](crate::adapter::Adapter::decode) read it.
    Whole,
}

impl WireStream {
    /// A header's value.
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
struct Collected {
    first: Bytes,
    rest: Vec<u8>,
}

impl Collected {
    fn push(&mut self, piece: Bytes, max_bytes: usize) -> Result<(), TransportError> {
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

    fn into_bytes(self) -> Bytes {
        if self.rest.is_empty() { self.first } else { self.rest.into() }
    }
}

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

/// A fault below the provider's own protocol.
#[must_use]
#[derive(Debug)]
#[non_exhaustive]
pub struct TransportError {
    /// What kind of fault it is.
    pub kind: TransportErrorKind,
    /// What failed, without URLs or content.
    pub message: String,
    /// The cause.
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What kind of fault a [`TransportError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// No connection, or TLS failed.
    Connect,
    /// The server's certificate can't be trusted: its authority is not known, it is another host's, or it has expired.
    /// Nothing was sent.
    Untrusted,
    /// The whole exchange took too long.
    Timeout,
    /// A streamed body went silent for too long.
    Idle,
    /// The connection broke while the answer came.
    Interrupted,
    /// The answer grew over the size limit.
    TooLarge,
    /// The answer's bytes are not what the protocol allows: a stream that is no UTF-8.
    Corrupt,
    /// The program is not installed or can't be started.
    ProgramMissing,
    /// The program ended with a failure after its output was streamed.
    ProgramFailed,
    /// The request can't be carried: an argument over the system's limit, a transport that lacks the kind.
    Unsupported,
}

impl TransportError {
    /// A fault of a kind. The message must hold no URL and no content.
    pub fn new(kind: TransportErrorKind, message: impl Into<String>) -> Self {
        TransportError { kind, message: message.into(), source: None }
    }

    /// The same fault with its cause.
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    fn too_large(max_bytes: usize) -> Self {
        TransportError::new(
            TransportErrorKind::TooLarge,
            format!("the answer is larger than the limit of {max_bytes} bytes (`ExchangeLimits::max_bytes`)"),
        )
    }
}

impl TransportErrorKind {
    /// Whether the same request may succeed later.
    pub fn is_retryable(self) -> bool {
        matches!(
            self,
            TransportErrorKind::Connect
                | TransportErrorKind::Timeout
                | TransportErrorKind::Idle
                | TransportErrorKind::Interrupted
        )
    }
}

impl std::fmt::Display for TransportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TransportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &**source as &(dyn std::error::Error + 'static))
    }
}
