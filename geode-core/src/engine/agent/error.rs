//! Why a run gave no answer.

use std::fmt;

use crate::outcome::{Account, Failure};

/// Why a run gave no answer. `Display` shows no content.
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

/// How a run can be ended from outside the model. After none of these is it to be run again (R33).
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

    /// A stable name of the state: a [`Failure::kind`], `out_of_rounds`, `configuration`, or a [`Termination::name`].
    pub fn kind(&self) -> &'static str {
        match &self.failure {
            AgentFailure::Call(failure) => failure.kind(),
            AgentFailure::OutOfRounds => "out_of_rounds",
            AgentFailure::Terminated(termination) => termination.name(),
            AgentFailure::Configuration { .. } => "configuration",
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

impl std::error::Error for AgentError {}
