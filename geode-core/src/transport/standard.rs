//! The transport that carries every kind of request.

use std::pin::Pin;
use std::sync::OnceLock;

use bytes::Bytes;

use super::{
    ExchangeLimits, HeaderMap, HttpTransport, ProcessTransport, Transport, TransportError, WireReply, WireRequest,
    WireStream,
};

/// Carries HTTP, subprocesses, and the embedded adapter's loopback.
#[derive(Debug, Clone, Default)]
pub struct StandardTransport {
    http: OnceLock<HttpTransport>,
    process: ProcessTransport,
}

impl StandardTransport {
    /// A transport with its own pool of connections, which is set up when the first HTTP request comes.
    pub fn new() -> Self {
        StandardTransport::default()
    }

    /// Set up when first needed: TLS reads the system's certificates, which a subprocess or the embedded adapter should
    /// not wait for.
    fn http(&self) -> Result<&HttpTransport, TransportError> {
        if let Some(http) = self.http.get() {
            return Ok(http);
        }
        let http = HttpTransport::new()?;
        Ok(self.http.get_or_init(|| http))
    }
}

impl Transport for StandardTransport {
    fn keeps_timeout(&self) -> bool {
        true
    }

    fn send<'a>(
        &'a self,
        request: WireRequest,
        limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>> {
        match request {
            WireRequest::Process(_) => self.process.send(request, limits),
            WireRequest::Loopback(body) => Box::pin(std::future::ready(Ok(WireReply {
                status: 0,
                headers: HeaderMap::new(),
                body,
                stderr: Bytes::new(),
            }))),
            WireRequest::Http(_) => match self.http() {
                Ok(http) => http.send(request, limits),
                Err(error) => Box::pin(std::future::ready(Err(error))),
            },
        }
    }

    fn stream<'a>(
        &'a self,
        request: WireRequest,
        limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>> {
        match request {
            WireRequest::Process(_) => self.process.stream(request, limits),
            WireRequest::Loopback(body) => Box::pin(std::future::ready(Ok(WireStream {
                status: 0,
                headers: HeaderMap::new(),
                body: Box::pin(futures_util::stream::iter(pieces(body).into_iter().map(Ok))),
            }))),
            WireRequest::Http(_) => match self.http() {
                Ok(http) => http.stream(request, limits),
                Err(error) => Box::pin(std::future::ready(Err(error))),
            },
        }
    }
}

/// A loopback body in lines, so that a stream of it comes in pieces.
fn pieces(mut body: Bytes) -> Vec<Bytes> {
    let mut pieces = Vec::new();
    while let Some(end) = body.iter().position(|&byte| byte == b'\n') {
        pieces.push(body.split_to(end + 1));
    }
    if !body.is_empty() {
        pieces.push(body);
    }
    pieces
}
