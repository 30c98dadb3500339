//! The states that an attempt, and a call, can end in.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Accepted, CallError};

/// What an attempt, or a whole call, came to: the one list of states that the ledger of attempts, the metrics and
/// [`CallError`] share.
///
/// It says which state it is. What belongs to a state (the reason, the violations, the issues) is in
/// [`Failure`](super::Failure); request id, model, usage, finish reason, mode, guarantee and attempts are in
/// [`Account`](super::Account), whatever the state.
///
/// ```
/// use geode_core::outcome::{Accepted, CallError, Outcome};
///
/// fn queue<T>(result: &Result<Accepted<T>, CallError>) -> &'static str {
///     match Outcome::of(result) {
///         Outcome::Accepted => "done",
///         Outcome::Refused | Outcome::InvalidBusiness => "a person's",
///         Outcome::Incomplete | Outcome::InvalidSchema | Outcome::TransportError => "later",
///         _ => "broken",
///     }
/// }
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Outcome {
    /// A value that passed every check.
    Accepted,
    /// The model declined.
    Refused,
    /// The answer is cut: by a limit, a filter, or a broken stream.
    Incomplete,
    /// The answer violates the schema.
    InvalidSchema,
    /// The answer is well formed and breaks business rules.
    InvalidBusiness,
    /// The exchange with the provider failed, or the deadline passed.
    TransportError,
    /// Nothing was sent: the adapter or its dialect can't take what the call requires.
    Unsupported,
    /// A tool-mode run ended without the model handing in its answer.
    StructuredOutputFailed,
    /// It ended in an earlier run, and was not made again.
    Earlier,
}

impl Outcome {
    /// The state that a call ended in. A value that a fallback gave is accepted: the account says that it stepped in.
    pub fn of<T>(result: &Result<Accepted<T>, CallError>) -> Self {
        match result {
            Ok(_) => Outcome::Accepted,
            Err(error) => error.outcome(),
        }
    }

    /// The stable name, as ledger and metrics spell it: `invalid_schema`.
    pub const fn name(self) -> &'static str {
        match self {
            Outcome::Accepted => "accepted",
            Outcome::Refused => "refused",
            Outcome::Incomplete => "incomplete",
            Outcome::InvalidSchema => "invalid_schema",
            Outcome::InvalidBusiness => "invalid_business",
            Outcome::TransportError => "transport_error",
            Outcome::Unsupported => "unsupported",
            Outcome::StructuredOutputFailed => "structured_output_failed",
            Outcome::Earlier => "earlier",
        }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
