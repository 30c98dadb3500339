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
    /// Boxed, since a call is handed on by value at each step of its making, and into the future that it becomes.
    parts: Box<Parts<T, Cx>>,
}

/// What a call is made of.
struct Parts<T, Cx> {
    request: Request,
    terms: Terms<T, Cx>,
    fallbacks: Vec<Fallback<T>>,
}

/// Who is asked, and what an answer has to be to count.
struct Terms<T, Cx> {
    client: Client,
    contract: Contract<T>,
    mode: Mode,
    guarantee: Enforcement,
    reading: Option<Reading>,
    retry: RetryPolicy,
    deadline: Duration,
    context: Cx,
    checks: Vec<Check<T, Cx>>,
    prompt_release: Option<&'static str>,
}

impl<T> Call<T> {
    pub(super) fn new(client: Client, contract: Contract<T>) -> Self {
        let settings = &client.inner.settings;
        let request = Request { model: settings.model.clone(), ..Request::default() };
        let terms = Terms {
            mode: settings.mode,
            guarantee: settings.guarantee,
            reading: None,
            retry: settings.retry.clone(),
            deadline: settings.deadline,
            context: (),
            checks: Vec::new(),
            prompt_release: None,
            contract,
            client,
        };
        Call { parts: Box::new(Parts { request, terms, fallbacks: Vec::new() }) }
    }

    /// Sets what business rules see: which document ids exist, say. Rules on the type (`#[geode(check = path)]`) see it
    /// too. Call it before [`check`](Call::check).
    pub fn context<Cx: Send + Sync + 'static>(self, context: Cx) -> Call<T, Cx>
    where
        T: 'static,
    {
        let Parts { request, terms, fallbacks } = *self.parts;
        let terms = Terms {
            client: terms.client,
            contract: terms.contract,
            mode: terms.mode,
            guarantee: terms.guarantee,
            reading: terms.reading,
            retry: terms.retry,
            deadline: terms.deadline,
            context,
            checks: terms.checks.into_iter().map(Check::without_context).collect(),
            prompt_release: terms.prompt_release,
        };
        Call { parts: Box::new(Parts { request, terms, fallbacks }) }
    }
}

impl<T, Cx> Call<T, Cx> {
    /// Instructions that stand above the conversation. Set again, they replace the former ones.
    pub fn system(mut self, text: impl Into<String>) -> Self {
        self.parts.request.system = Some(text.into());
        self
    }

    /// Adds a user's turn. Its text is data to be read by the rules in [`system`](Self::system).
    pub fn user(mut self, text: impl Into<String>) -> Self {
        self.parts.request.messages.push(Message::user(text));
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
        match self.parts.request.messages.last_mut() {
            Some(Message::User { content }) => content.push(part),
            _ => self.parts.request.messages.push(Message::User { content: vec![part] }),
        }
        self
    }

    /// Adds any turn.
    pub fn message(mut self, message: Message) -> Self {
        self.parts.request.messages.push(message);
        self
    }

    /// Adds the turns of a conversation so far.
    pub fn history(mut self, messages: impl IntoIterator<Item = Message>) -> Self {
        self.parts.request.messages.extend(messages);
        self
    }

    /// Model to ask.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.parts.request.model = Some(model.into());
        self
    }

    /// Most tokens of the answer. Where an answer is cut by it, the next attempt gets twice as many.
    pub fn max_output_tokens(mut self, tokens: u32) -> Self {
        self.parts.request.max_output_tokens = Some(tokens);
        self
    }

    /// Sampling temperature.
    pub fn temperature(mut self, temperature: f64) -> Self {
        self.parts.request.temperature = Some(temperature);
        self
    }

    /// Adds a member to the request's body, for what this type doesn't know.
    pub fn extra(mut self, key: impl Into<String>, value: impl Into<Value>) -> Self {
        self.parts.request.extra.insert(key.into(), value.into());
        self
    }

    /// What the schema is for, beside its own descriptions.
    pub fn describe(mut self, description: impl Into<String>) -> Self {
        self.parts.terms.contract.description = Some(description.into());
        self
    }

    /// How structured output is asked for.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.parts.terms.mode = mode;
        self
    }

    /// The least that the provider must guarantee. Where the adapter can't give it, the call fails before anything is
    /// sent.
    pub fn require(mut self, guarantee: Enforcement) -> Self {
        self.parts.terms.guarantee = guarantee;
        self
    }

    /// How much may stand around the JSON of the answer, and what in it is mended.
    pub fn reading(mut self, reading: Reading) -> Self {
        self.parts.terms.reading = Some(reading);
        self
    }

    /// Which failures are tried again.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.parts.terms.retry = policy;
        self
    }

    /// Time for the whole call: all attempts, the waits between them, the checks and the fallbacks.
    pub fn deadline(mut self, time: Duration) -> Self {
        self.parts.terms.deadline = time;
        self
    }

    /// Adds a business rule. All rules run, and every issue is reported.
    pub fn check(mut self, check: impl Fn(&T, &Cx, &mut Issues) + Send + Sync + 'static) -> Self {
        self.parts.terms.checks.push(Check::Sync(Arc::new(check)));
        self
    }

    /// Adds a business rule that waits: `|value, cx| Box::pin(async move { … })`.
    pub fn check_async<F>(mut self, check: F) -> Self
    where
        F: for<'a> Fn(&'a T, &'a Cx) -> Pin<Box<dyn Future<Output = Issues> + Send + 'a>> + Send + Sync + 'static,
    {
        self.parts.terms.checks.push(Check::Async(Arc::new(check)));
        self
    }

    /// Adds what steps in when the attempts are used up. Several are tried in the order they were added.
    pub fn fallback(mut self, fallback: Fallback<T>) -> Self {
        self.parts.fallbacks.push(fallback);
        self
    }

    /// Names the release of the prompt, for the account and for records.
    pub fn prompt_release(mut self, release: &'static str) -> Self {
        self.parts.terms.prompt_release = Some(release);
        self
    }

    /// A number that changes when what is said to the model does.
    pub(crate) fn prompt_fingerprint(&self) -> u64 {
        let said =
            serde_json::to_vec(&(&self.parts.request.model, &self.parts.request.system, &self.parts.request.messages));
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
        let Parts { request, terms, fallbacks } = &*self.parts;
        f.debug_struct("Call")
            .field("client", &terms.client)
            .field("request", request)
            .field("mode", &terms.mode)
            .field("guarantee", &terms.guarantee)
            .field("retry", &terms.retry)
            .field("deadline", &terms.deadline)
            .field("checks", &terms.checks.len())
            .field("fallbacks", fallbacks)
            .finish_non_exhaustive()
    }
}

/// What rules on types may look at: the call's context, whatever its type.
fn as_any<Cx: 'static>(context: &Cx) -> &dyn Any {
    context
}
