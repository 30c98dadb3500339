//! A run that is watched: its events, and each model answer as it comes, pulled one at a time.

use std::fmt;

use futures_util::future::BoxFuture;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

use super::{AgentError, AgentEvent};
use crate::engine::Arriving;
use crate::json::stream::{Partial, Preview};
use crate::outcome::Accepted;

/// A run that goes on while it is watched: [`next`](Self::next) shows what happens, [`finish`](Self::finish) gives the
/// same checked answer that [`Session::run`](super::Session::run) does.
///
/// Nothing is sent before the first `next` or `finish`, and nothing is read ahead: the run stands still while nobody
/// waits for it. A tool runs only when the provider has said that its whole call has come; where a stream is cut, no tool
/// of that answer runs, and the run fails. Faults before anything of an answer was shown are tried again as the agent's
/// policy says, none after. Dropping the stream stops the run and loses its current round; the session's history stays
/// complete. An adapter that can't stream shows the run's events alone.
///
/// ```no_run
/// # async fn show<T: geode_core::StructuredOutput + Send + 'static>(agent: geode_core::agent::Agent) -> Result<(), geode_core::agent::AgentError> {
/// use geode_core::agent::AgentUpdate;
///
/// let mut session = agent.session();
/// let mut run = session.stream::<T>("Where is my order?");
/// while let Some(update) = run.next().await {
///     match update {
///         AgentUpdate::Text(text) => print!("{text}"),
///         AgentUpdate::Answer => println!("{:?}", run.preview().is_some()),
///         _ => {}
///     }
/// }
/// let answer = run.finish().await?;
/// # Ok(()) }
/// ```
#[must_use = "nothing is sent, and no error is seen, until the stream is finished"]
pub struct AgentStream<'s, T> {
    state: State<'s, T>,
    updates: UnboundedReceiver<Sent>,
    arriving: Option<Arriving>,
}

enum State<'s, T> {
    Going(BoxFuture<'s, Result<Accepted<T>, AgentError>>),
    Ended(Box<Result<Accepted<T>, AgentError>>),
}

/// Something that a watched run shows. For eyes: nothing of it has been validated. `Debug` shows no content.
#[non_exhaustive]
pub enum AgentUpdate {
    /// Something happened in the run.
    Event(AgentEvent),
    /// More text of the model's current answer, beside or before its calls.
    Text(String),
    /// More of the reason for which the model declines.
    Refusal(String),
    /// More of the arguments of a call. The call has not been made: its end may never come.
    ToolInput {
        /// Which call of the current answer, counted from 0.
        index: usize,
        /// The tool's name, once known.
        name: Option<String>,
        /// More of its arguments.
        delta: String,
    },
    /// More of the final answer: see [`AgentStream::preview`].
    Answer,
}

impl fmt::Debug for AgentUpdate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentUpdate::Event(event) => f.debug_tuple("Event").field(event).finish(),
            AgentUpdate::Text(text) => write!(f, "Text({} bytes)", text.len()),
            AgentUpdate::Refusal(text) => write!(f, "Refusal({} bytes)", text.len()),
            AgentUpdate::ToolInput { index, name, delta } => f
                .debug_struct("ToolInput")
                .field("index", index)
                .field("name", name)
                .field("delta_bytes", &delta.len())
                .finish(),
            AgentUpdate::Answer => f.write_str("Answer"),
        }
    }
}

/// What a run sends to whoever watches.
pub(super) enum Sent {
    /// A model answer begins, with what shows the final answer in it.
    Begin(Option<Box<Arriving>>),
    Update(AgentUpdate),
    /// Part of the final answer, if it turns out to be one.
    Answer(AgentUpdate),
}

/// The run's end of the line. Whoever watches may be gone.
#[derive(Clone)]
pub(super) struct Updates(UnboundedSender<Sent>);

impl Updates {
    pub(super) fn begin(&self, arriving: Option<Arriving>) {
        let _ = self.0.send(Sent::Begin(arriving.map(Box::new)));
    }

    pub(super) fn send(&self, update: AgentUpdate) {
        let _ = self.0.send(Sent::Update(update));
    }

    pub(super) fn answer(&self, update: AgentUpdate) {
        let _ = self.0.send(Sent::Answer(update));
    }
}

impl<'s, T> AgentStream<'s, T> {
    pub(super) fn new(run: impl FnOnce(Updates) -> BoxFuture<'s, Result<Accepted<T>, AgentError>>) -> Self {
        let (sender, updates) = unbounded_channel();
        AgentStream { state: State::Going(run(Updates(sender))), updates, arriving: None }
    }

    /// Lets the run go on until there is something to show. `None` when it has ended, well or badly:
    /// [`finish`](Self::finish) says which.
    ///
    /// Cancel safe: the next call goes on from where the run stands.
    pub async fn next(&mut self) -> Option<AgentUpdate> {
        loop {
            let sent = match (self.updates.try_recv(), &mut self.state) {
                (Ok(sent), _) => sent,
                (Err(_), State::Ended(_)) => return None,
                (Err(_), State::Going(run)) => tokio::select! {
                    biased;
                    Some(sent) = self.updates.recv() => sent,
                    ended = run => {
                        self.state = State::Ended(Box::new(ended));
                        continue;
                    }
                },
            };
            match sent {
                Sent::Begin(arriving) => self.arriving = arriving.map(|arriving| *arriving),
                Sent::Update(update) => return Some(update),
                Sent::Answer(update) => {
                    if let Some(update) = self.take_answer(update) {
                        return Some(update);
                    }
                }
            }
        }
    }

    /// The final answer as far as it has come. `None` before its beginning.
    pub fn preview(&self) -> Option<Preview<'_>> {
        self.arriving.as_ref()?.preview()
    }

    /// The final answer as far as it has come, typed: for a `Ticket` that derives `Partial`, a `TicketPartial`.
    pub fn partial(&self) -> Option<T::View<'_>>
    where
        T: Partial,
    {
        T::view(self.preview()?)
    }

    /// Waits for the end of the run.
    ///
    /// # Errors
    ///
    /// As [`Session::run`](super::Session::run).
    pub async fn finish(mut self) -> Result<Accepted<T>, AgentError> {
        loop {
            match self.state {
                State::Ended(ended) => return *ended,
                State::Going(_) => while self.next().await.is_some() {},
            }
        }
    }

    /// Text that is no part of an answer, a word before a call say, is shown as what it is. The call that hands in the
    /// answer is the runtime's own: it shows as the answer or not at all.
    fn take_answer(&mut self, update: AgentUpdate) -> Option<AgentUpdate> {
        let (AgentUpdate::Text(text) | AgentUpdate::ToolInput { delta: text, .. }) = &update else {
            return Some(update);
        };
        let taken = self.arriving.as_mut().is_some_and(|arriving| arriving.push(text).is_ok());
        if !taken {
            self.arriving = None;
        }
        match update {
            _ if self.preview().is_some() => Some(AgentUpdate::Answer),
            AgentUpdate::ToolInput { .. } => None,
            text => Some(text),
        }
    }
}

impl<T> fmt::Debug for AgentStream<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ended = matches!(self.state, State::Ended(_));
        f.debug_struct("AgentStream").field("ended", &ended).finish_non_exhaustive()
    }
}
