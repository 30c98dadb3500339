//! Runs the calls of one response: by tier, in parallel where allowed, results in call order.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::join;
use futures_util::stream::{self, StreamExt};
use tokio::time::{Instant, timeout};
use tokio_util::sync::CancellationToken;

use super::erased::Proposed;
use super::executed::{cancelled, not_approved, refused, timed_out};
use super::{
    Approver, Caller, Content, Decision, Executed, PlannedTools, Proposal, ResultStore, Tier, ToolContext, ToolError,
};
use crate::message::ToolUse;

/// Most calls that run at one time.
const MOST_AT_ONCE: usize = 16;

/// Time for a call of a tool that sets none.
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(60);

/// How the calls of one response are run.
#[must_use]
pub struct Execution<'a> {
    tools: &'a PlannedTools,
    caller: Arc<Caller>,
    approver: Option<&'a dyn Approver>,
    store: Option<&'a ResultStore>,
    timeout: Duration,
    cancel: CancellationToken,
}

impl fmt::Debug for Execution<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Execution")
            .field("tools", &self.tools)
            .field("approver", &self.approver.is_some())
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

impl<'a> Execution<'a> {
    /// Execution of these tools for nobody in particular: without an approver every call that needs approval is denied.
    pub fn new(tools: &'a PlannedTools) -> Self {
        Execution {
            tools,
            caller: Arc::default(),
            approver: None,
            store: None,
            timeout: DEFAULT_TIMEOUT,
            cancel: CancellationToken::new(),
        }
    }

    /// Sets on whose behalf the calls are made.
    pub fn caller(mut self, caller: Arc<Caller>) -> Self {
        self.caller = caller;
        self
    }

    /// Sets who approves calls of the tiers that need it.
    pub fn approver(mut self, approver: &'a dyn Approver) -> Self {
        self.approver = Some(approver);
        self
    }

    /// Sets where results over the token guard go. Without it they stay in the conversation.
    pub fn store(mut self, store: &'a ResultStore) -> Self {
        self.store = Some(store);
        self
    }

    /// Sets the time for a call of a tool that sets none; 60 seconds by default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = timeout;
        self
    }

    /// Sets what cancels the calls. Calls that had not ended get a result that says so.
    pub fn cancellation(mut self, cancel: CancellationToken) -> Self {
        self.cancel = cancel;
        self
    }

    /// Runs the calls of one response. The results are in the order of the calls.
    ///
    /// Safe and pre-approved calls run at once, beside the expensive ones that were approved as one batch; then those that
    /// write or are dangerous go one after another through authorization, approval and execution, so that each is judged
    /// by what those before it left behind.
    pub async fn run(&self, calls: &[ToolUse]) -> Vec<Executed> {
        let mut done: Vec<Option<Executed>> = calls.iter().map(|_| None).collect();
        let (mut free, mut expensive, mut sequence) = (Vec::new(), Vec::new(), Vec::new());
        for (slot, call) in done.iter_mut().zip(calls) {
            match self.propose(call) {
                Ok(pending) if !pending.tier.needs_approval() => free.push((slot, pending)),
                Ok(pending) if pending.tier.is_parallel() => expensive.push((slot, pending)),
                Ok(pending) => sequence.push((slot, pending)),
                Err(failed) => *slot = Some(*failed),
            }
        }
        join(self.run_at_once(free), self.run_batch(expensive)).await;
        for (slot, call) in sequence {
            *slot = Some(self.run_alone(call).await);
        }
        done.into_iter().flatten().collect()
    }

    /// The first steps, which only look: is there such a tool, and are the arguments valid?
    fn propose<'c>(&'c self, call: &'c ToolUse) -> Result<Pending<'c>, Box<Executed>> {
        let Some((tool, plan)) = self.tools.find(&call.name) else {
            let unknown = ToolError::unknown_tool(&call.name, &self.tools.names());
            return Err(Box::new(Executed::failed(call, None, unknown)));
        };
        let tier = tool.tier();
        let limit = tool.timeout().unwrap_or(self.timeout);
        match tool.propose(&call.input, plan, &self.caller) {
            Ok(proposed) => Ok(Pending { call, tier, limit, proposed }),
            Err(error) => Err(Box::new(Executed::failed(call, Some(tier), error))),
        }
    }

    async fn run_at_once(&self, calls: Vec<Slotted<'_, '_>>) {
        stream::iter(calls)
            .for_each_concurrent(MOST_AT_ONCE, |(slot, call)| async move {
                *slot = Some(match self.authorize(&call).await {
                    Ok(()) => self.finish(call).await,
                    Err(refused) => refused,
                });
            })
            .await;
    }

    /// Expensive calls: one alone is approved by itself, several as one batch.
    async fn run_batch(&self, calls: Vec<Slotted<'_, '_>>) {
        let mut authorized = Vec::new();
        for (slot, call) in calls {
            match self.authorize(&call).await {
                Ok(()) => authorized.push((slot, call)),
                Err(refused) => *slot = Some(refused),
            }
        }
        let mut decisions = self.approve_batch(&authorized).await.into_iter();
        let mut approved = Vec::new();
        for (slot, call) in authorized {
            match decisions.next().unwrap_or_else(|| Decision::deny(self.no_decision())) {
                Decision::Approve => approved.push((slot, call)),
                Decision::Deny { reason } => *slot = Some(self.denied(&call, &reason)),
            }
        }
        stream::iter(approved)
            .for_each_concurrent(MOST_AT_ONCE, |(slot, call)| async move { *slot = Some(self.finish(call).await) })
            .await;
    }

    async fn run_alone(&self, call: Pending<'_>) -> Executed {
        if let Err(refused) = self.authorize(&call).await {
            return refused;
        }
        match self.approve(&call).await {
            Decision::Approve => self.finish(call).await,
            Decision::Deny { reason } => self.denied(&call, &reason),
        }
    }

    /// May this caller make this call?
    async fn authorize(&self, pending: &Pending<'_>) -> Result<(), Executed> {
        let Pending { call, tier, limit, proposed } = pending;
        let asked = AssertUnwindSafe(async { proposed.authorize(&self.caller).await }).catch_unwind();
        let error = match self.until_cancelled(timeout(*limit, asked)).await {
            Some(Ok(Ok(Ok(())))) => return Ok(()),
            Some(Ok(Ok(Err(denial)))) => refused(denial.reason()),
            Some(Ok(Err(_))) => return Err(Executed::panicked(call, *tier)),
            Some(Err(_)) => timed_out(&call.name, *limit),
            None => cancelled(),
        };
        Err(Executed::failed(call, Some(*tier), error))
    }

    async fn approve_batch(&self, calls: &[Slotted<'_, '_>]) -> Vec<Decision> {
        match (self.approver, calls) {
            (None, _) | (_, []) => Vec::new(),
            (_, [(_, only)]) => vec![self.approve(only).await],
            (Some(approver), several) => {
                let proposals: Vec<Proposal<'_>> = several.iter().map(|(_, call)| call.proposal()).collect();
                let asked = AssertUnwindSafe(async { approver.approve_batch(&proposals).await }).catch_unwind();
                self.until_cancelled(asked).await.and_then(Result::ok).unwrap_or_default()
            }
        }
    }

    async fn approve(&self, call: &Pending<'_>) -> Decision {
        let Some(approver) = self.approver else { return Decision::deny(self.no_decision()) };
        let asked = AssertUnwindSafe(async { approver.approve(call.proposal()).await }).catch_unwind();
        match self.until_cancelled(asked).await {
            Some(Ok(decision)) => decision,
            _ => Decision::deny(self.no_decision()),
        }
    }

    fn no_decision(&self) -> &'static str {
        match self.approver {
            _ if self.cancel.is_cancelled() => "the run was cancelled before anybody decided",
            None => "the call needs approval, and nobody is there to approve it",
            Some(_) => "nobody decided about the call",
        }
    }

    /// Execution itself, under the timeout. Whatever happens comes back as a result.
    async fn finish(&self, pending: Pending<'_>) -> Executed {
        let Pending { call, tier, limit, proposed } = pending;
        let context = ToolContext::new(Arc::clone(&self.caller), &call.id, self.cancel.clone());
        let started = Instant::now();
        // `run` is called inside the guarded future: a tool may panic before its first await.
        let running = AssertUnwindSafe(async { proposed.run(context).await }).catch_unwind();
        let outcome = self.until_cancelled(timeout(limit, running)).await;
        let duration = started.elapsed();
        let content = match outcome {
            None => Err(cancelled()),
            Some(Err(_)) => Err(timed_out(&call.name, limit)),
            Some(Ok(Err(_))) => return Executed { duration, ..Executed::panicked(call, tier) },
            Some(Ok(Ok(content))) => content,
        };
        let guarded = content.and_then(|content| match self.store {
            Some(store) if call.name != super::READ_RESULT => store.guard(content),
            _ => Ok((content, None)),
        });
        match guarded {
            Ok((Content(content), offloaded)) => {
                Executed { duration, offloaded, ..Executed::succeeded(call, tier, content) }
            }
            Err(error) => Executed { duration, ..Executed::failed(call, Some(tier), error) },
        }
    }

    async fn until_cancelled<F: Future>(&self, future: F) -> Option<F::Output> {
        self.cancel.run_until_cancelled(future).await
    }

    fn denied(&self, pending: &Pending<'_>, reason: &str) -> Executed {
        let error = if self.cancel.is_cancelled() { cancelled() } else { not_approved(reason) };
        Executed::failed(pending.call, Some(pending.tier), error)
    }
}

/// A call and the place for what it comes to.
type Slotted<'s, 'c> = (&'s mut Option<Executed>, Pending<'c>);

/// A call that is on its way: parsed, not yet run.
struct Pending<'c> {
    call: &'c ToolUse,
    tier: Tier,
    limit: Duration,
    proposed: Box<dyn Proposed + 'c>,
}

impl Pending<'_> {
    fn proposal(&self) -> Proposal<'_> {
        Proposal { tool_use_id: &self.call.id, tool: &self.call.name, tier: self.tier, input: &self.call.input }
    }
}
