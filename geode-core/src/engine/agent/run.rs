//! One run: rounds of model calls and tool calls, up to the answer (R40).

use std::future::pending;
use std::sync::Arc;

use tokio::time::Instant;

use super::answer::{AnswerForm, Asking};
use super::recovery::Recovery;
use super::watch::Watch;
use super::{Agent, AgentError, AgentEvent, AgentFailure, Termination};
use crate::adapter::Enforcement;
use crate::engine::tool_mode::{self, HandIn, MOST_REMINDERS};
use crate::engine::{Deadline, Reading, completed, compose, json_in};
use crate::message::{Message, Opaque, ToolChoice, ToolResult, ToolUse};
use crate::outcome::{Account, Failure, IncompleteReason};
use crate::reply::Reply;
use crate::report::Report;
use crate::request::{Mode, OUTPUT_TOOL, Request};
use crate::tool::{
    ErrorType, Executed, Execution, PlannedTools, READ_RESULT, ResultStore, Status, ToolError, ToolSet, reading_tool,
};

/// How often an answer that breaks the schema is asked for again, outside tool mode.
const MOST_REJECTIONS: u32 = 2;

/// A run that is going on.
pub(super) struct Run<'a> {
    agent: &'a Agent,
    history: &'a mut Vec<Message>,
    form: Option<&'a mut dyn AnswerForm>,
    asking: Option<Asking>,
    tools: PlannedTools,
    store: Arc<ResultStore>,
    watch: Watch,
    account: Account,
    /// What only the next model call sees.
    transient: Vec<Message>,
    started: Instant,
    deadline: Deadline,
    round: u32,
    reminders: u32,
    rejections: u32,
    /// The model is done with its tools.
    finalizing: bool,
}

impl<'a> Run<'a> {
    pub(super) fn start(
        agent: &'a Agent,
        history: &'a mut Vec<Message>,
        store: Arc<ResultStore>,
        tools: ToolSet,
        form: Option<&'a mut dyn AnswerForm>,
    ) -> Result<Self, AgentError> {
        let able = agent.line.adapter.capabilities_for(agent.model.as_deref());
        tools.check().map_err(|error| AgentError::configuration(error.to_string()))?;
        if !tools.is_empty() && !able.tools {
            return Err(AgentError::configuration(format!("`{}` takes no tools", agent.line.adapter.name())));
        }
        let asking = match &form {
            None => None,
            Some(form) => Some(
                Asking::decide(&agent.line, able, &**form, agent.mode, agent.model.as_deref(), !tools.is_empty())
                    .map_err(|failure| AgentError::new(AgentFailure::Call(failure)))?,
            ),
        };
        let tools = if tools.is_empty() {
            tools
        } else {
            let reading = reading_tool(Arc::clone(&store));
            tools.with_raw(reading.map_err(|error| AgentError::configuration(error.to_string()))?)
        };
        let mut account =
            Account { adapter: agent.line.adapter.name(), model: agent.model.clone(), ..Account::default() };
        if let Some(asking) = &asking {
            account.mode = asking.resolved.mode;
            account.guarantee = Some(asking.resolved.guarantee);
            account.weakenings.clone_from(&asking.resolved.plan.weakenings);
        }
        Ok(Run {
            tools: tools.plan(able.dialect),
            agent,
            history,
            form,
            asking,
            store,
            watch: Watch::default(),
            account,
            transient: Vec::new(),
            started: Instant::now(),
            deadline: Deadline::after(agent.budget.most_time()),
            round: 0,
            reminders: 0,
            rejections: 0,
            finalizing: false,
        })
    }

    /// Goes round by round to the answer's text. Where a form was wanted, it holds the answer's value.
    pub(super) async fn finish(mut self) -> Result<(String, Account), AgentError> {
        loop {
            match self.round().await {
                Ok(None) => {}
                Ok(Some(answer)) => {
                    self.agent.report(AgentEvent::Finished { rounds: self.round });
                    return Ok((answer, self.account));
                }
                Err(failure) => {
                    return Err(AgentError { failure, account: Box::new(self.account), rounds: self.round });
                }
            }
        }
    }

    async fn round(&mut self) -> Result<Option<String>, AgentFailure> {
        if self.agent.cancel.is_cancelled() {
            return Err(AgentFailure::Terminated(Termination::UserCancelled));
        }
        if self.deadline.remaining().is_zero() {
            return Err(AgentFailure::Call(Failure::DeadlineExceeded));
        }
        if self.round >= self.agent.budget.most_rounds() {
            return Err(AgentFailure::OutOfRounds);
        }
        self.round += 1;
        let wrapping_up = self.agent.budget.wraps_up(self.round, self.started.elapsed());
        self.agent.report(AgentEvent::RoundStarted { round: self.round, wrapping_up });
        let closing = wrapping_up || self.finalizing;
        let request = self.request(closing);
        self.transient.clear();
        let reply = self.exchange(&request).await?;
        completed(&reply).map_err(AgentFailure::Call)?;
        if reply.tool_uses.is_empty() { self.take_text(reply, closing) } else { self.take_calls(reply, closing).await }
    }

    /// The next model call.
    fn request(&self, closing: bool) -> Request {
        let able = self.agent.line.adapter.capabilities_for(self.agent.model.as_deref());
        let mut request = Request {
            model: self.agent.model.clone(),
            system: self.agent.instruction.clone(),
            messages: self.history.iter().chain(&self.transient).cloned().collect(),
            max_output_tokens: self.agent.max_output_tokens,
            ..Request::default()
        };
        let offered = self.tools.specs.iter().filter(|spec| spec.name != READ_RESULT || self.store.is_used());
        request.tools.extend(offered.cloned());
        if let (Some(asking), Some(form)) = (&self.asking, &self.form)
            && (closing || !asking.at_the_end)
        {
            if asking.without_tools {
                request.tools.clear();
            }
            let description = form.description().map(str::to_owned);
            compose(&mut request, &asking.resolved, able, form.name(), description);
        }
        if closing {
            if self.mode() != Some(Mode::Tool) {
                if !request.tools.is_empty() {
                    request.tool_choice = ToolChoice::None;
                }
            } else if able.forced_tool_choice {
                request.tool_choice = ToolChoice::Named(OUTPUT_TOOL.to_owned());
            } else {
                request.tools.retain(|spec| spec.name == OUTPUT_TOOL);
            }
        }
        request
    }

    async fn exchange(&mut self, request: &Request) -> Result<Reply, AgentFailure> {
        let exchange = self.agent.line.exchange(request, &self.agent.retry, self.deadline, &mut self.account);
        let exchange = self.deadline.hold(exchange);
        match self.agent.cancel.run_until_cancelled(exchange).await {
            None => Err(AgentFailure::Terminated(Termination::UserCancelled)),
            Some(Err(_)) => Err(AgentFailure::Call(Failure::DeadlineExceeded)),
            Some(Ok(reply)) => reply.map_err(AgentFailure::Call),
        }
    }

    /// A response without a call: the answer, unless it has to come in another way.
    fn take_text(&mut self, reply: Reply, closing: bool) -> Result<Option<String>, AgentFailure> {
        let Some(asking) = &self.asking else {
            if reply.text.trim().is_empty() {
                return Err(AgentFailure::Call(Failure::Incomplete { reason: IncompleteReason::Empty }));
            }
            return Ok(Some(self.answered(reply.text, reply.opaque)));
        };
        if asking.resolved.mode == Mode::Tool {
            if self.reminders >= MOST_REMINDERS {
                return Err(AgentFailure::Call(Failure::StructuredOutputFailed { reminders: self.reminders }));
            }
            self.reminders += 1;
            self.agent.report(AgentEvent::Reminded { reminder: self.reminders });
            self.say_once(reply.text, tool_mode::reminder());
            return Ok(None);
        }
        if asking.at_the_end && !closing {
            self.finalizing = true;
            self.agent.report(AgentEvent::Finalizing);
            self.say_once(reply.text, "Now give the final answer in the form of the response schema.".to_owned());
            return Ok(None);
        }
        match self.read(&reply.text) {
            Ok(answer) => Ok(Some(self.answered(answer, reply.opaque))),
            Err(Failure::InvalidSchema(report)) if self.rejections < MOST_REJECTIONS => {
                self.reject(&report);
                self.rejections += 1;
                let found = report.for_model();
                let text = format!("Your answer was refused by a validator. Answer again, in full.\n{found}");
                self.transient.push(Message::Reminder { text });
                Ok(None)
            }
            Err(failure) => Err(AgentFailure::Call(failure)),
        }
    }

    /// A response with calls: they are run, or the answer is among them.
    async fn take_calls(&mut self, reply: Reply, closing: bool) -> Result<Option<String>, AgentFailure> {
        let in_tool_mode = self.mode() == Some(Mode::Tool);
        if in_tool_mode && let HandIn::Alone(call) = tool_mode::hand_in(&reply.tool_uses) {
            return match self.read(&call.input) {
                Ok(answer) => Ok(Some(self.answered(answer, Vec::new()))),
                Err(Failure::InvalidSchema(report)) => {
                    self.reject(&report);
                    let result = tool_mode::invalid(call, &report);
                    self.push_round(reply, vec![result]);
                    Ok(None)
                }
                Err(failure) => Err(AgentFailure::Call(failure)),
            };
        }
        let beside = in_tool_mode && tool_mode::hand_in(&reply.tool_uses) == HandIn::Beside;
        if beside {
            self.agent.report(AgentEvent::AnswerRejected { violations: 0 });
        }
        let (handed_in, calls): (Vec<&ToolUse>, Vec<&ToolUse>) =
            reply.tool_uses.iter().partition(|call| beside && tool_mode::is_hand_in(call));
        let calls: Vec<ToolUse> = calls.into_iter().cloned().collect();
        let mut results: Vec<ToolResult> = handed_in.into_iter().map(tool_mode::not_alone).collect();
        let mut question = None;
        if closing {
            results.extend(calls.iter().map(too_late));
        } else {
            let executed = self.execute(&calls).await;
            question = executed.iter().find_map(question_of);
            let hints = self.watch.note(self.round, &calls, &executed);
            for hint in hints {
                self.agent.report(hint.event);
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
    ///
    /// It takes the run for itself: one that is shared over an await would keep answers that are not `Sync` from tasks.
    async fn execute(&mut self, calls: &[ToolUse]) -> Vec<Executed> {
        let watched: Vec<bool> = calls.iter().map(|call| self.watches(call)).collect();
        let agent = self.agent;
        let cut = agent.cancel.child_token();
        let mut execution =
            Execution::new(&self.tools).caller(Arc::clone(&agent.caller)).store(&self.store).cancellation(cut.clone());
        if let Some(approver) = &agent.approver {
            execution = execution.approver(&**approver);
        }
        if let Some(timeout) = agent.tool_timeout {
            execution = execution.timeout(timeout);
        }
        let observe = |event| agent.report(event);
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
            _ = self.deadline.hold(pending::<()>()) => {
                cut.cancel();
                work.await
            }
        };
        for done in &executed {
            agent.report(AgentEvent::ToolFinished {
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
        self.agent.report(AgentEvent::RecoveryStarted { tool: call.name.clone(), failures });
        true
    }

    fn mode(&self) -> Option<Mode> {
        self.asking.as_ref().map(|asking| asking.resolved.mode)
    }

    /// Holds the answer's text against its form.
    fn read(&mut self, text: &str) -> Result<String, Failure> {
        let (Some(form), Some(asking)) = (&mut self.form, &self.asking) else { return Ok(text.to_owned()) };
        let reading = match asking.resolved.guarantee {
            Enforcement::Enforced => Reading::Strict,
            _ => Reading::Fenced,
        };
        let json = json_in(text, reading, &mut self.account.notes).map_err(Failure::InvalidSchema)?;
        form.read(json, &asking.resolved.plan)?;
        Ok(tool_mode::compact(json))
    }

    fn reject(&self, report: &Report) {
        self.agent.report(AgentEvent::AnswerRejected { violations: report.violations.len() + report.unrecorded });
    }

    /// Shows the model what it said, and what that lacked, in the next call alone.
    fn say_once(&mut self, said: String, reminder: String) {
        if !said.trim().is_empty() {
            self.transient.push(Message::assistant(said));
        }
        self.transient.push(Message::Reminder { text: reminder });
    }

    fn answered(&mut self, text: String, opaque: Vec<Opaque>) -> String {
        self.history.push(Message::Assistant { text: text.clone(), tool_uses: Vec::new(), opaque });
        text
    }

    /// Puts calls and their results into the history, together and in the order of the calls (R37).
    fn push_round(&mut self, reply: Reply, mut results: Vec<ToolResult>) {
        let position = |id: &str| reply.tool_uses.iter().position(|call| call.id == id);
        results.sort_by_key(|result| position(&result.tool_use_id));
        self.history.push(Message::Assistant { text: reply.text, tool_uses: reply.tool_uses, opaque: reply.opaque });
        self.history.push(Message::ToolResults { results });
    }
}

/// The result of a call that came when no tool may be called any more.
fn too_late(call: &ToolUse) -> ToolResult {
    let error =
        ToolError::new(ErrorType::Permission, false, "the run is coming to its end: no tool may be called any more")
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
