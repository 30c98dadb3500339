//! What is done about a tool that keeps failing: try once more, let another stand in, or give up.

use std::collections::BTreeMap;

use super::watch::was_stopped;
use super::{AgentEvent, RecoveryStep};
use crate::message::{Part, ToolUse};
use crate::tool::{ErrorType, Executed, Execution, Status, Tier};

/// Recovery of one failed call of a tool that had failed before.
pub(super) struct Recovery<'a> {
    pub(super) execution: &'a Execution<'a>,
    /// Tools that stand in for others, by the name of those.
    pub(super) stand_ins: &'a BTreeMap<String, String>,
    pub(super) observe: &'a (dyn Fn(AgentEvent) + Send + Sync),
}

impl Recovery<'_> {
    /// Takes the steps in order until one gives a result.
    pub(super) async fn recover(&self, call: &ToolUse, failed: Executed) -> Executed {
        if failed.status == Status::Succeeded || was_stopped(&failed.status) {
            return failed;
        }
        if may_retry(&failed) {
            self.step(call, RecoveryStep::Retry);
            if let Some(done) = self.again(call.clone()).await {
                return done;
            }
        }
        if let Some(stand_in) = self.stand_ins.get(&call.name) {
            self.step(call, RecoveryStep::StandIn);
            let other = ToolUse { name: stand_in.clone(), ..call.clone() };
            if let Some(mut done) = self.again(other).await {
                done.result.name.clone_from(&call.name);
                let note = format!("`{}` is failing; `{stand_in}` stood in for it.", call.name);
                done.result.content.push(Part::Text { text: note });
                return done;
            }
        }
        self.step(call, RecoveryStep::GiveUp);
        let mut failed = failed;
        let note = format!(
            "`{}` keeps failing. Leave it alone: use another tool, or answer with what you know and say what is missing.",
            call.name
        );
        failed.result.content.push(Part::Text { text: note });
        failed
    }

    async fn again(&self, call: ToolUse) -> Option<Executed> {
        let done = self.execution.run(&[call]).await.pop()?;
        (done.status == Status::Succeeded).then_some(done)
    }

    fn step(&self, call: &ToolUse, step: RecoveryStep) {
        (self.observe)(AgentEvent::RecoveryStep { tool: call.name.clone(), step });
    }
}

/// Whether the same call may be made again unasked: the fault can pass, and the tool changes nothing.
fn may_retry(failed: &Executed) -> bool {
    let Status::Failed(error) = &failed.status else { return false };
    let passing = matches!(error.error_type(), ErrorType::Connection | ErrorType::Timeout);
    passing && error.is_recoverable() && failed.tier.is_some_and(|tier| tier <= Tier::PreApproved)
}
