//! A body in lines: what subprocesses print as JSON lines.

use std::collections::VecDeque;

use super::{TransportError, TransportErrorKind, WireStream};

#[cfg(test)]
mod tests;

/// The lines of a body, without their ends. An unfinished last line counts as one.
pub(crate) struct Lines {
    stream: WireStream,
    max_line_bytes: usize,
    /// What has come and was not asked for yet; an error is the last.
    ready: VecDeque<Result<String, TransportError>>,
    open: Vec<u8>,
    ended: bool,
}

impl Lines {
    /// Reads the body of a stream. Lines over `max_line_bytes` are an error.
    pub(crate) fn new(stream: WireStream, max_line_bytes: usize) -> Self {
        Lines { stream, max_line_bytes, ready: VecDeque::new(), open: Vec::new(), ended: false }
    }

    /// The next line.
    pub(crate) async fn next(&mut self) -> Option<Result<String, TransportError>> {
        loop {
            if let Some(line) = self.ready.pop_front() {
                return Some(line);
            }
            if self.ended {
                return None;
            }
            match std::future::poll_fn(|context| self.stream.body.as_mut().poll_next(context)).await {
                Some(Ok(piece)) => {
                    if let Err(error) = self.take(&piece) {
                        self.ended = true;
                        self.ready.push_back(Err(error));
                    }
                }
                Some(Err(error)) => {
                    self.ended = true;
                    return Some(Err(error));
                }
                None => {
                    self.ended = true;
                    if !self.open.is_empty() {
                        return Some(text(std::mem::take(&mut self.open)));
                    }
                }
            }
        }
    }

    fn take(&mut self, piece: &[u8]) -> Result<(), TransportError> {
        for part in piece.split_inclusive(|&byte| byte == b'\n') {
            if self.open.len() + part.len() > self.max_line_bytes {
                let message = format!("one line of the stream is larger than {} bytes", self.max_line_bytes);
                return Err(TransportError::new(TransportErrorKind::TooLarge, message));
            }
            self.open.extend_from_slice(part);
            if self.open.pop_if(|byte| *byte == b'\n').is_some() {
                self.open.pop_if(|byte| *byte == b'\r');
                let line = text(std::mem::take(&mut self.open))?;
                self.ready.push_back(Ok(line));
            }
        }
        Ok(())
    }
}

fn text(line: Vec<u8>) -> Result<String, TransportError> {
    String::from_utf8(line).map_err(|error| {
        TransportError::new(TransportErrorKind::Corrupt, "a line of the stream holds bytes that are no UTF-8")
            .with_source(error)
    })
}
