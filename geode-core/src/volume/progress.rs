//! How far a run of many calls is.

use std::time::{Duration, Instant};

use super::Item;
use crate::reply::Usage;

/// How far a run of many calls is.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Progress {
    /// Items with an outcome, resumed ones included.
    pub done: usize,
    /// Of those, items with a value.
    pub accepted: usize,
    /// Of those, items that were read from the journal.
    pub resumed: usize,
    /// Tokens of this run's calls.
    pub usage: Usage,
    started: Instant,
}

impl Progress {
    pub(super) fn start() -> Self {
        Progress { done: 0, accepted: 0, resumed: 0, usage: Usage::default(), started: Instant::now() }
    }

    pub(super) fn count<T>(&mut self, item: &Item<T>) {
        self.done += 1;
        self.accepted += usize::from(item.result.is_ok());
        if item.resumed {
            self.resumed += 1;
            return;
        }
        self.usage += match &item.result {
            Ok(accepted) => accepted.usage(),
            Err(error) => error.usage(),
        };
    }

    /// Items without a value.
    pub fn failed(&self) -> usize {
        self.done - self.accepted
    }

    /// Time since the run began.
    pub fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }
}
