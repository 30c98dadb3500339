//! How a value, or the lack of one, came about.

use std::time::Duration;

use serde::Serialize;

use crate::adapter::Enforcement;
use crate::dialect::Weakening;
use crate::reply::{FinishReason, Reply, Usage};
use crate::report::Note;
use crate::request::Mode;

use super::{Outcome, Redacted};

/// How a value, or the lack of one, came about. Kept on failure too.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Account {
    /// Adapter that was asked last.
    pub adapter: &'static str,
    /// Model that answered, else the one that was asked.
    pub model: Option<String>,
    /// The provider's id of the last request.
    pub request_id: Option<String>,
    /// Why the model stopped.
    pub finish: Option<FinishReason>,
    /// Tokens of all attempts.
    pub usage: Usage,
    /// How structured output was asked for.
    pub mode: Mode,
    /// How far the provider held the model to the schema.
    pub guarantee: Option<Enforcement>,
    /// What the schema on the wire could not carry; checked locally all the same.
    pub weakenings: Vec<Weakening>,
    /// Tolerances used on the way from answer to value, and what the engine changed between attempts.
    pub notes: Vec<Note>,
    /// Every attempt, in order.
    pub attempts: Vec<Attempt>,
    /// What stepped in at the end of the line, where something did.
    pub fallback: Option<FallbackKind>,
    /// The release of the prompt, where the caller names one.
    pub prompt_release: Option<&'static str>,
    /// The version that the schema carries as a constant, where it does.
    pub schema_version: Option<&'static str>,
    /// The last answer's text. Content: by [`raw_text`](Self::raw_text) only.
    pub(crate) raw_text: Redacted,
}

/// One attempt of a call.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Attempt {
    /// What it came to.
    pub outcome: Outcome,
    /// How long it took.
    pub duration: Duration,
    /// What it cost.
    pub usage: Usage,
    /// How long the engine waited before it.
    pub delay: Duration,
    /// The provider's id of its request.
    pub request_id: Option<String>,
}

/// What stepped in when the attempts were used up.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum FallbackKind {
    /// A value of the caller's.
    Value,
    /// Another adapter.
    Adapter,
    /// A person was told. The call itself still ends in its error.
    HumanReview,
}

impl FallbackKind {
    /// The kind's name, as a metric's label.
    pub fn name(self) -> &'static str {
        match self {
            FallbackKind::Value => "value",
            FallbackKind::Adapter => "adapter",
            FallbackKind::HumanReview => "human_review",
        }
    }
}

impl Account {
    /// The last answer's text, as it came. Content: mind where it goes.
    pub fn raw_text(&self) -> &str {
        &self.raw_text.0
    }

    /// Takes over what a reply says about itself: model, id and notes; why it stopped and what it cost.
    pub(crate) fn answered(&mut self, reply: &mut Reply) {
        if let Some(model) = reply.model.take() {
            self.model = Some(model);
        }
        self.request_id = reply.request_id.take();
        self.finish = reply.finish.clone();
        self.usage += reply.usage;
        for message in reply.notes.drain(..) {
            self.note(message);
        }
    }

    /// Adds a note about the whole answer, once.
    pub(crate) fn note(&mut self, message: impl Into<String>) {
        let note = Note { pointer: String::new(), message: message.into() };
        if !self.notes.contains(&note) {
            self.notes.push(note);
        }
    }
}
