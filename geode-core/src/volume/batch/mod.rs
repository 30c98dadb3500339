//! Provider batch engines: typed items in, typed results out, hours later, for about half the price.
//!
//! A batch is known by its id alone: submit it, keep the id, and ask for its status and its results from any process.

mod anthropic;
mod lines;
mod openai;
#[cfg(test)]
mod tests;

use std::collections::BTreeSet;
use std::fmt;
use std::pin::Pin;
use std::time::Duration;

use bytes::Bytes;
use futures_core::Stream;
use futures_util::StreamExt as _;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::adapter::anthropic::Messages;
use crate::adapter::openai_responses::Responses;
use crate::adapter::{AdapterFault, HttpAdapter, ProviderError, ProviderErrorKind, error_body};
use crate::client::{Call, Client};
use crate::outcome::{Accepted, CallError};
use crate::transport::{ExchangeLimits, HttpMethod, HttpRequest, TransportError, WireReply, WireRequest};

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

/// What a batch engine could not do.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchError {
    /// The items can't be submitted: a key twice, too many, too large. Nothing was sent.
    Items(String),
    /// An item can't be called. Nothing was sent.
    Call(CallError),
    /// The exchange failed below the provider's protocol.
    Transport(TransportError),
    /// The provider reported an error, or its reply can't be understood.
    Adapter(AdapterFault),
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
    #[must_use]
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

    /// How far a batch is.
    ///
    /// # Errors
    ///
    /// Where the provider doesn't know the id, or can't be asked.
    pub async fn status(&self, id: &str) -> Result<Batch, BatchError> {
        match &self.engine {
            Engine::OpenAi(_) => openai::status(self, id).await,
            Engine::Anthropic(_) => anthropic::status(self, id).await,
        }
    }

    /// Asks how far a batch is, every so often, until it is over. Faults that can pass are waited out.
    ///
    /// # Errors
    ///
    /// As [`status`](Self::status).
    pub async fn wait(&self, id: &str, every: Duration) -> Result<Batch, BatchError> {
        loop {
            match self.status(id).await {
                Ok(batch) if matches!(batch.state, BatchState::Ended | BatchState::Failed) => return Ok(batch),
                Err(error) if !error.is_retryable() => return Err(error),
                Ok(_) | Err(_) => tokio::time::sleep(every).await,
            }
        }
    }

    /// Asks the provider to stop a batch. Items that were done keep their results.
    ///
    /// # Errors
    ///
    /// As [`status`](Self::status).
    pub async fn cancel(&self, id: &str) -> Result<Batch, BatchError> {
        match &self.engine {
            Engine::OpenAi(_) => openai::cancel(self, id).await,
            Engine::Anthropic(_) => anthropic::cancel(self, id).await,
        }
    }

    /// The results of a batch that is over, in no particular order. `like` says what an answer has to be: its type, its
    /// checks, its mode. They are read from the wire as they are taken.
    ///
    /// # Errors
    ///
    /// Where the results can't be fetched. A line that can't be understood is an error in the stream, which then ends.
    pub async fn results<'a, T: Send + Sync + 'a, Cx: Send + Sync + 'static>(
        &'a self,
        batch: &Batch,
        like: Call<T, Cx>,
    ) -> Result<Pin<Box<dyn Stream<Item = Result<BatchResult<T>, BatchError>> + Send + 'a>>, BatchError> {
        let mut pieces = Vec::new();
        for path in &batch.results {
            pieces.push(self.fetch(path).await?);
        }
        let lines = lines::lines(futures_util::stream::iter(pieces).flatten());
        let read = match self.engine {
            Engine::OpenAi(_) => openai::item,
            Engine::Anthropic(_) => anthropic::item,
        };
        Ok(futures_util::stream::unfold(Some((lines, like)), move |state| async move {
            let (mut lines, like) = state?;
            let line = match lines.next().await? {
                Ok(line) => line,
                Err(error) => return Some((Err(BatchError::Transport(error)), None)),
            };
            match read(&line) {
                Ok(ItemReply { key, reply }) => {
                    let result = like.accept_detached(reply).await;
                    Some((Ok(BatchResult { key, result }), Some((lines, like))))
                }
                Err(error) => Some((Err(error), None)),
            }
        })
        .boxed())
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

impl BatchError {
    /// Whether the same may succeed later.
    pub fn is_retryable(&self) -> bool {
        match self {
            BatchError::Transport(error) => error.kind.is_retryable(),
            BatchError::Adapter(AdapterFault::Provider(error)) => error.is_retryable(),
            _ => false,
        }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Items(reason) => write!(f, "the batch can't be submitted: {reason}"),
            BatchError::Call(_) => f.write_str("an item of the batch can't be called"),
            BatchError::Transport(_) => f.write_str("the exchange with the batch engine failed"),
            BatchError::Adapter(_) => f.write_str("the batch engine reported an error"),
        }
    }
}

impl std::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BatchError::Items(_) => None,
            BatchError::Call(error) => Some(error),
            BatchError::Transport(error) => Some(error),
            BatchError::Adapter(error) => Some(error),
        }
    }
}

impl fmt::Debug for Batches {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Batches").field("client", &self.client).finish_non_exhaustive()
    }
}
