//! The calls of one response: the answer among them, and the tools that are run.

use std::future::pending;
use std::sync::Arc;

use super::recovery::Recovery;
use super::run::{Candidate, Run, report};
use super::{AgentEvent, AgentFailure, Termination};
use crate::engine::tool_mode::{self, HandIn};
use crate::message::{Message, ToolResult, ToolUse};
use crate::reply::Reply;
use crate::request::Mode;
use crate::tool::{ErrorType, Executed, Execution, Status, ToolError};

impl Run<'_> {
    /// A response with calls: they are run, or the answer is among them.
    pub(super) async fn take_calls(&mut self, reply: Reply, closing: bool) -> Result<Option<Candidate>, AgentFailure> {
        let in_tool_mode = self.mode() == Some(Mode::Tool);
        if in_tool_mode && let HandIn::Alone(call) = tool_mode::hand_in(&reply.tool_uses) {
            let call = call.clone();
            return Ok(Some(Candidate::HandedIn(reply, call)));
        }
        let beside = in_tool_mode && tool_mode::hand_in(&reply.tool_uses) == HandIn::Beside;
        if beside {
            self.report(AgentEvent::AnswerRejected { violations: 0 });
        }
        let (handed_in, calls): (Vec<&ToolUse>, Vec<&ToolUse>) =
            reply.tool_uses.iter().partition(|call| beside && tool_mode::is_hand_in(call));
        let calls: Vec<ToolUse> = calls.into_iter().cloned().collect();
        let mut results: Vec<ToolResult> = handed_in.into_iter().map(tool_mode::not_alone).collect();
        let mut question = None;
        if closing {
            results.extend(calls.iter().map(forbidden));
        } else {
            let executed = self.execute(&calls).await;
            question = executed.iter().find_map(question_of);
            let hints = self.watch.note(self.round, &calls, &executed);
            for hint in hints {
                self.report(hint.event);
                self.transient.push(Message::Reminder { text: hint.text });
            }
            results.extend(executed.into_iter().map(|done| done.result));
        }
        self.push_round(reply, results);
        match question {
            Some(question) => Err(AgentFailure::Terminated(Termination::UserClarificationNeeded { question })),
            None => Ok(None),
        }
    }

    /// Runs calls within what is left of the time. Tools that keep failing are watched over.
    async fn execute(&self, calls: &[ToolUse]) -> Vec<Executed> {
        let (agent, deadline) = (self.agent, self.deadline);
        let watched: Vec<bool> = calls.iter().map(|call| self.watches(call)).collect();
        let cut = agent.cancel.child_token();
        let mut execution =
            Execution::new(&self.tools).caller(Arc::clone(&agent.caller)).store(&self.store).cancellation(cut.clone());
        if let Some(approver) = &agent.approver {
            execution = execution.approver(&**approver);
        }
        if let Some(timeout) = agent.tool_timeout {
            execution = execution.timeout(timeout);
        }
        let updates = self.updates.as_ref();
        let observe = |event| report(agent, updates, event);
        let recovery = Recovery { execution: &execution, stand_ins: &agent.stand_ins, observe: &observe };
        let work = async {
            let mut executed = execution.run(calls).await;
            for ((done, call), watched) in executed.iter_mut().zip(calls).zip(watched) {
                if watched {
                    *done = recovery.recover(call, done.clone()).await;
                }
            }
            executed
        };
        tokio::pin!(work);
        let executed = tokio::select! {
            executed = &mut work => executed,
            _ = deadline.hold(pending::<()>()) => {
                cut.cancel();
                work.await
            }
        };
        for done in &executed {
            self.report(AgentEvent::ToolFinished {
                tool: done.result.name.clone(),
                failure: failure_of(&done.status),
                duration: done.duration,
                offloaded: done.offloaded.clone(),
            });
        }
        executed
    }

    fn watches(&self, call: &ToolUse) -> bool {
        let Some(failures) = self.watch.needs_recovery(&call.name) else { return false };
        self.report(AgentEvent::RecoveryStarted { tool: call.name.clone(), failures });
        true
    }

    /// Puts calls and their results into the history, together and in the order of the calls.
    pub(super) fn push_round(&mut self, reply: Reply, mut results: Vec<ToolResult>) {
        let position = |id: &str| reply.tool_uses.iter().position(|call| call.id == id);
        results.sort_by_key(|result| position(&result.tool_use_id));
        self.history.push(Message::Assistant { text: reply.text, tool_uses: reply.tool_uses, opaque: reply.opaque });
        self.history.push(Message::ToolResults { results });
    }
}

/// The result of a call that came when no tool may be called: at the end of the run, or in all of it.
fn forbidden(call: &ToolUse) -> ToolResult {
    let error = ToolError::new(ErrorType::Permission, false, "no tool may be called now")
        .hint("Answer now, with what you know.");
    tool_mode::rejected(call, &error)
}

fn question_of(done: &Executed) -> Option<String> {
    match &done.status {
        Status::Failed(error) if error.error_type() == ErrorType::ClarificationNeeded => {
            Some(error.message().to_owned())
        }
        _ => None,
    }
}

fn failure_of(status: &Status) -> Option<ErrorType> {
    match status {
        Status::Succeeded => None,
        Status::Failed(error) => Some(error.error_type()),
        Status::Panicked => Some(ErrorType::Internal),
    }
}
