//! One run: rounds of model calls and tool calls, up to an answer that is taken.

use std::sync::Arc;

use tokio::time::Instant;

use super::answer::Asking;
use super::stream::{AgentUpdate, Updates};
use super::watch::Watch;
use super::{Agent, AgentError, AgentEvent, AgentFailure, Termination};
use crate::dialect::Weakening;
use crate::engine::tool_mode::{self, MOST_REMINDERS};
use crate::engine::{Contract, Deadline, completed, json_in};
use crate::message::{Message, ToolUse};
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
    /// How the answer is asked for, where it has to have a form.
    pub(super) asking: Option<Arc<Asking>>,
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

/// An answer that the model gives. It has not been held against its form yet.
pub(super) enum Candidate {
    /// As text.
    Said(Reply),
    /// By the internal tool: the only call of its response.
    HandedIn(Reply, ToolUse),
}

impl<'a> Run<'a> {
    pub(super) fn start(
        agent: &'a Agent,
        history: &'a mut Vec<Message>,
        store: Arc<ResultStore>,
        tools: ToolSet,
        asking: Option<Arc<Asking>>,
        updates: Option<Updates>,
    ) -> Result<Self, AgentError> {
        let tools = if tools.is_empty() {
            tools
        } else {
            let reading = reading_tool(Arc::clone(&store));
            tools.with_raw(reading.map_err(|error| AgentError::configuration(error.to_string()))?)
        };
        let tools = tools.plan(agent.able().dialect).map_err(|error| AgentError::configuration(error.to_string()))?;
        Ok(Run {
            account: account(agent, asking.as_deref(), &tools),
            tools,
            agent,
            history,
            asking,
            store,
            updates,
            watch: Watch::default(),
            transient: Vec::new(),
            started: Instant::now(),
            deadline: Deadline::after(agent.budget.most_time()),
            round: 0,
            reminders: 0,
            rejections: 0,
            finalizing: false,
        })
    }

    /// Goes round by round to an answer that keeps to its contract: the value, and the JSON that stands in the history.
    pub(super) async fn finish<T>(
        mut self,
        contract: &Contract<T>,
        asking: &Asking,
    ) -> Result<(T, String, Account), AgentError> {
        loop {
            let candidate = match self.candidate().await {
                Ok(candidate) => candidate,
                Err(failure) => return Err(self.failed(failure)),
            };
            match self.read(candidate.text(), contract, asking) {
                Ok((value, json)) => {
                    let account = self.take(candidate, json.clone());
                    return Ok((value, json, account));
                }
                Err(failure) => {
                    if let Err(failure) = self.refuse(candidate, failure) {
                        return Err(self.failed(failure));
                    }
                }
            }
        }
    }

    /// Goes round by round to a text.
    pub(super) async fn finish_text(mut self) -> Result<(String, Account), AgentError> {
        match self.candidate().await {
            Ok(candidate) if candidate.text().trim().is_empty() => {
                Err(self.failed(AgentFailure::Call(Failure::Incomplete { reason: IncompleteReason::Empty })))
            }
            Ok(candidate) => {
                let text = candidate.text().to_owned();
                let account = self.take(candidate, text.clone());
                Ok((text, account))
            }
            Err(failure) => Err(self.failed(failure)),
        }
    }

    async fn candidate(&mut self) -> Result<Candidate, AgentFailure> {
        loop {
            if let Some(candidate) = self.round().await? {
                return Ok(candidate);
            }
        }
    }

    async fn round(&mut self) -> Result<Option<Candidate>, AgentFailure> {
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
        let closing = wrapping_up || self.finalizing || self.forbids_calls();
        let request = self.request(closing);
        self.transient.clear();
        let reply = self.exchange(&request).await?;
        completed(&reply).map_err(AgentFailure::Call)?;
        if reply.tool_uses.is_empty() { self.take_text(reply, closing) } else { self.take_calls(reply, closing).await }
    }

    /// A response without a call: an answer, unless it has to come in another way.
    fn take_text(&mut self, reply: Reply, closing: bool) -> Result<Option<Candidate>, AgentFailure> {
        if self.mode() == Some(Mode::Tool) {
            if self.reminders >= MOST_REMINDERS {
                return Err(AgentFailure::Call(Failure::StructuredOutputFailed { reminders: self.reminders }));
            }
            self.reminders += 1;
            self.report(AgentEvent::Reminded { reminder: self.reminders });
            self.say_once(reply.text, tool_mode::reminder());
            return Ok(None);
        }
        if self.asking.as_ref().is_some_and(|asking| asking.at_the_end) && !closing {
            self.finalizing = true;
            self.report(AgentEvent::Finalizing);
            self.say_once(reply.text, "Now give the final answer in the form of the response schema.".to_owned());
            return Ok(None);
        }
        Ok(Some(Candidate::Said(reply)))
    }

    /// Holds an answer's text against its contract. Gives the value, and the compact JSON that it was read from.
    fn read<T>(&mut self, text: &str, contract: &Contract<T>, asking: &Asking) -> Result<(T, String), Failure> {
        let json = json_in(text, asking.reading(), &mut self.account.notes).map_err(Failure::InvalidSchema)?;
        let ruled = contract.read(json, &asking.resolved.plan, &*self.agent.context).map_err(Failure::InvalidSchema)?;
        if let Some(context) = ruled.missing_context {
            let reason =
                format!("the answer's type has rules on a context of type `{context}`: give it by `Agent::context`");
            return Err(Failure::Unsupported { reason });
        }
        if !ruled.issues.is_empty() {
            return Err(Failure::InvalidBusiness(ruled.issues.into_vec()));
        }
        self.account.notes.extend(ruled.notes);
        Ok((ruled.value, tool_mode::compact(json)))
    }

    /// Ends the run with an answer: its text becomes the last message.
    fn take(self, candidate: Candidate, text: String) -> Account {
        let opaque = match candidate {
            Candidate::Said(reply) => reply.opaque,
            Candidate::HandedIn(..) => Vec::new(),
        };
        self.history.push(Message::Assistant { text, tool_uses: Vec::new(), opaque });
        self.report(AgentEvent::Finished { rounds: self.round });
        self.account
    }

    /// Tells the model what is wrong with its answer, where it may mend it; else the run has failed.
    fn refuse(&mut self, candidate: Candidate, failure: Failure) -> Result<(), AgentFailure> {
        let report = match failure {
            Failure::InvalidSchema(report) => report,
            failure => return Err(AgentFailure::Call(failure)),
        };
        match candidate {
            Candidate::HandedIn(reply, call) => {
                self.report_rejection(&report);
                let result = tool_mode::invalid(&call, &report);
                self.push_round(reply, vec![result]);
            }
            Candidate::Said(_) if self.rejections < MOST_REJECTIONS => {
                self.report_rejection(&report);
                self.rejections += 1;
                let found = report.for_model();
                let text = format!("Your answer was refused by a validator. Answer again, in full.\n{found}");
                self.transient.push(Message::Reminder { text });
            }
            Candidate::Said(_) => return Err(AgentFailure::Call(Failure::InvalidSchema(report))),
        }
        Ok(())
    }

    fn failed(self, failure: AgentFailure) -> AgentError {
        AgentError { failure, account: Box::new(self.account), rounds: self.round }
    }

    pub(super) fn report(&self, event: AgentEvent) {
        report(self.agent, self.updates.as_ref(), event);
    }

    pub(super) fn mode(&self) -> Option<Mode> {
        self.asking.as_ref().map(|asking| asking.resolved.mode)
    }

    fn report_rejection(&self, report: &Report) {
        self.report(AgentEvent::AnswerRejected { violations: report.violations.len() + report.unrecorded });
    }

    /// Shows the model what it said, and what that lacked, in the next call alone.
    fn say_once(&mut self, said: String, reminder: String) {
        if !said.trim().is_empty() {
            self.transient.push(Message::assistant(said));
        }
        self.transient.push(Message::Reminder { text: reminder });
    }
}

impl Candidate {
    fn text(&self) -> &str {
        match self {
            Candidate::Said(reply) => &reply.text,
            Candidate::HandedIn(_, call) => &call.input,
        }
    }
}

/// An account that says how the answer is asked for, and what of the tools' schemas the wire does not carry.
fn account(agent: &Agent, asking: Option<&Asking>, tools: &PlannedTools) -> Account {
    let mut account = Account { adapter: agent.line.adapter.name(), model: agent.model.clone(), ..Account::default() };
    if let Some(asking) = asking {
        account.mode = asking.resolved.mode;
        account.guarantee = Some(asking.resolved.guarantee);
        account.weakenings.clone_from(&asking.resolved.plan.weakenings);
    }
    for (tool, Weakening { pointer, keyword, reason }) in tools.weakenings() {
        account.note(format!("the schema of the tool `{tool}` goes without `{keyword}` at `{pointer}`: {reason}"));
    }
    for (tool, misfit) in &tools.hints {
        for breach in misfit.breaches() {
            account.note(format!("the schema of the tool `{tool}` is a hint to the model, at {breach}"));
        }
    }
    account
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
