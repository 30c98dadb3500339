//! The provider's state, read before any text is parsed.

use crate::outcome::{Failure, IncompleteReason, Redacted};
use crate::reply::{FinishReason, Reply};
use crate::request::{Mode, OUTPUT_TOOL};

/// The text that holds the answer: the reply's own, or the arguments of the internal tool.
///
/// `reminders` is how often the model has been reminded to call that tool.
pub(crate) fn answer_text(reply: &Reply, mode: Mode, reminders: u32) -> Result<&str, Failure> {
    completed(reply)?;
    if mode == Mode::Tool {
        return match reply.tool_uses.as_slice() {
            [call] if call.name == OUTPUT_TOOL => Ok(&call.input),
            [] => Err(Failure::StructuredOutputFailed { reminders }),
            _ => Err(incomplete(IncompleteReason::ToolCall)),
        };
    }
    if !reply.tool_uses.is_empty() {
        return Err(incomplete(IncompleteReason::ToolCall));
    }
    if reply.text.trim().is_empty() {
        return Err(incomplete(IncompleteReason::Empty));
    }
    Ok(&reply.text)
}

/// Whether the provider says that the model answered, and answered to the end.
pub(crate) fn completed(reply: &Reply) -> Result<(), Failure> {
    if let Some(reason) = &reply.refusal {
        return Err(Failure::Refused { reason: Redacted(reason.clone()) });
    }
    match &reply.finish {
        Some(FinishReason::Stop | FinishReason::ToolUse) => Ok(()),
        Some(FinishReason::Refusal) => Err(Failure::Refused { reason: Redacted::default() }),
        Some(FinishReason::TokenLimit) => Err(incomplete(IncompleteReason::TokenLimit)),
        Some(FinishReason::ContentFilter) => Err(incomplete(IncompleteReason::ContentFilter)),
        Some(FinishReason::Other(reason)) => Err(incomplete(IncompleteReason::Other(reason.clone()))),
        None => Err(incomplete(IncompleteReason::StreamCut)),
    }
}

fn incomplete(reason: IncompleteReason) -> Failure {
    Failure::Incomplete { reason }
}
