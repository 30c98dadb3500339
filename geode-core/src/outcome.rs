//! What a call came to: a value that passed every check, or a typed account of what went wrong.

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::adapter::{AdapterFault, Enforcement};
use crate::dialect::{Incompatible, Weakening};
use crate::reply::{FinishReason, Usage};
use crate::report::{Note, Report};
use crate::request::Mode;
use crate::transport::TransportError;

/// A value that passed every check, with the account of how it came about. Derefs to the value.
#[derive(Clone)]
pub struct Accepted<T> {
    /// The value.
    pub value: T,
    pub(crate) account: Account,
}

/// Why a call gave no value.
///
/// `Display` shows one level and no content: no prompt, no answer, no secret.
pub struct CallError {
    pub(crate) failure: Failure,
    pub(crate) account: Box<Account>,
}

/// The states that a call without a value can end in (R29).
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The model declined. Never retried.
    Refused {
        /// Its reason, or empty. Content: not in `Display`.
        reason: Redacted,
    },
    /// The answer is cut. Its text is never parsed.
    Incomplete {
        /// Why.
        reason: IncompleteReason,
    },
    /// The answer violates the schema.
    InvalidSchema(Report),
    /// The answer is well formed and breaks business rules.
    InvalidBusiness(Vec<Issue>),
    /// The exchange failed below the provider's protocol.
    Transport(TransportError),
    /// The provider reported an error, or its reply can't be understood.
    Adapter(AdapterFault),
    /// The dialect can't take the schema. Nothing was sent.
    Schema(Vec<Incompatible>),
    /// The adapter can't give what the call requires. Nothing was sent.
    Unsupported {
        /// What was required, and what the adapter gives.
        reason: String,
    },
    /// A tool-mode run ended without the model handing in its answer: `structured_output_failed` (R26).
    StructuredOutputFailed {
        /// Reminders that were sent.
        reminders: u32,
    },
    /// The deadline passed.
    DeadlineExceeded,
}

/// Text that `Debug` doesn't show.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Redacted(pub String);

/// Why an answer is incomplete.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum IncompleteReason {
    /// The limit of output tokens, or the context window.
    TokenLimit,
    /// The stream ended without its terminal event.
    StreamCut,
    /// A filter stopped the answer.
    ContentFilter,
    /// There is nothing in it.
    Empty,
    /// The answer grew over the size limit.
    TooLarge,
    /// Tools were called where an answer was due.
    ToolCall,
    /// A reason that this version doesn't know, as the provider spells it.
    Other(String),
}

/// A business rule that a value breaks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// JSON Pointer of the value at fault; empty for the whole.
    pub pointer: String,
    /// A stable name for the rule.
    pub code: String,
    /// What is wrong, for a person.
    pub message: String,
}

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
    /// Tolerances used on the way from answer to value.
    pub notes: Vec<Note>,
    /// Every attempt, in order.
    pub attempts: Vec<Attempt>,
    /// The last answer's text. Content: by [`raw_text`](Self::raw_text) only.
    pub(crate) raw_text: Redacted,
}

/// One attempt of a call.
#[derive(Debug, Clone, Serialize)]
#[non_exhaustive]
pub struct Attempt {
    /// What it came to: `accepted`, `refused`, `incomplete`, `invalid_schema`, `invalid_business`, `transport_error`.
    pub kind: &'static str,
    /// How long it took.
    pub duration: Duration,
    /// What it cost.
    pub usage: Usage,
    /// How long the engine waited before it.
    pub delay: Duration,
    /// The provider's id of its request.
    pub request_id: Option<String>,
}

impl Account {
    /// The last answer's text, as it came. Content: mind where it goes.
    pub fn raw_text(&self) -> &str {
        &self.raw_text.0
    }
}

impl<T> Deref for Accepted<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({} bytes)", self.0.len())
    }
}
