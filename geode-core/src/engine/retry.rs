//! When a failed attempt is made again, and how long that waits.

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use backon::{BackoffBuilder, ConstantBuilder, ExponentialBackoff, ExponentialBuilder};

use crate::message::Message;
use crate::outcome::Failure;

use super::deadline::Deadline;
use super::tool_mode::MOST_REMINDERS;

/// Makes a conversation shorter for the next attempt; gets the number of attempts made so far.
pub(crate) type Reduce = Arc<dyn Fn(&mut Vec<Message>, u32) + Send + Sync>;

/// Which failures are tried again, how often, and how long that waits.
///
/// The defaults: three attempts; transport faults and provider errors that can pass are tried again, and so are
/// incomplete answers and answers that violate the schema; refusals never are, and business failures go to a person.
/// The total is also bounded by the call's deadline: a wait that would pass it is not begun.
///
/// ```
/// use std::time::Duration;
/// use geode_core::client::RetryPolicy;
///
/// let patient = RetryPolicy::default().attempts(5).delays(Duration::from_secs(1), Duration::from_secs(30));
/// let once = RetryPolicy::none();
/// # let _ = (patient, once);
/// ```
#[must_use]
#[derive(Clone)]
pub struct RetryPolicy {
    attempts: u32,
    min_delay: Duration,
    max_delay: Duration,
    incomplete: bool,
    invalid_schema: bool,
    invalid_business: bool,
    reduce: Option<Reduce>,
    jitter_seed: Option<u64>,
}

impl Default for RetryPolicy {
    fn default() -> Self {
        RetryPolicy {
            attempts: 3,
            min_delay: Duration::from_millis(500),
            max_delay: Duration::from_secs(8),
            incomplete: true,
            invalid_schema: true,
            invalid_business: false,
            reduce: None,
            jitter_seed: None,
        }
    }
}

impl RetryPolicy {
    /// One attempt, whatever comes of it.
    pub fn none() -> Self {
        RetryPolicy { attempts: 1, ..RetryPolicy::default() }
    }

    /// Most attempts, the first included; at least 1.
    pub fn attempts(mut self, attempts: u32) -> Self {
        self.attempts = attempts.max(1);
        self
    }

    /// The first wait and the longest. Waits double in between, and a random part of up to one more wait is added, so
    /// that many callers don't come back in step. A delay that the server asks for goes first; to that, too, a random part
    /// is added, of up to a tenth of it or the first wait, whichever is more.
    pub fn delays(mut self, first: Duration, longest: Duration) -> Self {
        self.min_delay = first;
        self.max_delay = longest.max(first);
        self
    }

    /// Whether incomplete answers are tried again. An answer that a content filter stopped, or that grew over the size
    /// limit, never is.
    pub fn incomplete(mut self, retried: bool) -> Self {
        self.incomplete = retried;
        self
    }

    /// Whether answers that violate the schema are asked for again, with the violations as feedback.
    pub fn invalid_schema(mut self, retried: bool) -> Self {
        self.invalid_schema = retried;
        self
    }

    /// Whether answers that break business rules are asked for again, with the issues as feedback. Off by default: such
    /// an answer is well formed, and a person should look at it.
    pub fn invalid_business(mut self, retried: bool) -> Self {
        self.invalid_business = retried;
        self
    }

    /// Shrinks the conversation before each further attempt. The hook gets the original conversation and the number of
    /// attempts made so far.
    pub fn reduce_context(mut self, reduce: impl Fn(&mut Vec<Message>, u32) + Send + Sync + 'static) -> Self {
        self.reduce = Some(Arc::new(reduce));
        self
    }

    /// Makes the random part of the waits repeatable, for tests.
    pub fn jitter_seed(mut self, seed: u64) -> Self {
        self.jitter_seed = Some(seed);
        self
    }

    /// The hook that shrinks the conversation.
    pub(crate) fn reduce(&self) -> Option<&Reduce> {
        self.reduce.as_ref()
    }

    /// The waits, one after another.
    fn backoff(&self) -> ExponentialBackoff {
        let backoff = ExponentialBuilder::new()
            .with_jitter()
            .with_min_delay(self.min_delay)
            .with_max_delay(self.max_delay)
            .without_max_times();
        match self.jitter_seed {
            Some(seed) => backoff.with_jitter_seed(seed).build(),
            None => backoff.build(),
        }
    }

    /// A random part to wait beyond what the server asks for: it tells the same to everyone, and all would come back at
    /// once. It leaves at least half of what would be left for the attempt.
    fn apart(&self, asked: Duration, remaining: Duration) -> Duration {
        let most = (asked / 10).max(self.min_delay).min(remaining.saturating_sub(asked) / 2);
        let mut jitter = ConstantBuilder::new().with_delay(most).with_jitter();
        if let Some(seed) = self.jitter_seed {
            jitter = jitter.with_jitter_seed(seed);
        }
        jitter.build().next().unwrap_or_default().saturating_sub(most)
    }

    /// Whether this failure may be tried again at all.
    fn covers(&self, failure: &Failure) -> bool {
        match failure {
            Failure::Incomplete { reason } => self.incomplete && !reason.is_final(),
            Failure::InvalidSchema(_) => self.invalid_schema,
            Failure::InvalidBusiness(_) => self.invalid_business,
            Failure::StructuredOutputFailed { reminders } => *reminders < MOST_REMINDERS,
            _ => failure.is_transient(),
        }
    }
}

impl fmt::Debug for RetryPolicy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RetryPolicy")
            .field("attempts", &self.attempts)
            .field("min_delay", &self.min_delay)
            .field("max_delay", &self.max_delay)
            .field("incomplete", &self.incomplete)
            .field("invalid_schema", &self.invalid_schema)
            .field("invalid_business", &self.invalid_business)
            .field("reduces_context", &self.reduce.is_some())
            .finish()
    }
}

/// The attempts of one call: counts them and says how long to wait for the next.
#[derive(Default)]
pub(crate) struct Retries {
    made: u32,
    /// Made with the first failure that waits: most calls have none.
    backoff: Option<Box<ExponentialBackoff>>,
}

impl Retries {
    /// Attempts made so far.
    pub(crate) fn made(&self) -> u32 {
        self.made
    }

    /// Takes note of a failed attempt. Returns how long to wait for the next by the policy, which must be the same each
    /// time; `None` says that there is none.
    ///
    /// Where waiting changes nothing (the model has answered, but badly), the next attempt follows at once.
    pub(crate) fn next(&mut self, policy: &RetryPolicy, failure: &Failure, deadline: Deadline) -> Option<Duration> {
        self.made += 1;
        if self.made >= policy.attempts || !policy.covers(failure) {
            return None;
        }
        let remaining = deadline.remaining();
        let delay = match failure.retry_after() {
            Some(asked) => asked.saturating_add(policy.apart(asked, remaining)),
            None if failure.is_transient() => self.backoff.get_or_insert_with(|| Box::new(policy.backoff())).next()?,
            None => Duration::ZERO,
        };
        (delay < remaining).then_some(delay)
    }
}
