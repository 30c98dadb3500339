//! A streamed call: previews while the answer comes, and one value, or one error, at its end.

use std::marker::PhantomData;
use std::time::Duration;

use super::run::{Prepared, raw_text};
use super::{Call, Fallback};
use crate::engine::{Arriving, AttemptTimer, Deadline, Live, Retries, SchemaSource};
use crate::json::stream::{Partial, Place, Preview};
use crate::json::{ReadOptions, Reader};
use crate::outcome::{Accepted, Account, CallError, Failure, Outcome, Redacted};
use crate::output::StructuredOutput;
use crate::reply::{Event, Reply};
use crate::report::Report;
use crate::request::{Mode, OUTPUT_TOOL};
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
/// exchange is ended and `finish` says why. Faults before the answer begins are tried again as the call's policy says;
/// once it has begun, only fallbacks step in.
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
    state: State,
}

/// How far the call has come.
enum State {
    New,
    Open(Box<Open>),
    Ended(Ended),
}

/// A call whose answer is coming.
struct Open {
    prepared: Prepared,
    live: Live,
    timer: AttemptTimer,
    arriving: Arriving,
    refusal: String,
    /// Position of the call that hands in the answer, in tool mode.
    answer_call: Option<usize>,
}

/// A call whose answer has ended, well or badly.
enum Ended {
    /// It never began.
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

/// What an event brought.
enum Step {
    Answer,
    Refusal,
    Nothing,
    Answered(Box<Reply>),
    Broken(Box<Failure>),
}

impl<T, Cx: 'static> Call<T, Cx> {
    /// Makes the call as a stream: see [`AnswerStream`].
    pub fn stream(mut self) -> AnswerStream<T, Cx> {
        let mut account = self.client.account();
        account.prompt_release = self.prompt_release;
        AnswerStream {
            fallbacks: std::mem::take(&mut self.fallbacks),
            deadline: Deadline::after(self.deadline),
            account,
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
    fn reached(&self) -> Option<&Open> {
        match &self.state {
            State::Open(open) | State::Ended(Ended::Answered(open, _) | Ended::Broken(open, _)) => Some(open),
            State::New | State::Ended(Ended::Unreached(_)) => None,
        }
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
        Elements { stream: self, pointer: pointer.into(), place: Place::default(), element: PhantomData }
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
            Ok(value) => Ok(Accepted { value, account: self.account }),
            Err(failure) => {
                let error = CallError::new(failure, self.account);
                self.call.step_in(self.fallbacks, error, self.deadline).await
            }
        }
    }

    async fn judge(&mut self, open: Open, reply: &mut Reply) -> Result<T, Failure> {
        let Open { prepared, mut timer, .. } = open;
        timer.answered(reply, &mut self.account);
        let outcome =
            self.call.judge(reply, &prepared.resolved, prepared.reading, 0, self.deadline, &mut self.account).await;
        self.account.raw_text = Redacted(raw_text(reply, &outcome));
        match &outcome {
            Ok(_) => timer.end(Outcome::Accepted, &mut self.account),
            Err(failure) => timer.failed(failure, &mut self.account),
        }
        outcome
    }

    /// Waits for something to show, or for the end.
    async fn advance(&mut self) -> Step {
        loop {
            let step = match &mut self.state {
                State::Ended(_) => return Step::Nothing,
                State::New => match self.open().await {
                    Ok(open) => {
                        self.state = State::Open(Box::new(open));
                        continue;
                    }
                    Err(failure) => {
                        self.state = State::Ended(Ended::Unreached(Box::new(failure)));
                        return Step::Nothing;
                    }
                },
                State::Open(open) => open.advance().await,
            };
            if let Step::Nothing = step {
                continue;
            }
            self.state = match (step, std::mem::replace(&mut self.state, State::New)) {
                (Step::Answered(reply), State::Open(open)) => State::Ended(Ended::Answered(open, reply)),
                (Step::Broken(failure), State::Open(mut open)) => {
                    let partial = open.live.end();
                    State::Ended(Ended::Broken(open, Box::new((*failure, partial))))
                }
                (step, state) => {
                    self.state = state;
                    return step;
                }
            };
            return Step::Nothing;
        }
    }

    /// Reaches the provider, more than once where the policy says so.
    async fn open(&mut self) -> Result<Open, Failure> {
        let client = self.call.client.clone();
        let prepared = self.call.prepare(&client, &mut self.account)?;
        let line = client.line();
        let mut retries = Retries::new(&self.call.retry);
        let mut delay = Duration::ZERO;
        loop {
            let timer = AttemptTimer::start(line.adapter.name(), &prepared.request, delay);
            let failure = match line.open(&prepared.request, self.deadline).await {
                Ok(live) => {
                    let shape = match &self.call.contract.schema {
                        SchemaSource::Shape(shape) => Some(*shape),
                        SchemaSource::Raw(_) => None,
                    };
                    let lifts = &prepared.resolved.plan.lifts;
                    let arriving = Arriving::new(shape, lifts, prepared.reading, line.limits.max_bytes);
                    let refusal = String::new();
                    return Ok(Open { prepared, live, timer, arriving, refusal, answer_call: None });
                }
                Err(failure) => failure,
            };
            timer.failed(&failure, &mut self.account);
            let Some(wait) = retries.next(&failure, self.deadline).filter(|_| failure.is_transient()) else {
                return Err(failure);
            };
            telemetry::emit(Signal::Retry { adapter: line.adapter.name(), reason: failure.outcome() });
            tokio::time::sleep(wait).await;
            delay = wait;
        }
    }
}

impl Open {
    /// Takes the next event.
    async fn advance(&mut self) -> Step {
        let tool_mode = self.prepared.resolved.mode == Mode::Tool;
        let arrived = match self.live.next().await {
            Ok(Some(Event::Text(text))) if !tool_mode => self.arriving.push(&text),
            Ok(Some(Event::Refusal(text))) => {
                self.refusal.push_str(&text);
                return Step::Refusal;
            }
            Ok(Some(Event::ToolInput { index, name, delta })) if tool_mode => {
                if self.answer_call.is_none() && name.as_deref() == Some(OUTPUT_TOOL) {
                    self.answer_call = Some(index);
                }
                match self.answer_call == Some(index) {
                    true => self.arriving.push(&delta),
                    false => return Step::Nothing,
                }
            }
            Ok(Some(Event::Done(reply))) => return Step::Answered(reply),
            Ok(Some(Event::Text(_) | Event::ToolInput { .. })) => return Step::Nothing,
            Ok(None) => return Step::Answered(Box::new(self.live.end())),
            Err(failure) => Err(failure),
        };
        match arrived {
            Ok(()) if self.arriving.preview().is_some() => Step::Answer,
            Ok(()) => Step::Nothing,
            Err(failure) => Step::Broken(Box::new(failure)),
        }
    }
}

/// The elements of a list in a streamed answer: see [`AnswerStream::elements`].
pub struct Elements<'s, T, Cx, E> {
    stream: &'s mut AnswerStream<T, Cx>,
    pointer: String,
    place: Place,
    element: PhantomData<fn() -> E>,
}

impl<T, Cx: 'static, E: StructuredOutput> Elements<'_, T, Cx, E> {
    /// Waits for the next element. `None` when the answer has ended.
    ///
    /// # Errors
    ///
    /// All that is wrong with the element.
    pub async fn next(&mut self) -> Option<Result<E, Report>> {
        loop {
            let list = self.stream.preview().and_then(|root| root.get(&self.pointer));
            if let Some(text) = list.and_then(|list| self.place.advance(list)) {
                let lifts = self.stream.reached().map(|open| open.prepared.resolved.plan.lifts).unwrap_or_default();
                let options = ReadOptions { wrapped_root: false, ..lifts };
                return Some(Reader::read(text, &options).map_err(|report| self.placed(report)));
            }
            if let State::Ended(_) = self.stream.state {
                return None;
            }
            self.stream.advance().await;
        }
    }

    /// The report with the element's place in front of every pointer.
    fn placed(&self, mut report: Report) -> Report {
        for violation in &mut report.violations {
            violation.pointer = format!("{}/{}{}", self.pointer, self.place.passed - 1, violation.pointer);
        }
        report
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

impl<T, Cx, E> std::fmt::Debug for Elements<'_, T, Cx, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elements").field("pointer", &self.pointer).field("passed", &self.place.passed).finish()
    }
}
