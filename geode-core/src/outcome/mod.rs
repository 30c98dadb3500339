//! What a call came to: a value that passed every check, or a typed account of what went wrong.

mod account;
mod failure;
mod state;
#[cfg(test)]
mod tests;
mod words;

pub use account::{Account, Attempt, FallbackKind};
pub use failure::{Failure, IncompleteReason, Redacted};
pub use state::Outcome;

use std::fmt;
use std::ops::Deref;
use std::time::Duration;

pub use crate::check::Issue;
use crate::reply::Usage;
use crate::report::Report;

/// A value that passed every check, with the account of how it came about. Derefs to the value.
#[derive(Clone)]
pub struct Accepted<T> {
    /// The value.
    pub value: T,
    pub(crate) account: Box<Account>,
}

impl<T> Accepted<T> {
    /// Ends a call with a value.
    pub(crate) fn new(value: T, account: impl Into<Box<Account>>) -> Self {
        Accepted { value, account: account.into() }
    }

    /// The value alone.
    pub fn into_value(self) -> T {
        self.value
    }

    /// The value, and how it came about.
    pub fn into_parts(self) -> (T, Account) {
        (self.value, *self.account)
    }

    /// How the value came about: adapter, model, mode and guarantee, usage, attempts.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Tokens of all attempts.
    pub fn usage(&self) -> Usage {
        self.account.usage
    }

    /// The provider's id of the request that gave the value.
    pub fn request_id(&self) -> Option<&str> {
        self.account.request_id.as_deref()
    }
}

impl<T> Deref for Accepted<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> fmt::Debug for Accepted<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Accepted").field("account", &self.account).finish_non_exhaustive()
    }
}

/// Why a call gave no value.
///
/// Ask it by predicate ([`is_refusal`](Self::is_refusal), [`is_retryable`](Self::is_retryable), …), or match on
/// [`outcome`](Self::outcome) or [`failure`](Self::failure). `Display` shows one level and no content: no prompt, no answer,
/// no secret. The cause, where there is an error behind the state, is reached by [`source`](std::error::Error::source): a
/// [`Report`], the first [`Issue`], an [`AdapterFault`](crate::adapter::AdapterFault), an
/// [`Incompatible`](crate::dialect::Incompatible) or a [`TransportError`](crate::transport::TransportError), each with its own.
pub struct CallError {
    pub(crate) failure: Failure,
    pub(crate) account: Box<Account>,
}

impl CallError {
    /// Ends a call without a value.
    pub(crate) fn new(failure: Failure, account: impl Into<Box<Account>>) -> Self {
        CallError { failure, account: account.into() }
    }

    /// Which state the call ended in.
    pub fn outcome(&self) -> Outcome {
        self.failure.outcome()
    }

    /// The state that the call ended in, with what belongs to it.
    pub fn failure(&self) -> &Failure {
        &self.failure
    }

    /// How it came about: adapter, model, usage, attempts. Kept on failure too.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Whether the model declined.
    pub fn is_refusal(&self) -> bool {
        matches!(self.failure, Failure::Refused { .. })
    }

    /// Whether the answer is cut: by a limit, a filter, or a broken stream.
    pub fn is_incomplete(&self) -> bool {
        matches!(self.failure, Failure::Incomplete { .. })
    }

    /// Whether the answer violates the schema.
    pub fn is_invalid_schema(&self) -> bool {
        matches!(self.failure, Failure::InvalidSchema(_))
    }

    /// Whether the answer is well formed and breaks business rules.
    pub fn is_invalid_business(&self) -> bool {
        matches!(self.failure, Failure::InvalidBusiness(_))
    }

    /// Whether the exchange with the provider failed, or the deadline passed.
    pub fn is_transport(&self) -> bool {
        self.outcome() == Outcome::TransportError
    }

    /// Whether the same call may succeed when it is made again.
    pub fn is_retryable(&self) -> bool {
        self.failure.is_retryable()
    }

    /// The schema violations, where there are any.
    pub fn violations(&self) -> Option<&Report> {
        self.failure.violations()
    }

    /// The business rules that the answer breaks.
    pub fn issues(&self) -> &[Issue] {
        self.failure.issues()
    }

    /// The model's reason for declining. Content: mind where it goes.
    pub fn refusal(&self) -> Option<&str> {
        self.failure.refusal()
    }

    /// How long the provider asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        self.failure.retry_after()
    }

    /// Tokens of all attempts.
    pub fn usage(&self) -> Usage {
        self.account.usage
    }

    /// The provider's id of the last request.
    pub fn request_id(&self) -> Option<&str> {
        self.account.request_id.as_deref()
    }
}

impl fmt::Display for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.failure.fmt(f)
    }
}

impl fmt::Debug for CallError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CallError").field("failure", &self.failure).field("account", &self.account).finish()
    }
}

impl std::error::Error for CallError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.failure.cause()
    }
}
