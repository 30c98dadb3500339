//! Why a run gave no answer.

use std::fmt;
use std::time::Duration;

use crate::check::Issue;
use crate::outcome::{Account, Failure, Outcome};
use crate::reply::Usage;
use crate::report::Report;

/// Why a run gave no answer.
///
/// Ask it by predicate, as a [`CallError`](crate::outcome::CallError), or match on [`failure`](Self::failure). `Display`
/// shows one level and no content. Causes are reached by [`source`](std::error::Error::source).
///
/// ```no_run
/// # async fn example(agent: geode_core::agent::Agent) -> Result<(), geode_core::agent::AgentError> {
/// use geode_core::agent::{AgentError, Termination};
///
/// fn next_step(error: &AgentError) -> &'static str {
///     match error.termination() {
///         Some(Termination::UserClarificationNeeded { .. }) => "ask the user",
///         Some(_) => "nothing",
///         None if error.is_refusal() || error.is_invalid_business() => "a person looks at it",
///         None if error.is_retryable() => "later",
///         None => "broken",
///     }
/// }
/// # agent.run_text("x").await?; Ok(()) }
/// ```
pub struct AgentError {
    pub(super) failure: AgentFailure,
    pub(super) account: Box<Account>,
    pub(super) rounds: u32,
}

/// The states that a run without an answer can end in.
#[derive(Debug)]
#[non_exhaustive]
pub enum AgentFailure {
    /// A model call gave no answer, or the answer could not be taken.
    Call(Failure),
    /// The rounds were used up, those for wrapping up included.
    OutOfRounds,
    /// The run was ended from outside the model.
    Terminated(Termination),
    /// The agent's settings contradict each other. Nothing was sent.
    Configuration {
        /// What is wrong, and what to do.
        reason: String,
    },
}

/// How a run can be ended from outside the model. After none of these is it to be run again.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Termination {
    /// The input guard did not let the input through.
    InputBlocked {
        /// Its reason.
        reason: String,
    },
    /// The run was cancelled.
    UserCancelled,
    /// Only the user can say how to go on.
    UserClarificationNeeded {
        /// What to ask. Content: not in `Debug`.
        question: String,
    },
}

impl Termination {
    /// Its stable name: `input_blocked`, `user_cancelled` or `user_clarification_needed`.
    pub fn name(&self) -> &'static str {
        match self {
            Termination::InputBlocked { .. } => "input_blocked",
            Termination::UserCancelled => "user_cancelled",
            Termination::UserClarificationNeeded { .. } => "user_clarification_needed",
        }
    }
}

impl AgentFailure {
    /// A stable name of the state: a [`Failure::kind`], `out_of_rounds`, `configuration`, or a [`Termination::name`].
    pub fn kind(&self) -> &'static str {
        match self {
            AgentFailure::Call(failure) => failure.kind(),
            AgentFailure::OutOfRounds => "out_of_rounds",
            AgentFailure::Terminated(termination) => termination.name(),
            AgentFailure::Configuration { .. } => "configuration",
        }
    }
}

impl AgentError {
    pub(super) fn configuration(reason: impl Into<String>) -> Self {
        AgentError::new(AgentFailure::Configuration { reason: reason.into() })
    }

    /// A run that made no model call.
    pub(super) fn new(failure: AgentFailure) -> Self {
        AgentError { failure, account: Box::default(), rounds: 0 }
    }

    /// What it ended in.
    pub fn failure(&self) -> &AgentFailure {
        &self.failure
    }

    /// How the run was ended from outside, where it was.
    pub fn termination(&self) -> Option<&Termination> {
        match &self.failure {
            AgentFailure::Terminated(termination) => Some(termination),
            _ => None,
        }
    }

    /// Whether the rounds were used up.
    pub fn is_out_of_rounds(&self) -> bool {
        matches!(self.failure, AgentFailure::OutOfRounds)
    }

    /// Whether the agent's settings contradict each other. Nothing was sent.
    pub fn is_configuration(&self) -> bool {
        matches!(self.failure, AgentFailure::Configuration { .. })
    }

    /// Whether the model declined.
    pub fn is_refusal(&self) -> bool {
        self.outcome() == Some(Outcome::Refused)
    }

    /// Whether a model answer is cut: by a limit, a filter, or a broken stream.
    pub fn is_incomplete(&self) -> bool {
        self.outcome() == Some(Outcome::Incomplete)
    }

    /// Whether the answer violates the schema.
    pub fn is_invalid_schema(&self) -> bool {
        self.outcome() == Some(Outcome::InvalidSchema)
    }

    /// Whether the answer is well formed and breaks business rules.
    pub fn is_invalid_business(&self) -> bool {
        self.outcome() == Some(Outcome::InvalidBusiness)
    }

    /// Whether the exchange with the provider failed, or the run's time was up.
    pub fn is_transport(&self) -> bool {
        self.outcome() == Some(Outcome::TransportError)
    }

    /// Whether the same run may succeed when it is made again. After a [`Termination`] it is not to be.
    pub fn is_retryable(&self) -> bool {
        self.call().is_some_and(Failure::is_retryable)
    }

    /// The schema violations, where there are any.
    pub fn violations(&self) -> Option<&Report> {
        self.call()?.violations()
    }

    /// The business rules that the answer breaks.
    pub fn issues(&self) -> &[Issue] {
        self.call().map_or(&[], Failure::issues)
    }

    /// The model's reason for declining. Content: mind where it goes.
    pub fn refusal(&self) -> Option<&str> {
        self.call()?.refusal()
    }

    /// How long the provider asks to wait.
    pub fn retry_after(&self) -> Option<Duration> {
        self.call()?.retry_after()
    }

    /// Tokens of all model calls.
    pub fn usage(&self) -> Usage {
        self.account.usage
    }

    /// The provider's id of the last request.
    pub fn request_id(&self) -> Option<&str> {
        self.account.request_id.as_deref()
    }

    /// The state of the model call that ended the run, where one did.
    pub fn outcome(&self) -> Option<Outcome> {
        self.call().map(Failure::outcome)
    }

    fn call(&self) -> Option<&Failure> {
        match &self.failure {
            AgentFailure::Call(failure) => Some(failure),
            _ => None,
        }
    }

    /// What the run cost and how it went, up to the failure.
    pub fn account(&self) -> &Account {
        &self.account
    }

    /// Model calls that were made.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }
}

impl fmt::Display for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.failure {
            AgentFailure::Call(failure) => write!(f, "the run failed in round {}: {failure}", self.rounds),
            AgentFailure::OutOfRounds => write!(f, "the run gave no answer in {} rounds", self.rounds),
            AgentFailure::Terminated(termination) => write!(f, "the run was ended: {}", termination.name()),
            AgentFailure::Configuration { reason } => write!(f, "the agent can't run: {reason}"),
        }
    }
}

impl fmt::Debug for AgentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("AgentError")
            .field("failure", &self.failure)
            .field("rounds", &self.rounds)
            .field("account", &self.account)
            .finish()
    }
}

impl fmt::Debug for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl std::error::Error for AgentError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.call()?.cause()
    }
}
