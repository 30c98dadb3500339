//! Approval of calls that need one.

use std::fmt;
use std::future::Future;

use futures_util::future::BoxFuture;

use super::Tier;

/// A call that was parsed and authorized, and waits for approval. Shown to whoever approves: `input` is content.
#[derive(Clone, Copy)]
pub struct Proposal<'a> {
    /// Id of the call.
    pub tool_use_id: &'a str,
    /// Name of the tool.
    pub tool: &'a str,
    /// The tool's tier.
    pub tier: Tier,
    /// The arguments as JSON text, valid for the tool's schema.
    pub input: &'a str,
}

impl fmt::Debug for Proposal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Proposal")
            .field("tool_use_id", &self.tool_use_id)
            .field("tool", &self.tool)
            .field("tier", &self.tier)
            .field("input_bytes", &self.input.len())
            .finish()
    }
}

/// What an approver says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Decision {
    /// The call may run.
    Approve,
    /// The call must not run. The model reads the reason.
    Deny {
        /// Why.
        reason: String,
    },
}

impl Decision {
    /// A denial with its reason.
    pub fn deny(reason: impl Into<String>) -> Self {
        Decision::Deny { reason: reason.into() }
    }
}

/// Approves calls of the tiers that need it. A closure from a [`Proposal`] to a future of a [`Decision`] is one, if the
/// future keeps nothing of the proposal.
pub trait Approver: Send + Sync {
    /// Decides about one call.
    fn approve<'a>(&'a self, proposal: Proposal<'a>) -> BoxFuture<'a, Decision>;

    /// Decides about several expensive calls of one response, one decision each, in order. Calls without a decision are
    /// denied. By default asks for one after the other.
    fn approve_batch<'a>(&'a self, proposals: &'a [Proposal<'a>]) -> BoxFuture<'a, Vec<Decision>> {
        Box::pin(async move {
            let mut decisions = Vec::with_capacity(proposals.len());
            for proposal in proposals {
                decisions.push(self.approve(*proposal).await);
            }
            decisions
        })
    }
}

impl<F, Fut> Approver for F
where
    F: Fn(Proposal<'_>) -> Fut + Send + Sync,
    Fut: Future<Output = Decision> + Send + 'static,
{
    fn approve<'a>(&'a self, proposal: Proposal<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(self(proposal))
    }
}

/// Approves everything: for tools whose [`authorize`](super::Tool::authorize) step is judge enough.
#[derive(Debug, Clone, Copy, Default)]
pub struct ApproveAll;

impl Approver for ApproveAll {
    fn approve<'a>(&'a self, _: Proposal<'a>) -> BoxFuture<'a, Decision> {
        Box::pin(std::future::ready(Decision::Approve))
    }
}
