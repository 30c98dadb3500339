//! Keeps an eye on failing and repeated calls over the rounds of a run.

use std::collections::HashMap;

use serde_json::Value;

use super::AgentEvent;
use crate::message::ToolUse;
use crate::tool::{ErrorType, Executed, Status};

/// Failures of one tool in a row after which its next call is watched over.
const FAILURES_OF_A_TOOL: u32 = 2;
/// Failures in a row, over all tools, after which the model is told to slow down.
const FAILURES_IN_A_ROW: u32 = 3;
/// Rounds with the same call after which the model is told to try something else.
const REPEATS: u32 = 5;

/// What has been seen so far.
#[derive(Default)]
pub(super) struct Watch {
    failures_by_tool: HashMap<String, u32>,
    failures_in_a_row: u32,
    repeats: HashMap<(String, String), Repeats>,
}

#[derive(Default)]
struct Repeats {
    rounds: u32,
    last_round: u32,
}

/// Something to tell the model in the next round, and the event that says so.
pub(super) struct Hint {
    pub(super) text: String,
    pub(super) event: AgentEvent,
}

impl Watch {
    /// Failures in a row of a tool whose next call is to be watched over.
    pub(super) fn needs_recovery(&self, tool: &str) -> Option<u32> {
        self.failures_by_tool.get(tool).copied().filter(|failures| *failures >= FAILURES_OF_A_TOOL)
    }

    /// Takes note of one round's calls and what they came to.
    pub(super) fn note(&mut self, round: u32, calls: &[ToolUse], executed: &[Executed]) -> Vec<Hint> {
        let mut hints = Vec::new();
        for (call, done) in calls.iter().zip(executed) {
            self.note_failure(call, done, &mut hints);
            self.note_repeat(round, call, &mut hints);
        }
        hints
    }

    fn note_failure(&mut self, call: &ToolUse, done: &Executed, hints: &mut Vec<Hint>) {
        if done.status == Status::Succeeded {
            self.failures_by_tool.remove(&call.name);
            self.failures_in_a_row = 0;
            return;
        }
        if !was_stopped(&done.status) {
            *self.failures_by_tool.entry(call.name.clone()).or_default() += 1;
        }
        self.failures_in_a_row += 1;
        if self.failures_in_a_row.is_multiple_of(FAILURES_IN_A_ROW) {
            let failures = self.failures_in_a_row;
            hints.push(Hint {
                text: format!(
                    "The last {failures} tool calls failed. Slow down: read the errors, make one call at a time, and \
                     answer with what you know if the tools can't help."
                ),
                event: AgentEvent::Backpressure { failures },
            });
        }
    }

    fn note_repeat(&mut self, round: u32, call: &ToolUse, hints: &mut Vec<Hint>) {
        let repeats = self.repeats.entry((call.name.clone(), canonical(&call.input))).or_default();
        if repeats.last_round == round {
            return;
        }
        repeats.last_round = round;
        repeats.rounds += 1;
        if repeats.rounds.is_multiple_of(REPEATS) {
            let rounds = repeats.rounds;
            hints.push(Hint {
                text: format!(
                    "You have called `{}` with the same arguments in {rounds} rounds. It will not tell you more: use \
                     other arguments, another tool, or answer.",
                    call.name
                ),
                event: AgentEvent::Diversity { tool: call.name.clone(), rounds },
            });
        }
    }
}

/// Whether a call was kept from running, which is no fault of its tool.
pub(super) fn was_stopped(status: &Status) -> bool {
    let Status::Failed(error) = status else { return false };
    matches!(
        error.error_type(),
        ErrorType::Permission | ErrorType::Authorization | ErrorType::Cancelled | ErrorType::ClarificationNeeded
    )
}

/// Arguments without regard to whitespace and to the order of properties.
fn canonical(input: &str) -> String {
    serde_json::from_str::<Value>(input).map_or_else(|_| input.to_owned(), |value| sorted(value).to_string())
}

/// Sorts properties whether or not the build keeps their order.
fn sorted(value: Value) -> Value {
    match value {
        Value::Object(members) => {
            let mut members: Vec<(String, Value)> =
                members.into_iter().map(|(key, value)| (key, sorted(value))).collect();
            members.sort_by(|a, b| a.0.cmp(&b.0));
            Value::Object(members.into_iter().collect())
        }
        Value::Array(items) => Value::Array(items.into_iter().map(sorted).collect()),
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_the_same_whatever_their_layout() {
        assert_eq!(canonical(r#"{"b":1,"a":[{"d":1,"c":2}]}"#), canonical(r#"{ "a":[{"c":2, "d":1}], "b":1 }"#));
        assert_ne!(canonical(r#"{"a":1}"#), canonical(r#"{"a":2}"#));
    }
}
