//! A conversation with an agent, over one run or several.

use std::sync::Arc;

use serde_json::Value;

use super::answer::{Asking, Form};
use super::run::Run;
use super::stream::{AgentStream, Updates};
use super::{Agent, AgentError, AgentFailure, Termination};
use crate::engine::Contract;
use crate::message::Message;
use crate::outcome::{Accepted, Account};
use crate::output::StructuredOutput;
use crate::tool::{ResultStore, ToolSet};

/// A conversation with an agent. Its history can be saved, and go on with another agent.
///
/// After an error too the history is complete up to the last finished round: calls and results are always together.
pub struct Session {
    agent: Agent,
    history: Vec<Message>,
    store: Option<Arc<ResultStore>>,
}

impl Session {
    pub(super) fn new(agent: Agent, mut history: Vec<Message>) -> Self {
        history.retain(|message| !matches!(message, Message::Reminder { .. }));
        Session { agent, history, store: None }
    }

    /// The conversation so far. It serialises; reminders are never in it.
    pub fn history(&self) -> &[Message] {
        &self.history
    }

    /// The conversation, to be saved.
    pub fn into_history(self) -> Vec<Message> {
        self.history
    }

    /// Runs for a `T`: the response schema of this run.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub async fn run<T: StructuredOutput + Send + 'static>(
        &mut self,
        input: impl Into<String>,
    ) -> Result<Accepted<T>, AgentError> {
        self.say(input.into())?;
        self.go_on().await
    }

    /// Runs for text. Where the agent has a response schema, the text is JSON that keeps to it.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub async fn run_text(&mut self, input: impl Into<String>) -> Result<Accepted<String>, AgentError> {
        self.say(input.into())?;
        self.go_on_text().await
    }

    /// Runs for JSON by the agent's own response schema.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub async fn run_value(&mut self, input: impl Into<String>) -> Result<Accepted<Value>, AgentError> {
        self.say(input.into())?;
        self.go_on_value().await
    }

    /// Goes on without new input, for a `T`: after a run that was cut short, or with a resumed history.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub async fn go_on<T: StructuredOutput + Send + 'static>(&mut self) -> Result<Accepted<T>, AgentError> {
        self.go_on_for(None).await
    }

    /// Goes on without new input, for text.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub async fn go_on_text(&mut self) -> Result<Accepted<String>, AgentError> {
        self.go_on_for_text(None).await
    }

    /// Goes on without new input, for JSON by the agent's own response schema.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub async fn go_on_value(&mut self) -> Result<Accepted<Value>, AgentError> {
        let tools = self.agent.tools.clone();
        let Some(schema) = self.agent.response.clone() else {
            return Err(AgentError::configuration("it has no response schema: set one by `response_schema`"));
        };
        let (value, _, account) = self.drive(&Contract::of_schema(schema), tools, None).await?;
        Ok(Accepted::new(value, account))
    }

    /// Runs for a `T`, and shows the run while it goes on: see [`AgentStream`].
    pub fn stream<T: StructuredOutput + Send + 'static>(&mut self, input: impl Into<String>) -> AgentStream<'_, T> {
        let input = input.into();
        AgentStream::new(|updates| {
            Box::pin(async move {
                self.say(input)?;
                self.go_on_for(Some(updates)).await
            })
        })
    }

    /// Runs for text, and shows the run while it goes on. Where the agent has a response schema, the text is JSON that
    /// keeps to it.
    pub fn stream_text(&mut self, input: impl Into<String>) -> AgentStream<'_, String> {
        let input = input.into();
        AgentStream::new(|updates| {
            Box::pin(async move {
                self.say(input)?;
                self.go_on_for_text(Some(updates)).await
            })
        })
    }

    async fn go_on_for<T: StructuredOutput + Send + 'static>(
        &mut self,
        updates: Option<Updates>,
    ) -> Result<Accepted<T>, AgentError> {
        let tools = self.agent.tools.clone();
        let (value, _, account) = self.drive(&Contract::of_type(), tools, updates).await?;
        Ok(Accepted::new(value, account))
    }

    async fn go_on_for_text(&mut self, updates: Option<Updates>) -> Result<Accepted<String>, AgentError> {
        let tools = self.agent.tools.clone();
        let (value, account) = match self.agent.response.clone() {
            Some(schema) => {
                let (_, json, account) = self.drive(&Contract::of_schema(schema), tools, updates).await?;
                (json, account)
            }
            None => {
                self.agent.check(&tools)?;
                self.start(tools, None, updates)?.finish_text().await?
            }
        };
        Ok(Accepted::new(value, account))
    }

    /// One call beside the run: for a plan, or a judgement. It sees the history, has a schema of its own and no tools,
    /// and leaves nothing behind.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub async fn ask<T: StructuredOutput + Send + 'static>(
        &self,
        question: impl Into<String>,
    ) -> Result<Accepted<T>, AgentError> {
        let mut aside = Session::new(self.agent.clone(), self.history.clone());
        aside.say(question.into())?;
        let (value, _, account) = aside.drive(&Contract::of_type(), ToolSet::new(), None).await?;
        Ok(Accepted::new(value, account))
    }

    /// A child run over a copy of the conversation. It answers in plain text: whatever form of answer is owed, its
    /// parent owes it.
    pub fn fork(&self) -> Fork {
        let agent = Agent { response: None, ..self.agent.clone() };
        Fork { session: Session { agent, history: self.history.clone(), store: self.store.clone() } }
    }

    fn say(&mut self, input: String) -> Result<(), AgentError> {
        if let Some(guard) = &self.agent.guard
            && let Err(reason) = guard(&input)
        {
            return Err(AgentError::new(AgentFailure::Terminated(Termination::InputBlocked { reason })));
        }
        self.history.push(Message::user(input));
        Ok(())
    }

    /// Runs for an answer that keeps to a contract: the value, and its JSON.
    async fn drive<T>(
        &mut self,
        contract: &Contract<T>,
        tools: ToolSet,
        updates: Option<Updates>,
    ) -> Result<(T, String, Account), AgentError> {
        self.agent.check(&tools)?;
        let asking = Asking::decide(&self.agent, Form::of(contract), !tools.is_empty());
        let asking = Arc::new(asking.map_err(|failure| AgentError::new(AgentFailure::Call(failure)))?);
        self.start(tools, Some(Arc::clone(&asking)), updates)?.finish(contract, &asking).await
    }

    fn start(
        &mut self,
        tools: ToolSet,
        asking: Option<Arc<Asking>>,
        updates: Option<Updates>,
    ) -> Result<Run<'_>, AgentError> {
        let store = self.store()?;
        Run::start(&self.agent, &mut self.history, store, tools, asking, updates)
    }

    /// Where long results of this session go.
    fn store(&mut self) -> Result<Arc<ResultStore>, AgentError> {
        if let Some(store) = &self.store {
            return Ok(Arc::clone(store));
        }
        let guard = self.agent.token_guard.unwrap_or(ResultStore::DEFAULT_GUARD);
        let store = match &self.agent.results {
            None => ResultStore::temporary(guard),
            Some(directory) => ResultStore::kept_in(directory, guard).map_err(|error| {
                AgentError::configuration(format!("the directory for kept results can't be used: {error}"))
            })?,
        };
        let store = Arc::new(store);
        self.store = Some(Arc::clone(&store));
        Ok(store)
    }
}

/// A child run: see [`Session::fork`].
pub struct Fork {
    session: Session,
}

impl Fork {
    /// Runs the child, for plain text.
    ///
    /// # Errors
    ///
    /// Why there is no answer.
    pub async fn run(&mut self, input: impl Into<String>) -> Result<Accepted<String>, AgentError> {
        self.session.run_text(input).await
    }
}

impl std::fmt::Debug for Session {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Session").field("agent", &self.agent).field("messages", &self.history.len()).finish()
    }
}

impl std::fmt::Debug for Fork {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Fork").field(&self.session).finish()
    }
}
