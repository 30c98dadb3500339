//! Many calls: here, with bounded concurrency, progress, and a journal to go on from after a crash; or by a provider's
//! batch engine.

mod batch;
mod journal;
mod progress;
mod rate_limit;
#[cfg(test)]
mod tests;

pub use batch::{Batch, BatchError, BatchResult, BatchState, Batches};
pub use journal::JournalError;
pub use progress::Progress;
pub use rate_limit::RateLimit;

use std::fmt;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};

use futures_core::Stream;
use futures_util::StreamExt as _;

use crate::client::{Call, Client};
use crate::outcome::{Accepted, CallError};
use crate::output::StructuredOutput;

use journal::{Entry, Journal};

/// One item's outcome.
#[derive(Debug)]
#[non_exhaustive]
pub struct Item<T> {
    /// Position of its input, from 0.
    pub index: usize,
    /// What its call came to.
    pub result: Result<Accepted<T>, CallError>,
    /// Whether the result was read from the journal, and no call was made.
    pub resumed: bool,
}

/// Many calls in preparation; [`run`](Self::run) makes them. Made by [`Client::many`].
#[must_use = "nothing is called until `run`"]
pub struct Many<S, F> {
    client: Client,
    inputs: S,
    call: F,
    concurrency: usize,
    ordered: bool,
    retry_failed: bool,
    journal: Option<PathBuf>,
    progress: Option<Arc<Tell>>,
}

/// What is told how far a run is.
type Tell = dyn Fn(&Progress) + Send + Sync;

impl Client {
    /// Prepares one call for each input; `call` says which.
    ///
    /// ```no_run
    /// use futures_util::StreamExt as _;
    /// # async fn example(client: geode_core::client::Client, mails: Vec<String>) -> Result<(), Box<dyn std::error::Error>> {
    /// let inputs = futures_util::stream::iter(mails);
    /// let mut items = client
    ///     .many(inputs, |client, mail| client.request::<bool>().system("Is the text below a complaint?").user(mail))
    ///     .concurrency(16)
    ///     .journal("complaints.jsonl")
    ///     .run()?;
    /// while let Some(item) = items.next().await {
    ///     match item.result {
    ///         Ok(complaint) => println!("{}: {}", item.index, *complaint),
    ///         Err(error) => eprintln!("{}: {error}", item.index),
    ///     }
    /// }
    /// # Ok(())
    /// # }
    /// ```
    pub fn many<S, F, T, Cx>(&self, inputs: S, call: F) -> Many<S, F>
    where
        S: Stream + Send + 'static,
        F: FnMut(&Client, S::Item) -> Call<T, Cx>,
    {
        Many {
            client: self.clone(),
            inputs,
            call,
            concurrency: 8,
            ordered: true,
            retry_failed: false,
            journal: None,
            progress: None,
        }
    }
}

impl<S, F> Many<S, F> {
    /// Most calls under way at once. 8 by default.
    pub fn concurrency(mut self, calls: usize) -> Self {
        self.concurrency = calls.max(1);
        self
    }

    /// Gives outcomes as they come, instead of in the order of the inputs.
    pub fn unordered(mut self) -> Self {
        self.ordered = false;
        self
    }

    /// Writes each outcome to this file before it is given out. Where the file is there already, its items are not
    /// called again: a run that was killed goes on where it stopped. Calls that were under way when it was killed are
    /// made again: at most as many as [`concurrency`](Self::concurrency).
    ///
    /// The inputs must be the same, in the same order: an item whose prompt changed is called again. One run writes to a
    /// file at a time. The file holds the values: it is as private as they are (made readable by this user only, on Unix).
    pub fn journal(mut self, path: impl Into<PathBuf>) -> Self {
        self.journal = Some(path.into());
        self
    }

    /// Calls items again that the journal says failed.
    pub fn retry_failed(mut self) -> Self {
        self.retry_failed = true;
        self
    }

    /// Tells how far the run is, after every item.
    pub fn on_progress(mut self, tell: impl Fn(&Progress) + Send + Sync + 'static) -> Self {
        self.progress = Some(Arc::new(tell));
        self
    }

    /// Makes the calls as the stream is polled: who takes outcomes slowly slows the calls. Dropping it stops them.
    ///
    /// # Errors
    ///
    /// Where the journal can't be read or written, is in use by another run, or belongs to another type.
    pub fn run<T, Cx>(self) -> Result<Pin<Box<dyn Stream<Item = Item<T>> + Send>>, JournalError>
    where
        S: Stream + Send + 'static,
        S::Item: Send,
        F: FnMut(&Client, S::Item) -> Call<T, Cx> + Send + 'static,
        T: StructuredOutput + Send + Sync + 'static,
        Cx: Send + Sync + 'static,
    {
        let Many { client, inputs, mut call, concurrency, ordered, retry_failed, journal, progress } = self;
        let journal = journal.map(|path| Journal::open::<T>(path)).transpose()?.map(Arc::new);
        let counted = Arc::new(Mutex::new(Progress::start()));
        let work = inputs.enumerate().map(move |(index, input)| {
            let call = call(&client, input);
            let (journal, progress, counted) = (journal.clone(), progress.clone(), Arc::clone(&counted));
            async move {
                let item = one(index, call, journal.as_deref(), retry_failed).await;
                let mut counted = counted.lock().unwrap_or_else(PoisonError::into_inner);
                counted.count(&item);
                if let Some(tell) = progress {
                    tell(&counted);
                }
                item
            }
        });
        Ok(if ordered { work.buffered(concurrency).boxed() } else { work.buffer_unordered(concurrency).boxed() })
    }
}

/// One item: from the journal where it is there, else called and written down.
async fn one<T, Cx>(index: usize, call: Call<T, Cx>, journal: Option<&Journal>, retry_failed: bool) -> Item<T>
where
    T: StructuredOutput + Send + Sync + 'static,
    Cx: Send + Sync + 'static,
{
    let Some(journal) = journal else {
        return Item { index, result: call.send().await, resumed: false };
    };
    let prompt = call.prompt_fingerprint();
    if let Some(result) = journal.find(index, prompt, retry_failed) {
        return Item { index, result, resumed: true };
    }
    let result = call.send().await;
    // The outcome was paid for: that it could not be written down must not lose it, so the account says so.
    let written = journal.append(&Entry::of(index, prompt, &result));
    let result = match (result, written) {
        (Ok(mut accepted), Err(error)) => {
            accepted.account.note(error.to_string());
            Ok(accepted)
        }
        (Err(mut call_error), Err(error)) => {
            call_error.account.note(error.to_string());
            Err(call_error)
        }
        (result, Ok(())) => result,
    };
    Item { index, result, resumed: false }
}

impl<S, F> fmt::Debug for Many<S, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Many")
            .field("concurrency", &self.concurrency)
            .field("ordered", &self.ordered)
            .field("journal", &self.journal)
            .finish_non_exhaustive()
    }
}
