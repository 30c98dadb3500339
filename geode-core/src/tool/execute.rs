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
use super::{
    Approver, Caller, Content, Decision, ErrorType, PlannedTools, Proposal, ResultStore, Tier, ToolContext, ToolError,
};
use crate::message::{Part, ToolResult, ToolUse};

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

/// One call that was dealt with.
#[derive(Debug, Clone)]
pub struct Executed {
    /// What goes to the model.
    pub result: ToolResult,
    /// What it came to.
    pub status: Status,
    /// The tool's tier; `None` where there is no such tool.
    pub tier: Option<Tier>,
    /// How long it ran, approval and authorization not counted.
    pub duration: Duration,
    /// Id of the stored result, where it was too long for the conversation.
    pub offloaded: Option<String>,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Status {
    /// It ran and gave a result.
    Succeeded,
    /// It failed, or never ran.
    Failed(ToolError),
    /// The tool panicked.
    Panicked,
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
            return Err(Box::new(self.failed(call, None, unknown)));
        };
        let tier = tool.tier();
        let limit = tool.timeout().unwrap_or(self.timeout);
        match tool.propose(&call.input, plan, &self.caller) {
            Ok(proposed) => Ok(Pending { call, tier, limit, proposed }),
            Err(error) => Err(Box::new(self.failed(call, Some(tier), error))),
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
            Some(Ok(Err(_))) => return Err(self.panicked(call, *tier, Duration::ZERO)),
            Some(Err(_)) => timed_out(&call.name, *limit),
            None => cancelled(),
        };
        Err(self.failed(call, Some(*tier), error))
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
            Some(Ok(Err(_))) => return self.panicked(call, tier, duration),
            Some(Ok(Ok(content))) => content,
        };
        let guarded = content.and_then(|content| match self.store {
            Some(store) if call.name != super::READ_RESULT => store.guard(content),
            _ => Ok((content, None)),
        });
        match guarded {
            Ok((Content(content), offloaded)) => Executed {
                result: result(call, content, false),
                status: Status::Succeeded,
                tier: Some(tier),
                duration,
                offloaded,
            },
            Err(error) => Executed { duration, ..self.failed(call, Some(tier), error) },
        }
    }

    async fn until_cancelled<F: Future>(&self, future: F) -> Option<F::Output> {
        self.cancel.run_until_cancelled(future).await
    }

    fn failed(&self, call: &ToolUse, tier: Option<Tier>, error: ToolError) -> Executed {
        let content = vec![Part::Text { text: error.to_json() }];
        Executed {
            result: result(call, content, true),
            status: Status::Failed(error),
            tier,
            duration: Duration::ZERO,
            offloaded: None,
        }
    }

    fn denied(&self, call: &Pending<'_>, reason: &str) -> Executed {
        let error = if self.cancel.is_cancelled() {
            cancelled()
        } else {
            ToolError::new(ErrorType::Permission, false, format_args!("the call was not approved: {reason}"))
                .hint("Do not make the same call again. Go on without it, or say what you would need.")
        };
        self.failed(call.call, Some(call.tier), error)
    }

    fn panicked(&self, call: &ToolUse, tier: Tier, duration: Duration) -> Executed {
        let error = ToolError::internal(format_args!("`{}` failed unexpectedly", call.name))
            .hint("It is a fault of the tool and not of the arguments: go on without it.");
        Executed { status: Status::Panicked, duration, ..self.failed(call, Some(tier), error) }
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

fn result(call: &ToolUse, content: Vec<Part>, is_error: bool) -> ToolResult {
    ToolResult { tool_use_id: call.id.clone(), name: call.name.clone(), content, is_error }
}

fn refused(reason: &str) -> ToolError {
    ToolError::new(ErrorType::Authorization, false, format_args!("the call is not allowed: {reason}"))
        .hint("The same call will be refused again. Tell the user, or go on without it.")
}

fn cancelled() -> ToolError {
    ToolError::new(ErrorType::Cancelled, false, "the run was cancelled before the call ended")
}

fn timed_out(tool: &str, limit: Duration) -> ToolError {
    ToolError::new(ErrorType::Timeout, true, format_args!("`{tool}` took longer than {limit:?}"))
        .hint("Ask for less, or go on without it. The call may have had an effect all the same.")
}
