//! What a call came to.

use std::time::Duration;

use super::{ErrorType, Tier, ToolError};
use crate::message::{Part, ToolResult, ToolUse};

/// One call that was dealt with.
#[derive(Debug, Clone)]
pub struct Executed {
    /// What goes to the model.
    pub result: ToolResult,
    /// What it came to.
    pub status: Status,
    /// The tool's tier; `None` where there is no such tool.
    pub tier: Option<Tier>,
    /// How long it ran, approval and authorization not counted.
    pub duration: Duration,
    /// Id of the stored result, where it was too long for the conversation.
    pub offloaded: Option<String>,
}

/// What a call came to.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Status {
    /// It ran and gave a result.
    Succeeded,
    /// It failed, or never ran.
    Failed(ToolError),
    /// The tool panicked.
    Panicked,
}

impl Executed {
    pub(super) fn succeeded(call: &ToolUse, tier: Tier, content: Vec<Part>) -> Self {
        Executed {
            result: result(call, content, false),
            status: Status::Succeeded,
            tier: Some(tier),
            duration: Duration::ZERO,
            offloaded: None,
        }
    }

    pub(super) fn failed(call: &ToolUse, tier: Option<Tier>, error: ToolError) -> Self {
        Executed {
            result: result(call, vec![Part::Text { text: error.to_json() }], true),
            status: Status::Failed(error),
            tier,
            duration: Duration::ZERO,
            offloaded: None,
        }
    }

    /// Without the text of the panic, which is not for the model.
    pub(super) fn panicked(call: &ToolUse, tier: Tier) -> Self {
        let error = ToolError::internal(format_args!("`{}` failed unexpectedly", call.name))
            .hint("It is a fault of the tool and not of the arguments: go on without it.");
        Executed { status: Status::Panicked, ..Executed::failed(call, Some(tier), error) }
    }
}

fn result(call: &ToolUse, content: Vec<Part>, is_error: bool) -> ToolResult {
    ToolResult { tool_use_id: call.id.clone(), name: call.name.clone(), content, is_error }
}

pub(super) fn refused(reason: &str) -> ToolError {
    ToolError::new(ErrorType::Authorization, false, format_args!("the call is not allowed: {reason}"))
        .hint("The same call will be refused again. Tell the user, or go on without it.")
}

pub(super) fn not_approved(reason: &str) -> ToolError {
    ToolError::new(ErrorType::Permission, false, format_args!("the call was not approved: {reason}"))
        .hint("Do not make the same call again. Go on without it, or say what you would need.")
}

pub(super) fn cancelled() -> ToolError {
    ToolError::new(ErrorType::Cancelled, false, "the run was cancelled before the call ended")
}

pub(super) fn timed_out(tool: &str, limit: Duration) -> ToolError {
    ToolError::new(ErrorType::Timeout, true, format_args!("`{tool}` took longer than {limit:?}"))
        .hint("Ask for less, or go on without it. The call may have had an effect all the same.")
}
