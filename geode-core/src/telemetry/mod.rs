//! What the engine tells the outside about its work: one hook, from which metrics (and spans) are made.

#[cfg(feature = "metrics")]
mod metrics;

use std::time::Duration;

use crate::reply::Usage;

/// Something that happened in the engine. Holds no content, and no text of a user's or a provider's.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(not(feature = "metrics"), allow(dead_code, reason = "read by metrics only"))]
pub(crate) enum Signal {
    /// A request goes out.
    Request { adapter: &'static str },
    /// An attempt ended, in this state.
    Response { adapter: &'static str, kind: &'static str, duration: Duration, usage: Usage },
    /// Another attempt is made, since the last one ended in this state.
    Retry { adapter: &'static str, reason: &'static str },
    /// Something stepped in at the end of the line.
    Fallback { kind: &'static str },
}

/// Tells the outside.
pub(crate) fn emit(signal: Signal) {
    #[cfg(feature = "metrics")]
    metrics::record(signal);
    #[cfg(not(feature = "metrics"))]
    let _ = signal;
}
