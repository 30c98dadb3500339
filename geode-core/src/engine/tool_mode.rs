//! Tool mode in a loop: the model hands in its answer by calling the internal tool, alone.

use crate::message::{Part, ToolResult, ToolUse};
use crate::report::Report;
use crate::request::OUTPUT_TOOL;
use crate::tool::{ToolError, violations_of};

/// How often a model that answers in plain text is reminded before the run fails.
pub(crate) const MOST_REMINDERS: u32 = 2;

/// How the calls of one response stand to the answer.
#[derive(Debug, PartialEq)]
pub(crate) enum HandIn<'c> {
    /// The answer is not among them.
    NotYet,
    /// The answer, the only call of its response.
    Alone(&'c ToolUse),
    /// The answer beside other calls, or twice: none of these counts.
    Beside,
}

/// Looks for the answer among the calls of one response.
pub(crate) fn hand_in(calls: &[ToolUse]) -> HandIn<'_> {
    match calls {
        [only] if is_hand_in(only) => HandIn::Alone(only),
        several if several.iter().any(is_hand_in) => HandIn::Beside,
        _ => HandIn::NotYet,
    }
}

/// Whether a call is of the internal tool.
pub(crate) fn is_hand_in(call: &ToolUse) -> bool {
    call.name == OUTPUT_TOOL
}

/// What a model is told that answered in plain text.
pub(crate) fn reminder() -> String {
    format!(
        "Your answer was not handed in: text alone does not count. Hand in the final answer by calling the tool \
         `{OUTPUT_TOOL}` as the only call of your response, with arguments that match its schema."
    )
}

/// The result of an answer that came beside other calls.
pub(crate) fn not_alone(call: &ToolUse) -> ToolResult {
    let error = ToolError::validation(format_args!("`{OUTPUT_TOOL}` must be the only call of its response"))
        .hint("Wait for the results of the other calls, then hand in the answer alone, once.");
    rejected(call, &error)
}

/// The result of an answer that breaks the schema: every violation, so that the model can mend it.
pub(crate) fn invalid(call: &ToolUse, report: &Report) -> ToolResult {
    rejected(call, &ToolError::invalid_arguments(OUTPUT_TOOL, violations_of(report)))
}

/// An error as the result of a call.
pub(crate) fn rejected(call: &ToolUse, error: &ToolError) -> ToolResult {
    ToolResult {
        tool_use_id: call.id.clone(),
        name: call.name.clone(),
        content: vec![Part::Text { text: error.to_json() }],
        is_error: true,
    }
}

/// JSON text without the whitespace between its tokens. Everything else stays as it came, numbers and order included.
pub(crate) fn compact(json: &str) -> String {
    let mut compact = String::with_capacity(json.len());
    let (mut in_string, mut escaped) = (false, false);
    for character in json.chars() {
        if in_string {
            in_string = escaped || character != '"';
            escaped = !escaped && character == '\\';
        } else if matches!(character, ' ' | '\t' | '\n' | '\r') {
            continue;
        } else {
            in_string = character == '"';
        }
        compact.push(character);
    }
    compact
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(name: &str) -> ToolUse {
        ToolUse { id: "a".into(), name: name.into(), input: "{}".into() }
    }

    #[test]
    fn only_a_lone_call_hands_in() {
        let (other, answer) = (call("search"), call(OUTPUT_TOOL));
        assert_eq!(hand_in(std::slice::from_ref(&other)), HandIn::NotYet);
        assert_eq!(hand_in(std::slice::from_ref(&answer)), HandIn::Alone(&answer));
        assert_eq!(hand_in(&[other, answer.clone()]), HandIn::Beside);
        assert_eq!(hand_in(&[answer.clone(), answer]), HandIn::Beside);
        assert_eq!(hand_in(&[]), HandIn::NotYet);
    }

    #[test]
    fn compacting_leaves_strings_and_numbers_alone() {
        let json = "{ \"a b\" : [1.50, \"x \\\" y\\\\\" , true ],\r\n\t\"n\": 12345678901234567890 }";
        assert_eq!(compact(json), "{\"a b\":[1.50,\"x \\\" y\\\\\",true],\"n\":12345678901234567890}");
    }
}
