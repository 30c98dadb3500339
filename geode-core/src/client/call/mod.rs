//! One typed call: what is said to the model, what the answer has to be, and what happens when it is not.

use std::any::Any;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;

use crate::adapter::Enforcement;
use crate::check::Issues;
use crate::engine::{Contract, Reading, RetryPolicy};
use crate::message::{Message, Part, data_block};
use crate::request::{Mode, Request};
use crate::schema::hash;

use super::{Client, Fallback};

mod detached;
mod elements;
mod open;
mod run;
mod stream;

pub use elements::Elements;
pub use stream::{AnswerStream, Update};

/// A check that needs nothing but the value and the context.
type SyncCheck<T, Cx> = Arc<dyn Fn(&T, &Cx, &mut Issues) + Send + Sync>;

/// A check that waits: for a database, say.
type AsyncCheck<T, Cx> =
    Arc<dyn for<'a> Fn(&'a T, &'a Cx) -> Pin<Box<dyn Future<Output = Issues> + Send + 'a>> + Send + Sync>;

/// One business check of a call.
enum Check<T, Cx> {
    Sync(SyncCheck<T, Cx>),
    Async(AsyncCheck<T, Cx>),
}

/// A typed call in preparation; [`send`](Self::send) makes it.
///
/// `Cx` is the context that business rules see. What is not set here is taken from the client.
#[must_use = "a call does nothing until it is sent"]
pub struct Call<T, Cx = ()> {
    client: Client,
    contract: Contract<T>,
    /// Apart, and so is the policy: a call is handed on by value at each step of its making.
    request: Box<Request>,
    mode: Mode,
    guarantee: Enforcement,
    reading: Option<Reading>,
    retry: Arc<RetryPolicy>,
    deadline: Duration,
    context: Cx,
    checks: Vec<Check<T, Cx>>,
    fallbacks: Vec<Fallback<T>>,
    prompt_release: Option<&'static str>,
}

impl<T> Call<T> {
    pub(super) fn new(client: Client, contract: Contract<T>) -> Self {
        let settings = &client.inner.settings;
        Call {
            request: Box::new(Request { model: settings.model.clone(), ..Request::default() }),
            mode: settings.mode,
            guarantee: settings.guarantee,
            reading: None,
            retry: Arc::clone(&settings.retry),
            deadline: settings.deadline,
            context: (),
            checks: Vec::new(),
            fallbacks: Vec::new(),
            prompt_release: None,
            contract,
            client,
        }
    }

    /// Sets what business rules see: which document ids exist, say. Rules on the type (`#[geode(check = path)]`) see it
    /// too. Call it before [`check`](Call::check).
    pub fn context<Cx: Send + Sync + 'static>(self, context: Cx) -> Call<T, Cx>
    where
        T: 'static,
    {
        Call {
            client: self.client,
            contract: self.contract,
            request: self.request,
            mode: self.mode,
            guarantee: self.guarantee,
            reading: self.reading,
            retry: self.retry,
            deadline: self.deadline,
            context,
            checks: self.checks.into_iter().map(Check::without_context).collect(),
            fallbacks: self.fallbacks,
            prompt_release: self.prompt_release,
        }
    }
}

impl<T, Cx> Call<T, Cx> {
    /// Instructions that stand above the conversation. Set again, they replace the former ones.
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.request.system = Some(text.into());
        self
    }

    /// Adds a user's turn. Its text is data to be read by the rules in [`system`](Self::system).
    pub fn user(mut self, text: impl Into<String>) -> Self {
        self.request.messages.push(Message::user(text));
        self
    }

    /// Adds a user's turn that is a document with a name: its text stands between marks that it can't close, so that
    /// whatever it says is read as data.
    ///
    /// ```
    /// # use geode_core::{adapter::embedded::Embedded, client::Client};
    /// # let client = Client::new(Embedded::new());
    /// let call = client.request::<Vec<String>>().system("List the names in the letter.").data("letter", "Dear Ann, …");
    /// ```
    pub fn data(self, name: &str, text: &str) -> Self {
        self.user(data_block(name, text))
    }

    /// Adds an image to the user's last turn: its media type (`image/png`, `image/jpeg`, `image/gif`, `image/webp`) and
    /// its bytes in base64.
    pub fn image(mut self, media_type: impl Into<String>, base64: impl Into<String>) -> Self {
        let part = Part::Image { media_type: media_type.into(), data: base64.into() };
        match self.request.messages.last_mut() {
            Some(Message::User { content }) => content.push(part),
            _ => self.request.messages.push(Message::User { content: vec![part] }),
        }
        self
    }

    /// Adds any turn.
    pub fn message(mut self, message: Message) -> Self {
        self.request.messages.push(message);
        self
    }

    /// Adds the turns of a conversation so far.
    pub fn history(mut self, messages: impl IntoIterator<Item = Message>) -> Self {
        self.request.messages.extend(messages);
        self
    }

    /// Model to ask.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.request.model = Some(model.into());
        self
    }

    /// Most tokens of the answer. Where an answer is cut by it, the next attempt gets twice as many.
    pub fn max_output_tokens(mut self, tokens: u32) -> Self {
        self.request.max_output_tokens = Some(tokens);
        self
    }

    /// Sampling temperature.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.request.temperature = Some(temperature);
        self
    }

    /// Adds a member to the request's body, for what this type doesn't know.
    pub fn extra(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.request.extra.insert(key.into(), value.into());
        self
    }

    /// What the schema is for, beside its own descriptions.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.contract.description = Some(description.into());
        self
    }

    /// How structured output is asked for.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// The least that the provider must guarantee. Where the adapter can't give it, the call fails before anything is
    /// sent.
    pub fn require(mut self, guarantee: Enforcement) -> Self {
        self.guarantee = guarantee;
        self
    }

    /// How much may stand around the JSON of the answer, and what in it is mended.
    pub fn reading(mut self, reading: Reading) -> Self {
        self.reading = Some(reading);
        self
    }

    /// Which failures are tried again.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = Arc::new(policy);
        self
    }

    /// Time for the whole call: all attempts, the waits between them, the checks and the fallbacks.
    pub fn deadline(mut self, time: Duration) -> Self {
        self.deadline = time;
        self
    }

    /// Adds a business rule. All rules run, and every issue is reported.
    pub fn check(mut self, check: impl Fn(&T, &Cx, &mut Issues) + Send + Sync + 'static) -> Self {
        self.checks.push(Check::Sync(Arc::new(check)));
        self
    }

    /// Adds a business rule that waits: `|value, cx| Box::pin(async move { … })`.
    pub fn check_async<F>(mut self, check: F) -> Self
    where
        F: for<'a> Fn(&'a T, &'a Cx) -> Pin<Box<dyn Future<Output = Issues> + Send + 'a>> + Send + Sync + 'static,
    {
        self.checks.push(Check::Async(Arc::new(check)));
        self
    }

    /// Adds what steps in when the attempts are used up. Several are tried in the order they were added.
    pub fn fallback(mut self, fallback: Fallback<T>) -> Self {
        self.fallbacks.push(fallback);
        self
    }

    /// Names the release of the prompt, for the account and for records.
    pub fn prompt_release(mut self, release: &'static str) -> Self {
        self.prompt_release = Some(release);
        self
    }

    /// A number that changes when what is said to the model does.
    pub(crate) fn prompt_fingerprint(&self) -> u64 {
        let said = serde_json::to_vec(&(&self.request.model, &self.request.system, &self.request.messages));
        hash(&said.unwrap_or_default())
    }
}

impl<T: 'static> Check<T, ()> {
    /// The same check, blind to a context that was set after it.
    fn without_context<Cx: 'static>(self) -> Check<T, Cx> {
        match self {
            Check::Sync(check) => Check::Sync(Arc::new(move |value, _, issues| check(value, &(), issues))),
            Check::Async(check) => Check::Async(Arc::new(move |value, _| check(value, &()))),
        }
    }
}

impl<T, Cx> fmt::Debug for Call<T, Cx> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Call")
            .field("client", &self.client)
            .field("request", &self.request)
            .field("mode", &self.mode)
            .field("guarantee", &self.guarantee)
            .field("retry", &self.retry)
            .field("deadline", &self.deadline)
            .field("checks", &self.checks.len())
            .field("fallbacks", &self.fallbacks)
            .finish_non_exhaustive()
    }
}

/// What rules on types may look at: the call's context, whatever its type.
fn as_any<Cx: 'static>(context: &Cx) -> &dyn Any {
    context
}
