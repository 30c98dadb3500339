//! Provider batch engines: typed items in, typed results out, hours later, for about half the price.
//!
//! A batch is known by its id alone: submit it, keep the id, and ask for its status and its results from any process.

mod anthropic;
mod error;
mod lines;
mod openai;
mod results;

pub use error::BatchError;

use std::collections::BTreeSet;
use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::adapter::anthropic::Messages;
use crate::adapter::openai_responses::Responses;
use crate::adapter::{AdapterFault, HttpAdapter, ProviderError, ProviderErrorKind, error_body};
use crate::client::{Call, Client};
use crate::outcome::{Accepted, CallError};
use crate::transport::{ExchangeLimits, HttpMethod, HttpRequest, TransportError, WireReply, WireRequest};

use results::Results;

/// Time to fetch a results file: it can hold hundreds of megabytes.
const RESULTS_TIMEOUT: Duration = Duration::from_secs(60 * 60);

/// A provider's batch engine, asked through a client's transport and limits.
///
/// ```no_run
/// use geode_core::adapter::openai_responses;
/// use geode_core::volume::Batches;
/// use futures_util::StreamExt as _;
/// use std::time::Duration;
///
/// # async fn example(mails: Vec<(String, String)>) -> Result<(), Box<dyn std::error::Error>> {
/// let batches = Batches::openai(openai_responses::payg("sk-example"));
/// let ask = || batches.client().request::<bool>().system("Is the text below a complaint?");
/// let batch = batches.submit(mails.into_iter().map(|(key, mail)| (key, ask().user(mail)))).await?;
/// // Keep `batch.id`. Hours later, perhaps in another process:
/// let batch = batches.wait(&batch.id, Duration::from_secs(60)).await?;
/// let mut results = batches.results(&batch, ask()).await?;
/// while let Some(result) = results.next().await {
///     let result = result?;
///     println!("{}: {:?}", result.key, result.result.map(|complaint| *complaint));
/// }
/// # Ok(())
/// # }
/// ```
#[must_use]
#[derive(Clone)]
pub struct Batches {
    client: Client,
    engine: Engine,
}

#[derive(Clone)]
enum Engine {
    OpenAi(HttpAdapter<Responses>),
    Anthropic(HttpAdapter<Messages>),
}

/// A batch as the provider describes it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Batch {
    /// The provider's id: all that is needed to come back to it.
    pub id: String,
    /// How far it is.
    pub state: BatchState,
    /// Items with an answer.
    pub succeeded: u64,
    /// Items that failed, expired or were cancelled.
    pub failed: u64,
    /// Items still to be done.
    pub pending: u64,
    /// Why the whole batch failed, in the provider's words.
    pub error: Option<String>,
    /// Paths that the results are fetched from.
    #[serde(skip)]
    results: Vec<String>,
    /// Fewest lines that the results hold, by the provider's own counts.
    #[serde(skip)]
    lines: u64,
}

/// How far a batch is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum BatchState {
    /// It is being checked or worked on.
    InProgress,
    /// It is being cancelled: items that were done keep their results.
    Cancelling,
    /// It is over. Items may have failed, expired or been cancelled one by one.
    Ended,
    /// It was refused as a whole, and there are no results.
    Failed,
}

/// One item's result.
#[derive(Debug)]
#[non_exhaustive]
pub struct BatchResult<T> {
    /// The item's key.
    pub key: String,
    /// What its call came to.
    pub result: Result<Accepted<T>, CallError>,
}

/// One line of a batch: the item's key and its request body.
struct Line {
    key: String,
    body: Bytes,
}

/// What one item came to: an ordinary reply to decode, or a failure of the item's own.
struct ItemReply {
    key: String,
    reply: Result<WireReply, AdapterFault>,
}

impl Batches {
    /// The OpenAI Batch API over the Responses endpoint: at most 50,000 items and 200 MB, done within 24 hours.
    pub fn openai(adapter: HttpAdapter<Responses>) -> Self {
        Batches { client: Client::new(adapter.clone()), engine: Engine::OpenAi(adapter) }
    }

    /// Anthropic Message Batches: at most 100,000 items and 256 MB, done within 24 hours.
    pub fn anthropic(adapter: HttpAdapter<Messages>) -> Self {
        Batches { client: Client::new(adapter.clone()), engine: Engine::Anthropic(adapter) }
    }

    /// Asks through this client's transport, limits and settings instead. Its adapter must be the same.
    pub fn through(mut self, client: Client) -> Self {
        self.client = client;
        self
    }

    /// The client that items are prepared with.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// Submits items. Keys name them in the results: at most 64 letters, digits, `_` and `-`, each once.
    ///
    /// # Errors
    ///
    /// Where an item can't be called or a limit is passed (nothing is sent then), or the provider refuses the batch.
    pub async fn submit<T: 'static, Cx: 'static>(
        &self,
        items: impl IntoIterator<Item = (String, Call<T, Cx>)>,
    ) -> Result<Batch, BatchError> {
        let mut keys = BTreeSet::new();
        let mut lines = Vec::new();
        for (key, call) in items {
            let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-');
            if key.is_empty() || key.len() > 64 || !key.bytes().all(legal) {
                return Err(BatchError::Items(format!("the key {key:?} is not 1 to 64 letters, digits, `_` and `-`")));
            }
            if !keys.insert(key.clone()) {
                return Err(BatchError::Items(format!("the key {key:?} stands twice")));
            }
            lines.push(Line { body: call.detached_body().map_err(BatchError::Call)?, key });
        }
        if lines.is_empty() {
            return Err(BatchError::Items("there are no items".to_owned()));
        }
        match &self.engine {
            Engine::OpenAi(_) => openai::submit(self, &lines).await,
            Engine::Anthropic(_) => anthropic::submit(self, &lines).await,
        }
    }

    /// How far a batch is. Its id is all that is needed, in whatever process.
    ///
    /// # Errors
    ///
    /// Where the provider doesn't know the id, or can't be asked.
    pub async fn status(&self, id: &str) -> Result<Batch, BatchError> {
        check_id(id)?;
        match &self.engine {
            Engine::OpenAi(_) => openai::status(self, id).await,
            Engine::Anthropic(_) => anthropic::status(self, id).await,
        }
    }

    /// Asks how far a batch is, every so often, until it is over. Faults that can pass are waited out, for as long as they
    /// last and at least as long as the server says: put a `tokio::time::timeout` around it to bound that.
    ///
    /// # Errors
    ///
    /// As [`status`](Self::status), for faults that can't pass.
    pub async fn wait(&self, id: &str, every: Duration) -> Result<Batch, BatchError> {
        loop {
            let pause = match self.status(id).await {
                Ok(batch) if matches!(batch.state, BatchState::Ended | BatchState::Failed) => return Ok(batch),
                Ok(_) => every,
                Err(error) if error.is_retryable() => error.retry_after().map_or(every, |delay| delay.max(every)),
                Err(error) => return Err(error),
            };
            tokio::time::sleep(pause).await;
        }
    }

    /// Asks the provider to stop a batch. Items that were done keep their results.
    ///
    /// # Errors
    ///
    /// As [`status`](Self::status).
    pub async fn cancel(&self, id: &str) -> Result<Batch, BatchError> {
        check_id(id)?;
        match &self.engine {
            Engine::OpenAi(_) => openai::cancel(self, id).await,
            Engine::Anthropic(_) => anthropic::cancel(self, id).await,
        }
    }

    /// The results of a batch that is over, in no particular order, each with the key that the provider gives it. `like`
    /// says what an answer has to be: its type, its checks, its mode. They are read from the wire as they are taken.
    ///
    /// # Errors
    ///
    /// Where there are none, or they can't be fetched. The stream ends with an error where a line can't be understood, the
    /// connection breaks, or fewer lines came than the provider counts: what came before is good, and fetching again
    /// gives it again. Items of a cancelled batch that were never begun may have no line at all.
    pub async fn results<'a, T: Send + Sync + 'a, Cx: Send + Sync + 'static>(
        &'a self,
        batch: &Batch,
        like: Call<T, Cx>,
    ) -> Result<Pin<Box<dyn Stream<Item = Result<BatchResult<T>, BatchError>> + Send + 'a>>, BatchError> {
        if batch.state != BatchState::Ended {
            return Err(BatchError::NoResults(batch.state));
        }
        Ok(Results::open(self, batch, like).await?.into_stream())
    }

    /// A request to the provider, with the adapter's headers and key. `path` may be a whole URL of the provider's own.
    fn request(&self, method: HttpMethod, path: &str, body: Bytes) -> Result<HttpRequest, BatchError> {
        let request = match &self.engine {
            Engine::OpenAi(adapter) => adapter.http_request(method, path, body),
            Engine::Anthropic(adapter) => adapter.http_request(method, path, body),
        };
        request.map_err(BatchError::Adapter)
    }

    /// Makes one exchange whose answer is a JSON object.
    async fn exchange<T: DeserializeOwned>(&self, request: HttpRequest) -> Result<T, BatchError> {
        let line = self.client.line();
        let reply =
            line.transport.send(WireRequest::Http(request), line.limits).await.map_err(BatchError::Transport)?;
        if !(200..300).contains(&reply.status) {
            return Err(BatchError::Adapter(AdapterFault::Provider(Box::new(error_body::read(&reply)))));
        }
        serde_json::from_slice(&reply.body).map_err(|error| undocumented("the batch object", &error, reply.status))
    }

    /// Fetches a results file, as it comes.
    async fn fetch(
        &self,
        path: &str,
    ) -> Result<Pin<Box<dyn Stream<Item = Result<Bytes, TransportError>> + Send>>, BatchError> {
        let line = self.client.line();
        let request = WireRequest::Http(self.request(HttpMethod::Get, path, Bytes::new())?);
        let limits = ExchangeLimits { timeout: RESULTS_TIMEOUT, max_bytes: usize::MAX, ..line.limits };
        let stream = line.transport.stream(request, limits).await.map_err(BatchError::Transport)?;
        if (200..300).contains(&stream.status) {
            return Ok(stream.body);
        }
        let reply = stream.collect(line.limits.max_bytes).await.map_err(BatchError::Transport)?;
        Err(BatchError::Adapter(AdapterFault::Provider(Box::new(error_body::read(&reply)))))
    }

    /// Reads one line of the results.
    fn item(&self, line: &[u8]) -> Result<ItemReply, BatchError> {
        match self.engine {
            Engine::OpenAi(_) => openai::item(line),
            Engine::Anthropic(_) => anthropic::item(line),
        }
    }
}

/// Refuses what would lead to another path of the provider's.
fn check_id(id: &str) -> Result<(), BatchError> {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':');
    if id.is_empty() || !id.bytes().all(legal) { Err(BatchError::Id) } else { Ok(()) }
}

/// An item that the engine gave up on by itself.
fn item_fault(code: Option<String>, message: String) -> AdapterFault {
    let kind = match code.as_deref() {
        Some("batch_expired" | "expired") => ProviderErrorKind::Timeout,
        _ => ProviderErrorKind::Other,
    };
    AdapterFault::Provider(Box::new(ProviderError::new(kind, None, code, message)))
}

/// JSON of another form than expected. Names the place alone: the parser's own message quotes the value.
fn undocumented(what: &str, error: &serde_json::Error, status: i32) -> BatchError {
    let reason = format!("{what} is not as documented ({:?} error at column {})", error.classify(), error.column());
    malformed(&reason, status)
}

fn malformed(reason: &str, status: i32) -> BatchError {
    BatchError::Adapter(AdapterFault::Malformed { reason: reason.to_owned(), status: Some(status), request_id: None })
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("client", &self.client).finish_non_exhaustive()
    }
}
