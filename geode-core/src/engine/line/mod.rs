//! The line to a provider: an adapter, what carries its requests, and the limits of each exchange.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;

use crate::adapter::Adapter;
use crate::outcome::{Account, Attempt, Failure, IncompleteReason, Outcome};
use crate::reply::{Reply, Usage};
use crate::request::Request;
use crate::telemetry::{self, Labels, Signal, Span};
use crate::transport::{ExchangeLimits, Transport, TransportError, TransportErrorKind};

use super::state::completed;
use super::{Deadline, Retries, RetryPolicy};

#[cfg(test)]
mod tests;

/// The line to a provider. Clones are cheap.
#[derive(Clone)]
pub(crate) struct Line {
    pub(crate) adapter: Arc<dyn Adapter>,
    pub(crate) transport: Arc<dyn Transport>,
    /// Limits of one attempt; the call's deadline stands above them.
    pub(crate) limits: ExchangeLimits,
}

impl Line {
    /// Makes one exchange: encode, send, decode. Reads nothing into the answer.
    pub(crate) async fn once(&self, request: &Request, deadline: Deadline) -> Result<Reply, Failure> {
        let wire = self.adapter.encode(request).map_err(Failure::Adapter)?;
        let limits = self.limits_by(deadline);
        telemetry::emit(Signal::Request { adapter: self.adapter.name() });
        let sent = self.transport.send(wire, limits);
        // one that doesn't keep the limits must not hang the call
        let sent = match self.transport.keeps_timeout() {
            true => Ok(sent.await),
            false => deadline.within(limits.timeout).hold(sent).await,
        };
        let reply = match sent {
            Ok(Ok(reply)) => reply,
            Ok(Err(error)) => return Err(fault(error, deadline)),
            Err(_) => return Err(fault(timeout(), deadline)),
        };
        if reply.body.len() > limits.max_bytes {
            return Err(Failure::Incomplete { reason: IncompleteReason::TooLarge });
        }
        self.adapter.decode(request, &reply).map_err(Failure::Adapter)
    }

    /// Makes one exchange, and makes it again while faults below the answer can pass. What the answer says is for the
    /// caller to read; attempts, usage and ids are in `account`.
    pub(crate) async fn exchange(
        &self,
        request: &Request,
        policy: &RetryPolicy,
        deadline: Deadline,
        account: &mut Account,
    ) -> Result<Reply, Failure> {
        let mut retries = Retries::default();
        let mut delay = Duration::ZERO;
        loop {
            let mut timer = AttemptTimer::start(self.adapter.name(), request, delay);
            let failure = match self.once(request, deadline).await {
                Ok(mut reply) => {
                    timer.answered(&mut reply, account);
                    timer.end(completed(&reply).err().map_or(Outcome::Accepted, |failure| failure.outcome()), account);
                    return Ok(reply);
                }
                Err(failure) => failure,
            };
            timer.failed(&failure, account);
            let Some(wait) = retries.next(policy, &failure, deadline).filter(|_| failure.is_transient()) else {
                return Err(failure);
            };
            telemetry::emit(Signal::Retry { adapter: self.adapter.name(), reason: failure.outcome() });
            tokio::time::sleep(wait).await;
            delay = wait;
        }
    }

    /// The limits of an attempt that must end by the deadline.
    pub(crate) fn limits_by(&self, deadline: Deadline) -> ExchangeLimits {
        let remaining = deadline.remaining();
        ExchangeLimits {
            timeout: self.limits.timeout.min(remaining),
            idle: self.limits.idle.min(remaining),
            max_bytes: self.limits.max_bytes,
        }
    }
}

impl std::fmt::Debug for Line {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Line").field("adapter", &self.adapter.name()).field("limits", &self.limits).finish()
    }
}

/// Writes one attempt into the account's ledger.
pub(crate) struct AttemptTimer {
    adapter: &'static str,
    begun: Instant,
    delay: Duration,
    usage: Usage,
    request_id: Option<String>,
    span: Span,
}

impl AttemptTimer {
    pub(crate) fn start(adapter: &'static str, request: &Request, delay: Duration) -> Self {
        let span = Span::start(adapter, request);
        AttemptTimer { adapter, begun: Instant::now(), delay, usage: Usage::default(), request_id: None, span }
    }

    /// Takes note of the answer, whatever it is worth: it was paid for.
    pub(crate) fn answered(&mut self, reply: &mut Reply, account: &mut Account) {
        self.usage = reply.usage;
        self.request_id.clone_from(&reply.request_id);
        account.answered(reply);
    }

    /// Ends the attempt with a failure.
    pub(crate) fn failed(mut self, failure: &Failure, account: &mut Account) {
        if let Some(id) = failure.request_id() {
            account.request_id = Some(id.to_owned());
            self.request_id = Some(id.to_owned());
        }
        self.end(failure.outcome(), account);
    }

    /// Ends the attempt.
    pub(crate) fn end(self, outcome: Outcome, account: &mut Account) {
        let duration = self.begun.elapsed();
        let labels = Labels {
            adapter: self.adapter,
            prompt_release: account.prompt_release.unwrap_or_default(),
            schema_version: account.schema_version.unwrap_or_default(),
        };
        telemetry::emit(Signal::Response { labels, outcome, duration, usage: self.usage });
        self.span.end(outcome, account, self.usage);
        account.attempts.push(Attempt {
            outcome,
            duration,
            usage: self.usage,
            delay: self.delay,
            request_id: self.request_id,
        });
    }
}

/// A transport's error as the state that it means for the call.
pub(crate) fn fault(error: TransportError, deadline: Deadline) -> Failure {
    match error.kind {
        TransportErrorKind::TooLarge => Failure::Incomplete { reason: IncompleteReason::TooLarge },
        TransportErrorKind::Timeout | TransportErrorKind::Idle if deadline.remaining().is_zero() => {
            Failure::DeadlineExceeded
        }
        _ => Failure::Transport(error),
    }
}

pub(crate) fn timeout() -> TransportError {
    TransportError {
        kind: TransportErrorKind::Timeout,
        message: "the attempt took longer than its time limit".to_owned(),
        source: None,
    }
}
