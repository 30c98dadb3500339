//! The states that a call without a value can end in.

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::adapter::AdapterFault;
use crate::check::Issue;
use crate::dialect::Incompatible;
use crate::report::Report;
use crate::transport::TransportError;

use super::Outcome;

/// The states that a call without a value can end in.
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
    Schema(Incompatible),
    /// The adapter can't give what the call requires. Nothing was sent.
    Unsupported {
        /// What was required, and what the adapter gives.
        reason: String,
    },
    /// A tool-mode run ended without the model handing in its answer: `structured_output_failed`.
    StructuredOutputFailed {
        /// Reminders that were sent.
        reminders: u32,
    },
    /// The deadline passed.
    DeadlineExceeded,
    /// The call failed in an earlier run, which wrote it to a journal. It was not made again.
    Earlier {
        /// [`kind`](Self::kind) of the failure then.
        kind: String,
        /// What its `Display` said.
        message: String,
    },
}

impl Failure {
    /// Which state it is.
    pub fn outcome(&self) -> Outcome {
        match self {
            Failure::Refused { .. } => Outcome::Refused,
            Failure::Incomplete { .. } => Outcome::Incomplete,
            Failure::InvalidSchema(_) => Outcome::InvalidSchema,
            Failure::InvalidBusiness(_) => Outcome::InvalidBusiness,
            Failure::Transport(_) | Failure::Adapter(_) | Failure::DeadlineExceeded => Outcome::TransportError,
            Failure::Schema(_) | Failure::Unsupported { .. } => Outcome::Unsupported,
            Failure::StructuredOutputFailed { .. } => Outcome::StructuredOutputFailed,
            Failure::Earlier { .. } => Outcome::Earlier,
        }
    }

    /// The state's stable name: [`Outcome::name`].
    pub fn kind(&self) -> &'static str {
        self.outcome().name()
    }

    /// Whether the same call may succeed when it is made again.
    pub fn is_retryable(&self) -> bool {
        match self {
            Failure::Incomplete { reason } => !reason.is_final(),
            Failure::InvalidSchema(_) | Failure::DeadlineExceeded => true,
            failure => failure.is_transient(),
        }
    }

    /// The schema violations, where there are any.
    pub fn violations(&self) -> Option<&Report> {
        match self {
            Failure::InvalidSchema(report) => Some(report),
            _ => None,
        }
    }

    /// The business rules that the answer breaks.
    pub fn issues(&self) -> &[Issue] {
        match self {
            Failure::InvalidBusiness(issues) => issues,
            _ => &[],
        }
    }

    /// The model's reason for declining. Content: mind where it goes.
    pub fn refusal(&self) -> Option<&str> {
        match self {
            Failure::Refused { reason } => Some(&reason.0),
            _ => None,
        }
    }

    /// What lies behind it, where that is an error of its own: of several issues the first.
    pub(crate) fn cause(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Failure::InvalidSchema(report) => Some(report),
            Failure::InvalidBusiness(issues) => issues.first().map(|issue| issue as _),
            Failure::Transport(error) => Some(error),
            Failure::Adapter(fault) => Some(fault),
            Failure::Schema(incompatible) => Some(incompatible),
            Failure::Refused { .. }
            | Failure::Incomplete { .. }
            | Failure::Unsupported { .. }
            | Failure::StructuredOutputFailed { .. }
            | Failure::DeadlineExceeded
            | Failure::Earlier { .. } => None,
        }
    }

    /// Whether the fault lies below the answer and can pass by itself: the same request may succeed later.
    pub(crate) fn is_transient(&self) -> bool {
        match self {
            Failure::Transport(error) => error.kind.is_retryable(),
            Failure::Adapter(AdapterFault::Provider(error)) => error.is_retryable(),
            Failure::Adapter(AdapterFault::Malformed { status: Some(status), .. }) => (500..600).contains(status),
            _ => false,
        }
    }

    /// How long the provider asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        match self {
            Failure::Adapter(AdapterFault::Provider(error)) => error.retry_after,
            _ => None,
        }
    }

    /// The provider's id of the request that failed, where the failure carries it.
    pub(crate) fn request_id(&self) -> Option<&str> {
        match self {
            Failure::Adapter(AdapterFault::Provider(error)) => error.request_id.as_deref(),
            Failure::Adapter(AdapterFault::Malformed { request_id, .. }) => request_id.as_deref(),
            _ => None,
        }
    }
}

/// Text that `Debug` doesn't show.
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Redacted(pub String);

impl fmt::Debug for Redacted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({} bytes)", self.0.len())
    }
}

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
    /// The model wrote whitespace without end. Streams notice it; a whole answer comes to a token limit.
    Runaway,
    /// Tools were called where an answer was due.
    ToolCall,
    /// A reason that this version doesn't know, as the provider spells it.
    Other(String),
}

impl IncompleteReason {
    /// Whether the same request would come to the same end.
    pub(crate) fn is_final(&self) -> bool {
        matches!(self, IncompleteReason::ContentFilter | IncompleteReason::TooLarge)
    }
}
