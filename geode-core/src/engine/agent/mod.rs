//! Agents: a model that works with tools, round by round, until it gives its answer in the wanted form.

mod answer;
mod budget;
mod calls;
mod error;
mod event;
mod exchange;
mod recovery;
mod run;
mod session;
mod stream;
mod watch;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use serde_json::Value;
pub use tokio_util::sync::CancellationToken;

pub use budget::Budget;
pub use error::{AgentError, AgentFailure, Termination};
pub use event::{AgentEvent, RecoveryStep};
pub use session::{Fork, Session};
pub use stream::{AgentStream, AgentUpdate};

use super::{Line, RetryPolicy};
use crate::message::Message;
use crate::outcome::Accepted;
use crate::output::StructuredOutput;
use crate::raw_schema::RawSchema;
use crate::request::Mode;
use crate::tool::{Approver, Caller, RawTool, Tool, ToolSet};

/// A model, its instruction and its tools. Made by [`Client::agent`](crate::client::Client::agent); cheap to clone.
///
/// A run goes round by round: the model calls tools, their results go back to it, and it ends when the model answers
/// without a call. The answer is checked as every other is: `run::<T>` gives a `T` or says why not.
#[derive(Clone)]
#[must_use]
pub struct Agent {
    line: Line,
    model: Option<String>,
    instruction: Option<String>,
    tools: ToolSet,
    response: Option<RawSchema>,
    mode: Mode,
    budget: Budget,
    retry: RetryPolicy,
    max_output_tokens: Option<u32>,
    caller: Arc<Caller>,
    context: Arc<dyn Any + Send + Sync>,
    approver: Option<Arc<dyn Approver>>,
    guard: Option<Arc<Guard>>,
    observer: Option<Arc<Observer>>,
    stand_ins: BTreeMap<String, String>,
    tool_timeout: Option<Duration>,
    token_guard: Option<usize>,
    results: Option<PathBuf>,
    cancel: CancellationToken,
}

type Observer = dyn Fn(&AgentEvent) + Send + Sync;
type Guard = dyn Fn(&str) -> Result<(), String> + Send + Sync;

impl Agent {
    pub(crate) fn new(line: Line, model: Option<String>, mode: Mode, retry: RetryPolicy) -> Self {
        Agent {
            line,
            model,
            instruction: None,
            tools: ToolSet::new(),
            response: None,
            mode,
            budget: Budget::default(),
            retry,
            max_output_tokens: None,
            caller: Arc::default(),
            context: Arc::new(()),
            approver: None,
            guard: None,
            observer: None,
            stand_ins: BTreeMap::new(),
            tool_timeout: None,
            token_guard: None,
            results: None,
            cancel: CancellationToken::new(),
        }
    }

    /// Sets what stands above every conversation.
    pub fn instruction(mut self, instruction: impl Into<String>) -> Self {
        self.instruction = Some(instruction.into());
        self
    }

    /// Sets the model to ask, instead of the client's.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// Adds a tool. One of the same name is replaced.
    pub fn tool(mut self, tool: impl Tool) -> Self {
        self.tools = self.tools.with(tool);
        self
    }

    /// Adds a raw tool. One of the same name is replaced.
    pub fn raw_tool(mut self, tool: RawTool) -> Self {
        self.tools = self.tools.with_raw(tool);
        self
    }

    /// Adds all tools of a set. Those of the same name are replaced.
    pub fn tools(mut self, tools: ToolSet) -> Self {
        self.tools = self.tools.with_all(tools);
        self
    }

    /// Sets the response schema of every run that names no type: [`run_value`](Self::run_value) and
    /// [`run_text`](Self::run_text). A run for a type, and a single call, have their own.
    pub fn response_schema(mut self, schema: RawSchema) -> Self {
        self.response = Some(schema);
        self
    }

    /// Sets how the final answer is asked for.
    ///
    /// [`Mode::Auto`] decides by what the adapter can do: its own structured output where it stands beside tools, and
    /// only in the last model call where it would keep the model from using them; else [`Mode::Tool`], in which the
    /// model hands in its answer by the internal tool `__structured_output__`.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.mode = mode;
        self
    }

    /// Sets rounds and time of a run.
    pub fn budget(mut self, budget: Budget) -> Self {
        self.budget = budget;
        self
    }

    /// Sets which faults of the exchange with the provider are tried again.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.retry = policy;
        self
    }

    /// Sets the most tokens of one model answer.
    pub fn max_output_tokens(mut self, tokens: u32) -> Self {
        self.max_output_tokens = Some(tokens);
        self
    }

    /// Sets on whose behalf the tools are called: what [`Tool::authorize`] decides by.
    pub fn caller(mut self, caller: Caller) -> Self {
        self.caller = Arc::new(caller);
        self
    }

    /// Sets what business rules on the answer's type may look at, as [`Call::context`](crate::client::Call::context) does
    /// for a call. Rules on a tool's arguments see the [`Caller`] instead.
    pub fn context(mut self, context: impl Any + Send + Sync) -> Self {
        self.context = Arc::new(context);
        self
    }

    /// Sets who approves calls of the tiers that need it. Without one they are denied.
    pub fn approver(mut self, approver: impl Approver + 'static) -> Self {
        self.approver = Some(Arc::new(approver));
        self
    }

    /// Holds every input against a guard before anything is sent. Its error is the reason why the input is blocked.
    pub fn input_guard(mut self, guard: impl Fn(&str) -> Result<(), String> + Send + Sync + 'static) -> Self {
        self.guard = Some(Arc::new(guard));
        self
    }

    /// Reports what happens in a run while it goes on. Called in the run's own task: it must not block.
    pub fn observe(mut self, observer: impl Fn(&AgentEvent) + Send + Sync + 'static) -> Self {
        self.observer = Some(Arc::new(observer));
        self
    }

    /// Names a tool of the agent that stands in for another one that keeps failing. It gets the same arguments.
    pub fn stand_in(mut self, tool: impl Into<String>, stand_in: impl Into<String>) -> Self {
        self.stand_ins.insert(tool.into(), stand_in.into());
        self
    }

    /// Sets the time for a call of a tool that sets none. 60 seconds by default.
    pub fn tool_timeout(mut self, timeout: Duration) -> Self {
        self.tool_timeout = Some(timeout);
        self
    }

    /// Sets the most tokens (an estimate) of a tool's result in the conversation. A longer one is stored, and the model
    /// gets its beginning and reads the rest in slices. 8,000 by default.
    pub fn token_guard(mut self, tokens: usize) -> Self {
        self.token_guard = Some(tokens);
        self
    }

    /// Keeps stored results in this directory. By default they are removed with the session.
    pub fn keep_results(mut self, directory: impl Into<PathBuf>) -> Self {
        self.results = Some(directory.into());
        self
    }

    /// Sets what cancels a run. Calls that are open then get a result that says so, and the history stays complete.
    /// Dropping the run's future stops it too, and loses its current round.
    pub fn cancellation(mut self, token: CancellationToken) -> Self {
        self.cancel = token;
        self
    }

    /// Begins a conversation.
    pub fn session(&self) -> Session {
        self.resume(Vec::new())
    }

    /// Goes on with a saved conversation, which another agent on another adapter may have begun.
    pub fn resume(&self, history: Vec<Message>) -> Session {
        Session::new(self.clone(), history)
    }

    /// Runs once, for a `T`.
    ///
    /// # Errors
    ///
    /// Why there is no answer: see [`AgentError`].
    pub async fn run<T: StructuredOutput + Send + 'static>(
        &self,
        input: impl Into<String>,
    ) -> Result<Accepted<T>, AgentError> {
        self.session().run(input).await
    }

    /// Runs once, for JSON by the agent's own response schema.
    ///
    /// # Errors
    ///
    /// Why there is no answer: see [`AgentError`].
    pub async fn run_value(&self, input: impl Into<String>) -> Result<Accepted<Value>, AgentError> {
        self.session().run_value(input).await
    }

    /// Runs once, for text. Where the agent has a response schema, the text is JSON that keeps to it.
    ///
    /// # Errors
    ///
    /// Why there is no answer: see [`AgentError`].
    pub async fn run_text(&self, input: impl Into<String>) -> Result<Accepted<String>, AgentError> {
        self.session().run_text(input).await
    }
}

impl fmt::Debug for Agent {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Agent")
            .field("adapter", &self.line.adapter.name())
            .field("model", &self.model)
            .field("instruction_bytes", &self.instruction.as_ref().map_or(0, String::len))
            .field("tools", &self.tools)
            .field("mode", &self.mode)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}
