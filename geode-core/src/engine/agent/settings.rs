//! The settings of an agent.

use std::any::Any;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

#[cfg(doc)]
use super::Session;
use super::{Agent, AgentError, AgentEvent, Budget, CancellationToken};
use crate::adapter::Capabilities;
use crate::engine::RetryPolicy;
use crate::message::ToolChoice;
use crate::raw_schema::RawSchema;
use crate::request::Mode;
use crate::tool::{Approver, Caller, RawTool, Tool, ToolSet};

impl Agent {
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

    /// Sets which tools the model may or must call. [`ToolChoice::Auto`] by default: the model decides.
    ///
    /// A choice that forces a call holds until the model has called a tool in answer to the user's last turn. From then
    /// on the model decides, or it would never come to its answer; a choice among some tools stays one among these. Until
    /// then the internal tool of [`Mode::Tool`] is not on offer. [`ToolChoice::None`] keeps the model from calling any
    /// tool in the whole run. The wrap-up part of a run has its own choice, and so has a call aside
    /// ([`Session::ask`]).
    ///
    /// ```
    /// use geode_core::agent::Agent;
    /// use geode_core::message::ToolChoice;
    ///
    /// /// Looks something up before it answers, and one thing at a time.
    /// fn careful(agent: Agent) -> Agent {
    ///     agent.tool_choice(ToolChoice::Required).single_call(true)
    /// }
    /// ```
    pub fn tool_choice(mut self, choice: ToolChoice) -> Self {
        self.tool_choice = choice;
        self
    }

    /// Holds the model to one call a turn (`parallel_tool_calls: false`, `disable_parallel_tool_use`). By default a turn
    /// may hold several, which run side by side where their tiers allow it. A run by a provider that can't be held to one
    /// fails before anything is sent.
    #[doc(alias = "parallel_tool_calls")]
    pub fn single_call(mut self, single: bool) -> Self {
        self.single_call = single;
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

    /// What the model that is asked can do.
    pub(super) fn able(&self) -> &Capabilities {
        self.line.adapter.capabilities_for(self.model.as_deref())
    }

    /// Holds the settings against each other, and against what the model can do. `tools` are those of the run.
    pub(super) fn check(&self, tools: &ToolSet) -> Result<(), AgentError> {
        tools.check().map_err(|error| AgentError::configuration(error.to_string()))?;
        if !tools.is_empty() && !self.able().tools {
            return Err(AgentError::configuration(format!("`{}` takes no tools", self.line.adapter.name())));
        }
        for (tool, stand_in) in self.stand_ins.iter().filter(|(tool, _)| tools.tier(tool).is_some()) {
            if let Err(unknown) = tools.pick([stand_in.as_str()]) {
                return Err(AgentError::configuration(format!("what stands in for `{tool}`: {unknown}")));
            }
        }
        self.check_choice()
    }
}
