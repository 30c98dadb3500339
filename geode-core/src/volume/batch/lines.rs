//! Bytes, cut anywhere, to lines.

use std::pin::Pin;

use bytes::{Bytes, BytesMut};
use futures_core::Stream;
use futures_util::StreamExt as _;

use crate::transport::{TransportError, TransportErrorKind};

/// Longest line: one item's answer with its envelope.
const MAX_LINE: usize = 32 * 1024 * 1024;

/// Lines, or the pieces that they are made from.
pub(super) type Lines<'a> = Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send + 'a>>;

/// The lines of a body, empty ones left out. Ends after its first error.
pub(super) fn lines<'a>(pieces: impl Stream<Item = Result<Bytes, TransportError>> + Send + 'a) -> Lines<'a> {
    let state = State { pieces: pieces.boxed(), held: BytesMut::new(), searched: 0, ended: false };
    futures_util::stream::unfold(Some(state), |state| async move {
        let mut state = state?;
        match state.next().await? {
            Ok(line) => Some((Ok(line), Some(state))),
            Err(error) => Some((Err(error), None)),
        }
    })
    .boxed()
}

struct State<'a> {
    pieces: Lines<'a>,
    held: BytesMut,
    /// How much of `held` is known to hold no line break.
    searched: usize,
    ended: bool,
}

impl State<'_> {
    async fn next(&mut self) -> Option<Result<Bytes, TransportError>> {
        loop {
            let fresh = self.held.get(self.searched..).unwrap_or_default();
            if let Some(at) = fresh.iter().position(|byte| *byte == b'\n') {
                let line = self.held.split_to(self.searched + at + 1);
                self.searched = 0;
                if !line.trim_ascii().is_empty() {
                    return Some(Ok(line.freeze()));
                }
                continue;
            }
            self.searched = self.held.len();
            if self.ended {
                let rest = self.held.split().freeze();
                self.searched = 0;
                return (!rest.trim_ascii().is_empty()).then_some(Ok(rest));
            }
            match self.pieces.next().await {
                Some(Ok(piece)) if self.held.len() + piece.len() > MAX_LINE => {
                    let message = format!("a line of the results is longer than {MAX_LINE} bytes");
                    return Some(Err(TransportError { kind: TransportErrorKind::TooLarge, message, source: None }));
                }
                Some(Ok(piece)) => self.held.extend_from_slice(&piece),
                Some(Err(error)) => return Some(Err(error)),
                None => self.ended = true,
            }
        }
    }
}
