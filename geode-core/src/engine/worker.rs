//! The worker rule: a sub-task whose result is not usable is run once more, with the validator's feedback.
//!
//! ```
//! # use std::time::Duration;
//! use geode_core::StructuredOutput;
//! use geode_core::worker::{SubTask, Termination, WorkerRule};
//!
//! # async fn research(_feedback: Option<String>) -> String { String::new() }
//! # async fn example<Findings: StructuredOutput>() -> Result<(), Box<dyn std::error::Error>> {
//! let rule = WorkerRule::new(Duration::from_secs(60));
//! let worked = rule
//!     .run::<Findings, _, _>(async |feedback| SubTask {
//!         result: Some(research(feedback).await),
//!         termination: Termination::Completed,
//!     })
//!     .await?;
//! assert!(worked.runs <= 2);
//! # Ok(())
//! # }
//! ```

use std::fmt;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tokio::time::Instant;

use crate::json::{ReadOptions, Reader};
use crate::outcome::Accepted;
use crate::output::StructuredOutput;
use crate::report::Report;

use super::agent::{self, AgentError, AgentFailure};
use super::{Deadline, Reading, json_in};

/// The rule, for one kind of sub-task: a child run of an agent, say, whose text holds its result.
///
/// After the first run there is exactly one more, with the validator's feedback as a user's turn, if the result is
/// missing, failed, empty, holds no one JSON object, or violates the schema. There is none where the first run took
/// half of the time limit or more, or ended in a way that another run can't mend.
#[derive(Debug, Clone, Copy)]
pub struct WorkerRule {
    time_limit: Duration,
}

/// What one run of a sub-task came to.
#[derive(Clone)]
pub struct SubTask {
    /// Its result's text. Content: not in `Debug`.
    pub result: Option<String>,
    /// How it ended.
    pub termination: Termination,
}

/// How a run of a sub-task ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Termination {
    /// It came to its end.
    Completed,
    /// It failed.
    Failed,
    /// Its input was blocked. Never run again.
    InputBlocked,
    /// The user cancelled it. Never run again.
    UserCancelled,
    /// It needs an answer from the user. Never run again.
    UserClarificationNeeded,
    /// Another way, by its name.
    Other(String),
}

/// What a run of an agent came to, for text: [`Agent::run_text`](crate::agent::Agent::run_text), or a
/// [`Fork`](crate::agent::Fork).
impl From<Result<Accepted<String>, AgentError>> for SubTask {
    fn from(run: Result<Accepted<String>, AgentError>) -> Self {
        let error = match run {
            Ok(accepted) => {
                return SubTask { result: Some(accepted.into_value()), termination: Termination::Completed };
            }
            Err(error) => error,
        };
        let termination = match error.failure() {
            AgentFailure::Terminated(agent::Termination::InputBlocked { .. }) => Termination::InputBlocked,
            AgentFailure::Terminated(agent::Termination::UserCancelled) => Termination::UserCancelled,
            AgentFailure::Terminated(agent::Termination::UserClarificationNeeded { .. }) => {
                Termination::UserClarificationNeeded
            }
            AgentFailure::OutOfRounds => Termination::Other(error.failure().kind().to_owned()),
            AgentFailure::Call(_) | AgentFailure::Configuration { .. } => Termination::Failed,
        };
        SubTask { result: None, termination }
    }
}

impl Termination {
    /// Whether another run is out of the question.
    fn is_exempt(&self) -> bool {
        matches!(self, Termination::InputBlocked | Termination::UserCancelled | Termination::UserClarificationNeeded)
    }
}

/// A usable result. `Debug` does not show it.
#[derive(Clone, PartialEq, Eq)]
pub struct Worked<T> {
    /// The result.
    pub value: T,
    /// How many runs it took: 1 or 2.
    pub runs: u32,
}

/// Why a sub-task gave no usable result.
#[derive(Debug)]
#[non_exhaustive]
pub struct WorkerError {
    /// What was wrong with the last run.
    pub fault: WorkerFault,
    /// How the last run ended; `None` where the time limit ended it.
    pub termination: Option<Termination>,
    /// How many runs there were: 1 or 2.
    pub runs: u32,
}

/// What is wrong with a run of a sub-task.
#[derive(Debug)]
#[non_exhaustive]
pub enum WorkerFault {
    /// There is no result.
    Missing,
    /// The run failed.
    Failed,
    /// The result is empty.
    Empty,
    /// The result holds no one JSON object, or violates the schema.
    Invalid(Report),
    /// The time limit passed.
    TimedOut,
}

impl WorkerRule {
    /// The rule for a sub-task that has this much time for all its runs.
    pub fn new(time_limit: Duration) -> Self {
        WorkerRule { time_limit }
    }

    /// Runs a sub-task, and once more if the rule says so. `sub_task` gets the feedback on the run before, which is to
    /// go in as a user's turn; `None` in the first run.
    ///
    /// # Errors
    ///
    /// Where the last run gave no usable result.
    pub async fn run<T, F, Fut>(&self, mut sub_task: F) -> Result<Worked<T>, WorkerError>
    where
        T: StructuredOutput,
        F: FnMut(Option<String>) -> Fut,
        Fut: Future<Output = SubTask>,
    {
        let (begun, deadline) = (Instant::now(), Deadline::after(self.time_limit));
        let mut feedback = None;
        let mut runs = 0;
        loop {
            runs += 1;
            let Ok(run) = deadline.hold(sub_task(feedback.take())).await else {
                return Err(WorkerError { fault: WorkerFault::TimedOut, termination: None, runs });
            };
            let fault = match judge::<T>(&run) {
                Ok(value) => return Ok(Worked { value, runs }),
                Err(fault) => fault,
            };
            let late = begun.elapsed() * 2 >= self.time_limit;
            if runs > 1 || late || run.termination.is_exempt() {
                return Err(WorkerError { fault, termination: Some(run.termination), runs });
            }
            feedback = Some(fault.feedback());
        }
    }
}

/// Holds a run's result against the schema, in full.
fn judge<T: StructuredOutput>(run: &SubTask) -> Result<T, WorkerFault> {
    if run.termination == Termination::Failed {
        return Err(WorkerFault::Failed);
    }
    let result = run.result.as_deref().ok_or(WorkerFault::Missing)?;
    if result.trim().is_empty() {
        return Err(WorkerFault::Empty);
    }
    let json = json_in(result, Reading::Prose, &mut Vec::new()).map_err(WorkerFault::Invalid)?;
    Reader::read(json, &ReadOptions::default()).map_err(WorkerFault::Invalid)
}

impl WorkerFault {
    /// What the next run is told.
    fn feedback(&self) -> String {
        let what = match self {
            WorkerFault::Missing => "Your last run gave no result.",
            WorkerFault::Failed => "Your last run failed.",
            WorkerFault::Empty => "The result of your last run is empty.",
            WorkerFault::Invalid(report) => {
                return format!(
                    "A validator refused the result of your last run. Do the task again.\n{}",
                    report.for_model()
                );
            }
            WorkerFault::TimedOut => "Your last run took too long.",
        };
        format!("{what} Do the task again and hand in its result.")
    }
}

impl<T> fmt::Debug for Worked<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Worked").field("runs", &self.runs).finish_non_exhaustive()
    }
}

impl fmt::Debug for SubTask {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SubTask")
            .field("result_bytes", &self.result.as_ref().map(String::len))
            .field("termination", &self.termination)
            .finish()
    }
}

impl fmt::Display for WorkerError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match &self.fault {
            WorkerFault::Missing => "gave no result",
            WorkerFault::Failed => "failed",
            WorkerFault::Empty => "gave an empty result",
            WorkerFault::Invalid(_) => "gave a result that violates its schema",
            WorkerFault::TimedOut => "passed its time limit",
        };
        write!(f, "the sub-task {what} (run {} of at most 2)", self.runs)
    }
}

impl std::error::Error for WorkerError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.fault {
            WorkerFault::Invalid(report) => Some(report),
            _ => None,
        }
    }
}
