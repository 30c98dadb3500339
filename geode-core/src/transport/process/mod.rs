//! Subprocesses: a prompt in by standard input, an answer out by standard output.
//!
//! Whatever way an exchange ends (answer, fault, timeout, a dropped future), the program, everything it started in its
//! process group, and the files made for it are gone. A program that leaves its process group escapes this.

mod running;
mod start;

#[cfg(test)]
mod tests;

use std::future::Future;
use std::pin::Pin;

use super::{
    ExchangeLimits, HeaderMap, ProcessRequest, Transport, TransportError, TransportErrorKind, WireReply, WireRequest,
    WireStream,
};
use running::Running;

/// Carries [`WireRequest::Process`] and nothing else.
///
/// A program starts in an empty directory of its own, with a process group of its own, and never through a shell.
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct ProcessTransport;

impl ProcessTransport {
    /// A transport for subprocesses. It holds nothing.
    pub fn new() -> Self {
        ProcessTransport
    }
}

impl Transport for ProcessTransport {
    fn keeps_timeout(&self) -> bool {
        true
    }

    fn send<'a>(
        &'a self,
        request: WireRequest,
        limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>> {
        Box::pin(async move { collect(process_of(request)?, limits).await })
    }

    fn stream<'a>(
        &'a self,
        request: WireRequest,
        limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>> {
        Box::pin(async move { stream(process_of(request)?, limits) })
    }
}

fn process_of(request: WireRequest) -> Result<ProcessRequest, TransportError> {
    match request {
        WireRequest::Process(request) => Ok(request),
        _ => {
            Err(TransportError::new(TransportErrorKind::Unsupported, "the process transport carries only subprocesses"))
        }
    }
}

async fn collect(request: ProcessRequest, limits: ExchangeLimits) -> Result<WireReply, TransportError> {
    let mut running = Running::start(request, limits, false)?;
    let mut body = Vec::new();
    while let Some(piece) = running.next().await? {
        body.extend_from_slice(&piece);
    }
    let (status, stderr) = running.end();
    Ok(WireReply { status, headers: HeaderMap::new(), body: body.into(), stderr })
}

fn stream(request: ProcessRequest, limits: ExchangeLimits) -> Result<WireStream, TransportError> {
    let running = Running::start(request, limits, true)?;
    let body = futures_util::stream::try_unfold(Some(running), |running| async move {
        let Some(mut running) = running else { return Ok(None) };
        match running.next().await? {
            Some(piece) => Ok(Some((piece, Some(running)))),
            None => running.succeeded().map(|()| None),
        }
    });
    Ok(WireStream { status: 0, headers: HeaderMap::new(), body: Box::pin(body) })
}
