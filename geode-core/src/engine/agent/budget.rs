//! How long a run may go on.

use std::time::Duration;

/// Rounds and time of one run, and the last part of both in which it has to come to an end.
///
/// In the wrap-up part the model may call no tool any more (`tool_choice: none`): it answers with what it has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[must_use]
pub struct Budget {
    rounds: u32,
    time: Duration,
    wrap_up_rounds: u32,
    wrap_up_time: Duration,
}

impl Default for Budget {
    /// Twenty rounds and ten minutes, the last two rounds and the last minute for wrapping up.
    fn default() -> Self {
        Budget { rounds: 20, time: Duration::from_secs(600), wrap_up_rounds: 2, wrap_up_time: Duration::from_secs(60) }
    }
}

impl Budget {
    /// Most rounds, that is, model calls; at least one.
    pub fn rounds(mut self, rounds: u32) -> Self {
        self.rounds = rounds.max(1);
        self.wrap_up_rounds = self.wrap_up_rounds.min(self.rounds);
        self
    }

    /// Time for the whole run. A tenth of it is for wrapping up, unless set otherwise.
    pub fn time(mut self, time: Duration) -> Self {
        self.time = time;
        self.wrap_up_time = time / 10;
        self
    }

    /// How many of the rounds, and how much of the time, are for wrapping up.
    pub fn wrap_up(mut self, rounds: u32, time: Duration) -> Self {
        self.wrap_up_rounds = rounds.clamp(1, self.rounds);
        self.wrap_up_time = time.min(self.time);
        self
    }

    pub(super) fn most_rounds(&self) -> u32 {
        self.rounds
    }

    pub(super) fn most_time(&self) -> Duration {
        self.time
    }

    /// Whether a round, counted from 1, that begins after this time is in the wrap-up part.
    pub(super) fn wraps_up(&self, round: u32, elapsed: Duration) -> bool {
        round + self.wrap_up_rounds > self.rounds || elapsed + self.wrap_up_time >= self.time
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_rounds_and_the_last_minutes_wrap_up() {
        let budget = Budget::default().rounds(5).time(Duration::from_secs(100));
        let in_time = Duration::from_secs(10);
        let wraps: Vec<bool> = (1..=5).map(|round| budget.wraps_up(round, in_time)).collect();
        assert_eq!(wraps, [false, false, false, true, true]);
        assert!(!budget.wraps_up(1, Duration::from_secs(89)));
        assert!(budget.wraps_up(1, Duration::from_secs(90)));
        assert!(Budget::default().rounds(1).wraps_up(1, Duration::ZERO));
    }
}
