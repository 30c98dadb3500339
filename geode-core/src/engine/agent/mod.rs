//! Agents: a model that works with tools, round by round, until it gives its answer in the wanted form.

mod answer;
mod budget;
mod calls;
mod choice;
mod error;
mod event;
mod exchange;
mod recovery;
mod run;
mod session;
mod settings;
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
use crate::message::{Message, ToolChoice};
use crate::outcome::Accepted;
use crate::output::StructuredOutput;
use crate::raw_schema::RawSchema;
use crate::request::Mode;
use crate::tool::{Approver, Caller, ToolSet};

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
    tool_choice: ToolChoice,
    single_call: bool,
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
            tool_choice: ToolChoice::Auto,
            single_call: false,
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
            .field("tool_choice", &self.tool_choice)
            .field("single_call", &self.single_call)
            .field("mode", &self.mode)
            .field("budget", &self.budget)
            .finish_non_exhaustive()
    }
}
