//! What a run reports while it goes on.

use std::time::Duration;

use crate::tool::ErrorType;

/// Something that happened in a run. Holds names and numbers, never content.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum AgentEvent {
    /// A model call is about to be made.
    RoundStarted {
        /// Which one, counted from 1.
        round: u32,
        /// Whether no tool may be called any more.
        wrapping_up: bool,
    },
    /// A tool call was dealt with.
    ToolFinished {
        /// Name of the tool.
        tool: String,
        /// What kind of failure it was; `None` where it succeeded.
        failure: Option<ErrorType>,
        /// How long it ran.
        duration: Duration,
        /// Id of the stored result, where it was too long for the conversation.
        offloaded: Option<String>,
    },
    /// A tool that had failed twice in a row was called again: its call is watched over.
    RecoveryStarted {
        /// Name of the tool.
        tool: String,
        /// Failures in a row before this call.
        failures: u32,
    },
    /// A step of the recovery was taken.
    RecoveryStep {
        /// Name of the tool.
        tool: String,
        /// Which step.
        step: RecoveryStep,
    },
    /// Calls failed several times in a row: the model was told to slow down.
    Backpressure {
        /// Failures in a row, over all tools.
        failures: u32,
    },
    /// The same call was made over and over: the model was told to try something else.
    Diversity {
        /// Name of the tool.
        tool: String,
        /// Rounds in which the call was made.
        rounds: u32,
    },
    /// The model answered in plain text where it had to hand in its answer, and was reminded.
    Reminded {
        /// Which reminder, counted from 1.
        reminder: u32,
    },
    /// The answer was not taken, and the model was told why.
    AnswerRejected {
        /// Violations of the schema; 0 where the answer came beside other calls.
        violations: usize,
    },
    /// The model is done with its tools; it is asked once more, for the answer in the wanted form.
    Finalizing,
    /// The run came to its answer.
    Finished {
        /// Model calls that it took.
        rounds: u32,
    },
}

/// What is done about a tool that keeps failing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum RecoveryStep {
    /// The same call once more. Only where the fault can pass and the tool changes nothing.
    Retry,
    /// The same arguments to the tool that was named to stand in.
    StandIn,
    /// Nothing helped: the model is told to leave the tool alone.
    GiveUp,
}
