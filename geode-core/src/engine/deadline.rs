//! One deadline for a whole call, handed down to whatever waits.

use std::future::Future;
use std::time::Duration;

use tokio::time::{Instant, timeout_at};

/// The moment at which a call must have ended.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Deadline {
    at: Instant,
}

/// The deadline passed.
#[derive(Debug)]
pub(crate) struct Passed;

/// Longest time that a deadline can lie ahead: thirty days.
const FAR: Duration = Duration::from_secs(30 * 24 * 60 * 60);

impl Deadline {
    /// A deadline that long from now; thirty days at most.
    pub(crate) fn after(time: Duration) -> Self {
        Deadline { at: Instant::now() + time.min(FAR) }
    }

    /// Time left; zero where it has passed.
    pub(crate) fn remaining(self) -> Duration {
        self.at.saturating_duration_since(Instant::now())
    }

    /// Waits for a future, but no longer than the deadline.
    pub(crate) async fn hold<F: Future>(self, future: F) -> Result<F::Output, Passed> {
        timeout_at(self.at, future).await.map_err(|_| Passed)
    }

    /// The earlier of this deadline and one that long from now.
    pub(crate) fn within(self, time: Duration) -> Self {
        Deadline { at: self.at.min(Instant::now() + time.min(FAR)) }
    }
}
