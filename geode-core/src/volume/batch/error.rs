//! What a batch engine could not do.

use std::fmt;
use std::time::Duration;

use super::BatchState;
use crate::adapter::AdapterFault;
use crate::outcome::CallError;
use crate::transport::TransportError;

/// What a batch engine could not do.
#[derive(Debug)]
#[non_exhaustive]
pub enum BatchError {
    /// The items can't be submitted: a key twice, too many, too large. Nothing was sent.
    Items(String),
    /// An item can't be called. Nothing was sent.
    Call(CallError),
    /// This can't be the id of a batch. Nothing was sent.
    Id,
    /// There are no results: the batch is not over, or was refused as a whole.
    NoResults(BatchState),
    /// The results ended early, by the provider's own counts. Those that came are good; fetch them again for the rest.
    Short {
        /// Lines that came.
        found: u64,
        /// Lines that the provider counts.
        expected: u64,
    },
    /// The exchange failed below the provider's protocol.
    Transport(TransportError),
    /// The provider reported an error, or its reply can't be understood.
    Adapter(AdapterFault),
}

impl BatchError {
    /// Whether the same may succeed later.
    pub fn is_retryable(&self) -> bool {
        match self {
            BatchError::Transport(error) => error.kind.is_retryable(),
            BatchError::Adapter(AdapterFault::Provider(error)) => error.is_retryable(),
            BatchError::NoResults(state) => matches!(state, BatchState::InProgress | BatchState::Cancelling),
            BatchError::Short { .. } => true,
            _ => false,
        }
    }

    /// How long the provider asks to wait.
    pub(super) fn retry_after(&self) -> Option<Duration> {
        match self {
            BatchError::Adapter(AdapterFault::Provider(error)) => error.retry_after,
            _ => None,
        }
    }
}

impl fmt::Display for BatchError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BatchError::Items(reason) => write!(f, "the batch can't be submitted: {reason}"),
            BatchError::Call(_) => f.write_str("an item of the batch can't be called"),
            BatchError::Id => f.write_str("the id of a batch is letters, digits, `_`, `-` and `:`"),
            BatchError::NoResults(BatchState::Failed) => {
                f.write_str("the batch was refused as a whole and has no results: `Batch::error` says why")
            }
            BatchError::NoResults(_) => f.write_str("the batch is not over and has no results yet: `wait` for it"),
            BatchError::Short { found, expected } => {
                write!(f, "the results ended after {found} of {expected} lines: fetch them again")
            }
            BatchError::Transport(_) => f.write_str("the exchange with the batch engine failed"),
            BatchError::Adapter(_) => f.write_str("the batch engine reported an error"),
        }
    }
}

impl std::error::Error for BatchError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BatchError::Items(_) | BatchError::Id | BatchError::NoResults(_) | BatchError::Short { .. } => None,
            BatchError::Call(error) => Some(error),
            BatchError::Transport(error) => Some(error),
            BatchError::Adapter(error) => Some(error),
        }
    }
}
