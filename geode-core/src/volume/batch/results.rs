//! The results of a batch, read as they are taken.

use std::pin::Pin;
use std::vec;

use bytes::Bytes;
use futures_core::Stream;
use futures_util::StreamExt as _;

use super::lines::{Lines, lines};
use super::{Batch, BatchError, BatchResult, Batches, ItemReply};
use crate::client::Call;

pub(super) struct Results<'a, T, Cx> {
    batches: &'a Batches,
    like: Call<T, Cx>,
    /// Lines of the file that is being read.
    lines: Lines<'a>,
    /// Files still to be fetched: not before their turn, so that no connection waits for a slow reader.
    files: vec::IntoIter<String>,
    found: u64,
    expected: u64,
}

impl<'a, T: Send + Sync + 'a, Cx: Send + Sync + 'static> Results<'a, T, Cx> {
    /// Fetches the first file, so that results that can't be fetched at all are told at once.
    pub(super) async fn open(batches: &'a Batches, batch: &Batch, like: Call<T, Cx>) -> Result<Self, BatchError> {
        let mut files = batch.results.clone().into_iter();
        let lines = match files.next() {
            Some(path) => lines(batches.fetch(&path).await?),
            None => futures_util::stream::empty().boxed(),
        };
        Ok(Results { batches, like, lines, files, found: 0, expected: batch.lines })
    }

    /// Ends after its first error.
    pub(super) fn into_stream(self) -> Pin<Box<dyn Stream<Item = Result<BatchResult<T>, BatchError>> + Send + 'a>> {
        futures_util::stream::unfold(Some(self), |state| async move {
            let mut state = state?;
            match state.next().await.transpose()? {
                Ok(result) => Some((Ok(result), Some(state))),
                Err(error) => Some((Err(error), None)),
            }
        })
        .boxed()
    }

    async fn next(&mut self) -> Result<Option<BatchResult<T>>, BatchError> {
        let Some(line) = self.line().await? else {
            let Results { found, expected, .. } = *self;
            return if found < expected { Err(BatchError::Short { found, expected }) } else { Ok(None) };
        };
        let ItemReply { key, reply } = self.batches.item(&line)?;
        self.found += 1;
        Ok(Some(BatchResult { key, result: self.like.accept_detached(reply).await }))
    }

    /// The next line of all files.
    async fn line(&mut self) -> Result<Option<Bytes>, BatchError> {
        loop {
            match self.lines.next().await {
                Some(line) => return line.map(Some).map_err(BatchError::Transport),
                None => match self.files.next() {
                    Some(path) => self.lines = lines(self.batches.fetch(&path).await?),
                    None => return Ok(None),
                },
            }
        }
    }
}
