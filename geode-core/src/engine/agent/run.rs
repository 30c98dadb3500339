//! One run: rounds of model calls and tool calls, up to the answer.

use std::sync::Arc;

use tokio::time::Instant;

use super::answer::{AnswerForm, Asking};
use super::stream::{AgentUpdate, Updates};
use super::watch::Watch;
use super::{Agent, AgentError, AgentEvent, AgentFailure, Termination};
use crate::dialect::Weakening;
use crate::engine::tool_mode::{self, MOST_REMINDERS};
use crate::engine::{Deadline, completed, json_in};
use crate::message::{Message, Opaque};
use crate::outcome::{Account, Failure, IncompleteReason};
use crate::reply::Reply;
use crate::report::Report;
use crate::request::Mode;
use crate::tool::{PlannedTools, ResultStore, ToolSet, reading_tool};

/// How often an answer that breaks the schema is asked for again, outside tool mode.
const MOST_REJECTIONS: u32 = 2;

/// A run that is going on.
pub(super) struct Run<'a> {
    pub(super) agent: &'a Agent,
    pub(super) history: &'a mut Vec<Message>,
    pub(super) form: Option<&'a mut dyn AnswerForm>,
    pub(super) asking: Option<Asking>,
    pub(super) tools: PlannedTools,
    pub(super) store: Arc<ResultStore>,
    /// Where somebody watches the run.
    pub(super) updates: Option<Updates>,
    pub(super) watch: Watch,
    pub(super) account: Account,
    /// What only the next model call sees.
    pub(super) transient: Vec<Message>,
    pub(super) started: Instant,
    pub(super) deadline: Deadline,
    pub(super) round: u32,
    pub(super) reminders: u32,
    pub(super) rejections: u32,
    /// The model is done with its tools.
    pub(super) finalizing: bool,
}

impl<'a> Run<'a> {
    pub(super) fn start(
        agent: &'a Agent,
        history: &'a mut Vec<Message>,
        store: Arc<ResultStore>,
        tools: ToolSet,
        form: Option<&'a mut dyn AnswerForm>,
        updates: Option<Updates>,
    ) -> Result<Self, AgentError> {
        let able = agent.line.adapter.capabilities_for(agent.model.as_deref());
        tools.check().map_err(|error| AgentError::configuration(error.to_string()))?;
        if !tools.is_empty() && !able.tools {
            return Err(AgentError::configuration(format!("`{}` takes no tools", agent.line.adapter.name())));
        }
        for (tool, stand_in) in agent.stand_ins.iter().filter(|(tool, _)| tools.tier(tool).is_some()) {
            if let Err(unknown) = tools.pick([stand_in.as_str()]) {
                return Err(AgentError::configuration(format!("what stands in for `{tool}`: {unknown}")));
            }
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
        let tools = tools.plan(able.dialect).map_err(|error| AgentError::configuration(error.to_string()))?;
        for (tool, Weakening { pointer, keyword, reason }) in tools.weakenings() {
            account.note(format!("the schema of the tool `{tool}` goes without `{keyword}` at `{pointer}`: {reason}"));
        }
        for (tool, misfit) in &tools.hints {
            for breach in misfit.breaches() {
                account.note(format!("the schema of the tool `{tool}` is a hint to the model, at {breach}"));
            }
        }
        Ok(Run {
            tools,
            agent,
            history,
            form,
            asking,
            store,
            updates,
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
                    self.report(AgentEvent::Finished { rounds: self.round });
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
        self.report(AgentEvent::RoundStarted { round: self.round, wrapping_up });
        let closing = wrapping_up || self.finalizing;
        let request = self.request(closing);
        self.transient.clear();
        let reply = self.exchange(&request).await?;
        completed(&reply).map_err(AgentFailure::Call)?;
        if reply.tool_uses.is_empty() { self.take_text(reply, closing) } else { self.take_calls(reply, closing).await }
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
            self.report(AgentEvent::Reminded { reminder: self.reminders });
            self.say_once(reply.text, tool_mode::reminder());
            return Ok(None);
        }
        if asking.at_the_end && !closing {
            self.finalizing = true;
            self.report(AgentEvent::Finalizing);
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

    pub(super) fn report(&self, event: AgentEvent) {
        report(self.agent, self.updates.as_ref(), event);
    }

    pub(super) fn mode(&self) -> Option<Mode> {
        self.asking.as_ref().map(|asking| asking.resolved.mode)
    }

    /// Holds the answer's text against its form.
    pub(super) fn read(&mut self, text: &str) -> Result<String, Failure> {
        let (Some(form), Some(asking)) = (&mut self.form, &self.asking) else { return Ok(text.to_owned()) };
        let json = json_in(text, asking.reading(), &mut self.account.notes).map_err(Failure::InvalidSchema)?;
        self.account.notes.extend(form.read(json, &asking.resolved.plan, &*self.agent.context)?);
        Ok(tool_mode::compact(json))
    }

    pub(super) fn reject(&self, report: &Report) {
        self.report(AgentEvent::AnswerRejected { violations: report.violations.len() + report.unrecorded });
    }

    /// Shows the model what it said, and what that lacked, in the next call alone.
    fn say_once(&mut self, said: String, reminder: String) {
        if !said.trim().is_empty() {
            self.transient.push(Message::assistant(said));
        }
        self.transient.push(Message::Reminder { text: reminder });
    }

    pub(super) fn answered(&mut self, text: String, opaque: Vec<Opaque>) -> String {
        self.history.push(Message::Assistant { text: text.clone(), tool_uses: Vec::new(), opaque });
        text
    }
}

/// Reports what happens, to the observer and to whoever watches.
pub(super) fn report(agent: &Agent, updates: Option<&Updates>, event: AgentEvent) {
    if let Some(observer) = &agent.observer {
        observer(&event);
    }
    if let Some(updates) = updates {
        updates.send(AgentUpdate::Event(event));
    }
}
