//! A streamed call: previews while the answer comes, and one value, or one error, at its end.

use std::time::Duration;

use super::elements::Elements;
use super::open::{Open, Step};
use super::run::{Prepared, raw_text};
use super::{Call, Fallback, Parts};
use crate::engine::{Arriving, AttemptTimer, Deadline, Retries, SchemaSource};
use crate::json::stream::{Partial, Preview};
use crate::outcome::{Accepted, Account, CallError, Failure, IncompleteReason, Outcome, Redacted};
use crate::output::StructuredOutput;
use crate::reply::Reply;
use crate::telemetry::{self, Signal};

/// An answer that comes in pieces: [`next`](Self::next) shows it as far as it has come, [`finish`](Self::finish) gives
/// the value.
///
/// What `next` shows is for eyes: it has not been validated. The value comes only when the provider has said that the
/// answer is complete, and the whole text has passed every check that [`send`](Call::send) makes. A stream that is cut
/// is incomplete, and its text is never parsed.
///
/// Nothing is sent before the first `next` or `finish`, and nothing is read ahead: a slow reader slows the provider
/// down. Dropping the stream ends the exchange. As soon as what has come can't become a valid `T` any more, the
/// exchange is ended and `finish` says why. Faults before there is anything to show are tried again as the call's policy
/// says; after that, only fallbacks step in.
///
/// ```no_run
/// # async fn show<T: geode_core::StructuredOutput + 'static>(client: geode_core::client::Client) -> Result<(), geode_core::outcome::CallError> {
/// use geode_core::client::Update;
///
/// let mut answer = client.stream::<T>("I was charged twice for order 118.");
/// while let Some(update) = answer.next().await {
///     if let Update::Answer(preview) = update {
///         let reason = preview.get("/reason").and_then(|text| text.as_str());
///         println!("{}", reason.unwrap_or("…"));
///     }
/// }
/// let value = answer.finish().await?;
/// # Ok(()) }
/// ```
#[must_use = "nothing is sent, and no error is seen, until the stream is finished"]
pub struct AnswerStream<T, Cx = ()> {
    call: Call<T, Cx>,
    fallbacks: Vec<Fallback<T>>,
    account: Account,
    deadline: Deadline,
    retries: Retries,
    /// How long the coming attempt was waited for.
    delay: Duration,
    state: State,
}

/// How far the call has come.
enum State {
    New,
    Open(Box<Open>),
    Ended(Ended),
}

/// A call whose answer has ended, well or badly.
enum Ended {
    /// There was never anything to show.
    Unreached(Box<Failure>),
    /// The provider ended it, or its stream was cut.
    Answered(Box<Open>, Box<Reply>),
    /// It was given up, with what had come by then.
    Broken(Box<Open>, Box<(Failure, Reply)>),
}

/// What has come of a streamed answer.
#[non_exhaustive]
pub enum Update<'a> {
    /// The answer as far as it has come.
    Answer(Preview<'a>),
    /// The model declines; its reason as far as it has come. [`AnswerStream::finish`] will give an error.
    Refusal(&'a str),
}

/// Shows sizes, no content.
impl std::fmt::Debug for Update<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Update::Answer(preview) => f.debug_tuple("Answer").field(preview).finish(),
            Update::Refusal(reason) => write!(f, "Refusal({} bytes)", reason.len()),
        }
    }
}

impl<T, Cx: 'static> Call<T, Cx> {
    /// Makes the call as a stream: see [`AnswerStream`].
    pub fn stream(mut self) -> AnswerStream<T, Cx> {
        let Parts { terms, fallbacks, .. } = &mut *self.parts;
        AnswerStream {
            fallbacks: std::mem::take(fallbacks),
            deadline: Deadline::after(terms.deadline),
            account: terms.account(),
            retries: Retries::default(),
            delay: Duration::ZERO,
            state: State::New,
            call: self,
        }
    }
}

impl<T, Cx: 'static> AnswerStream<T, Cx> {
    /// Waits until more of the answer has come. `None` when it has ended, well or badly: [`finish`](Self::finish) says
    /// which.
    ///
    /// Cancel safe once the answer has begun: what has come stays, and the next call goes on from there. Cancelled
    /// before that, the request is made anew.
    pub async fn next(&mut self) -> Option<Update<'_>> {
        match self.advance().await {
            Step::Answer => self.preview().map(Update::Answer),
            Step::Refusal => match &self.state {
                State::Open(open) => Some(Update::Refusal(&open.refusal)),
                _ => None,
            },
            Step::Nothing | Step::Answered(_) | Step::Broken(_) => None,
        }
    }

    /// The answer as far as it has come. `None` before its beginning.
    pub fn preview(&self) -> Option<Preview<'_>> {
        self.reached()?.arriving.preview()
    }

    /// The answer as far as it has come, typed: for a `Ticket` that derives `Partial`, a `TicketPartial`.
    pub fn partial(&self) -> Option<T::View<'_>>
    where
        T: Partial,
    {
        T::view(self.preview()?)
    }

    /// The exchange with the provider, also one that has ended.
    pub(super) fn reached(&self) -> Option<&Open> {
        match &self.state {
            State::Open(open) | State::Ended(Ended::Answered(open, _) | Ended::Broken(open, _)) => Some(open),
            State::New | State::Ended(Ended::Unreached(_)) => None,
        }
    }

    pub(super) fn has_ended(&self) -> bool {
        matches!(self.state, State::Ended(_))
    }

    /// The elements of a list in the answer as they complete: of the answer itself where `pointer` is empty, else of
    /// the list at that JSON Pointer.
    ///
    /// Each element has passed its own parser. The answer as a whole has not: that an element came says nothing about
    /// how [`finish`](Self::finish) ends.
    ///
    /// ```no_run
    /// # async fn show<T: geode_core::StructuredOutput + 'static, Line: geode_core::StructuredOutput>(client: geode_core::client::Client) -> Result<(), Box<dyn std::error::Error>> {
    /// let mut answer = client.stream::<T>("Two chairs at 40, one table at 120.");
    /// let mut lines = answer.elements::<Line>("/lines");
    /// while let Some(line) = lines.next().await {
    ///     let line: Line = line?;
    /// }
    /// let invoice = answer.finish().await?;
    /// # Ok(()) }
    /// ```
    pub fn elements<E: StructuredOutput>(&mut self, pointer: impl Into<String>) -> Elements<'_, T, Cx, E> {
        Elements::new(self, pointer.into())
    }

    /// Waits for the end of the answer, and checks it.
    ///
    /// # Errors
    ///
    /// As [`send`](Call::send).
    pub async fn finish(mut self) -> Result<Accepted<T>, CallError> {
        let ended = loop {
            match std::mem::replace(&mut self.state, State::New) {
                State::Ended(ended) => break ended,
                state => self.state = state,
            }
            self.advance().await;
        };
        let outcome = match ended {
            Ended::Unreached(failure) => Err(*failure),
            Ended::Answered(open, mut reply) => self.judge(*open, &mut reply).await,
            Ended::Broken(open, broken) => {
                let (mut open, (failure, mut partial)) = (*open, *broken);
                if let Failure::InvalidSchema(_) = failure {
                    self.account.note("the answer was stopped at its first violation; there may be more");
                }
                self.account.raw_text = Redacted(open.arriving.text().to_owned());
                // what had come was paid for, too
                open.timer.answered(&mut partial, &mut self.account);
                open.timer.failed(&failure, &mut self.account);
                Err(failure)
            }
        };
        match outcome {
            Ok(value) => Ok(Accepted::new(value, self.account)),
            Err(failure) => {
                let error = CallError::new(failure, self.account);
                let Parts { request, terms, .. } = &*self.call.parts;
                terms.step_in(self.fallbacks, request, error, self.deadline).await
            }
        }
    }

    async fn judge(&mut self, open: Open, reply: &mut Reply) -> Result<T, Failure> {
        let Open { prepared, mut timer, .. } = open;
        timer.answered(reply, &mut self.account);
        let Prepared { resolved, reading } = prepared;
        let terms = &self.call.parts.terms;
        let outcome = terms.judge(reply, &resolved, reading, 0, self.deadline, &mut self.account).await;
        self.account.raw_text = Redacted(raw_text(reply, &outcome));
        match &outcome {
            Ok(_) => timer.end(Outcome::Accepted, &mut self.account),
            Err(failure) => timer.failed(failure, &mut self.account),
        }
        outcome
    }

    /// Waits for something to show, or for the end.
    pub(super) async fn advance(&mut self) -> Step {
        loop {
            let step = match &mut self.state {
                State::Ended(_) => return Step::Nothing,
                State::New => {
                    self.state = self.open().await;
                    continue;
                }
                State::Open(open) => open.advance().await,
            };
            let State::Open(mut open) = std::mem::replace(&mut self.state, State::New) else { return Step::Nothing };
            let begun = open.has_begun();
            self.state = match step {
                Step::Nothing => State::Open(open),
                Step::Answered(reply) if begun || reply.finish.is_some() || reply.refusal.is_some() => {
                    State::Ended(Ended::Answered(open, reply))
                }
                Step::Answered(reply) => {
                    let cut = Failure::Incomplete { reason: IncompleteReason::StreamCut };
                    self.again(open.timer, *reply, cut).await
                }
                Step::Broken(failure) => {
                    let partial = open.live.end();
                    match begun {
                        true => State::Ended(Ended::Broken(open, Box::new((*failure, partial)))),
                        false => self.again(open.timer, partial, *failure).await,
                    }
                }
                step => {
                    self.state = State::Open(open);
                    return step;
                }
            };
        }
    }

    /// Reaches the provider, or fails to.
    async fn open(&mut self) -> State {
        let Parts { request, terms, .. } = &*self.call.parts;
        let mut request = request.clone();
        let prepared = match terms.prepare(&terms.client, &mut request, &mut self.account) {
            Ok(prepared) => prepared,
            Err(failure) => return State::Ended(Ended::Unreached(Box::new(failure))),
        };
        let line = terms.client.line();
        let timer = AttemptTimer::start(line.adapter.name(), &request, std::mem::take(&mut self.delay));
        let live = match line.open(&request, self.deadline).await {
            Ok(live) => live,
            Err(failure) => return self.again(timer, Reply::default(), failure).await,
        };
        let shape = match &terms.contract.schema {
            SchemaSource::Shape(shape) => Some(*shape),
            SchemaSource::Raw(_) => None,
        };
        let arriving = Arriving::new(shape, &prepared.resolved.plan.lifts, prepared.reading, line.limits.max_bytes);
        State::Open(Box::new(Open { prepared, live, timer, arriving, refusal: String::new(), answer_call: None }))
    }

    /// Ends an attempt of which nothing was shown, and waits for the next, where there is to be one.
    async fn again(&mut self, mut timer: AttemptTimer, mut partial: Reply, failure: Failure) -> State {
        timer.answered(&mut partial, &mut self.account);
        timer.failed(&failure, &mut self.account);
        let Some(wait) = self.retries.next(&self.call.parts.terms.retry, &failure, self.deadline) else {
            return State::Ended(Ended::Unreached(Box::new(failure)));
        };
        telemetry::emit(Signal::Retry { adapter: self.account.adapter, reason: failure.outcome() });
        tokio::time::sleep(wait).await;
        self.delay = wait;
        State::New
    }
}

impl<T, Cx> std::fmt::Debug for AnswerStream<T, Cx> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = match &self.state {
            State::New => "new",
            State::Open(_) => "open",
            State::Ended(_) => "ended",
        };
        f.debug_struct("AnswerStream").field("state", &state).field("call", &self.call).finish_non_exhaustive()
    }
}
