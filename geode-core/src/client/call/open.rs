//! An exchange whose answer is coming: what each of its events brings.

use super::run::Prepared;
use crate::engine::{Arriving, AttemptTimer, Live};
use crate::outcome::Failure;
use crate::reply::{Event, Reply};
use crate::request::{Mode, OUTPUT_TOOL};

/// A call whose answer is coming.
pub(super) struct Open {
    pub(super) prepared: Prepared,
    pub(super) live: Live,
    pub(super) timer: AttemptTimer,
    pub(super) arriving: Arriving,
    /// The refusal as far as it has come.
    pub(super) refusal: String,
    /// Position of the call that hands in the answer, in tool mode.
    pub(super) answer_call: Option<usize>,
}

/// What an event brought.
pub(super) enum Step {
    /// More of the answer.
    Answer,
    /// More of a refusal.
    Refusal,
    /// Nothing to show.
    Nothing,
    /// The end of the answer, well or badly.
    Answered(Box<Reply>),
    /// The end of the exchange, without one of the answer.
    Broken(Box<Failure>),
}

impl Open {
    /// Whether anything has come that could be shown.
    pub(super) fn has_begun(&self) -> bool {
        !self.arriving.text().is_empty() || !self.refusal.is_empty()
    }

    /// Takes the next event.
    pub(super) async fn advance(&mut self) -> Step {
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
