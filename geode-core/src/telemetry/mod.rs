//! What the engine tells the outside about its work: counters through `metrics`, spans through `tracing`. Without those
//! features nothing is told and nothing is paid.

#[cfg(feature = "metrics")]
mod metrics;
#[cfg(feature = "tracing")]
mod semconv;
#[cfg(feature = "tracing")]
mod span;

#[cfg(feature = "tracing")]
pub(crate) use span::Span;

use std::time::Duration;

#[cfg(not(feature = "tracing"))]
use crate::outcome::Account;
use crate::outcome::Outcome;
use crate::reply::Usage;
#[cfg(not(feature = "tracing"))]
use crate::request::Request;

/// Something that happened in the engine. Holds no content, and no text of a user's or a provider's.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "metrics"), allow(dead_code, reason = "read by metrics only"))]
pub(crate) enum Signal {
    /// A request goes out.
    Request { adapter: &'static str },
    /// An attempt ended, in this state.
    Response { labels: Labels, outcome: Outcome, duration: Duration, usage: Usage },
    /// Another attempt is made, since the last one ended in this state.
    Retry { adapter: &'static str, reason: Outcome },
    /// Something stepped in at the end of the line.
    Fallback { kind: &'static str },
    /// A person corrected an accepted value.
    Correction { prompt_release: &'static str },
}

/// Labels of few values each: every one is a literal of the program's, so no text from outside can become one.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "metrics"), allow(dead_code, reason = "read by metrics only"))]
pub(crate) struct Labels {
    pub(crate) adapter: &'static str,
    /// Empty where the caller names none.
    pub(crate) prompt_release: &'static str,
    /// Empty where the schema has none.
    pub(crate) schema_version: &'static str,
}

/// Tells the outside.
pub(crate) fn emit(signal: Signal) {
    #[cfg(feature = "metrics")]
    metrics::record(signal);
    #[cfg(not(feature = "metrics"))]
    let _ = signal;
}

/// The span of one attempt, where spans are off.
#[cfg(not(feature = "tracing"))]
pub(crate) struct Span;

#[cfg(not(feature = "tracing"))]
impl Span {
    pub(crate) fn start(_adapter: &'static str, _request: &Request) -> Self {
        Span
    }

    pub(crate) fn end(self, _outcome: Outcome, _account: &Account, _usage: Usage) {}
}
