//! What a failed call tells the model.

use std::fmt;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::report::Report;

/// Why a call gave no result, in the form that the model reads.
///
/// It serialises as `{"error", "error_type", "recoverable", "hint", "context"}`. The text goes to the model, so it holds
/// nothing that the model must not see; `Debug` and `Display` show no `context`.
#[must_use]
#[derive(Clone, PartialEq, Serialize)]
pub struct ToolError {
    error: String,
    error_type: ErrorType,
    recoverable: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    context: Option<Value>,
}

/// What kind of failure it was. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum ErrorType {
    /// The arguments are wrong.
    Validation,
    /// What was asked for does not exist.
    NotFound,
    /// A person or a policy said no.
    Permission,
    /// The caller may not do this.
    Authorization,
    /// Something could not be reached.
    Connection,
    /// It took too long.
    Timeout,
    /// Something that the tool needs is missing or broken.
    Dependency,
    /// The tool itself failed.
    Internal,
    /// The run was cancelled.
    Cancelled,
    /// Only the user can say how to go on. Ends the run.
    ClarificationNeeded,
}

impl ErrorType {
    /// Its stable name.
    pub fn name(self) -> &'static str {
        match self {
            ErrorType::Validation => "validation",
            ErrorType::NotFound => "not_found",
            ErrorType::Permission => "permission",
            ErrorType::Authorization => "authorization",
            ErrorType::Connection => "connection",
            ErrorType::Timeout => "timeout",
            ErrorType::Dependency => "dependency",
            ErrorType::Internal => "internal",
            ErrorType::Cancelled => "cancelled",
            ErrorType::ClarificationNeeded => "clarification_needed",
        }
    }
}

impl ToolError {
    /// An error of any kind. `recoverable` says whether another call of the same tool may succeed.
    pub fn new(error_type: ErrorType, recoverable: bool, error: impl fmt::Display) -> Self {
        ToolError { error: error.to_string(), error_type, recoverable, hint: None, context: None }
    }

    /// The arguments are wrong, in a way that no schema can say. Recoverable.
    pub fn validation(error: impl fmt::Display) -> Self {
        ToolError::new(ErrorType::Validation, true, error)
    }

    /// What was asked for does not exist. Recoverable, with other arguments.
    pub fn not_found(error: impl fmt::Display) -> Self {
        ToolError::new(ErrorType::NotFound, true, error)
    }

    /// Something could not be reached. Recoverable.
    pub fn connection(error: impl fmt::Display) -> Self {
        ToolError::new(ErrorType::Connection, true, error)
    }

    /// Something that the tool needs is missing or broken. Not recoverable.
    pub fn dependency(error: impl fmt::Display) -> Self {
        ToolError::new(ErrorType::Dependency, false, error)
    }

    /// The tool itself failed. Not recoverable. The model reads the error's text.
    pub fn internal(error: impl fmt::Display) -> Self {
        ToolError::new(ErrorType::Internal, false, error)
    }

    /// Only the user can say how to go on: the run ends, and `question` is what to ask.
    pub fn clarification_needed(question: impl fmt::Display) -> Self {
        ToolError::new(ErrorType::ClarificationNeeded, false, question)
    }

    /// Adds what the model could do instead.
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// Adds data that helps to mend the call.
    pub fn context(mut self, context: impl Into<Value>) -> Self {
        self.context = Some(context.into());
        self
    }

    /// What kind of failure it was.
    pub fn error_type(&self) -> ErrorType {
        self.error_type
    }

    /// Whether another call of the same tool may succeed.
    pub fn is_recoverable(&self) -> bool {
        self.recoverable
    }

    /// What went wrong.
    pub fn message(&self) -> &str {
        &self.error
    }

    /// Arguments that break the tool's schema, with every violation.
    pub(crate) fn invalid_arguments(tool: &str, violations: Vec<Value>) -> Self {
        let count = violations.len();
        ToolError::validation(format_args!("the arguments of `{tool}` are wrong in {count} place(s)"))
            .hint("Call the tool again with arguments that match its schema; all that is wrong is listed in context.")
            .context(violations)
    }

    /// A tool that is not on offer.
    pub(crate) fn unknown_tool(name: &str, known: &[&str]) -> Self {
        let error = ToolError::not_found(format_args!("there is no tool `{name}`"));
        let error = match crate::nearest::nearest(name, known.iter().copied()) {
            Some(near) => error.hint(format!("Did you mean `{near}`?")),
            None => error.hint("Call one of the tools listed in context, or answer without a tool."),
        };
        error.context(serde_json::json!({ "tools": known }))
    }

    /// The error as JSON text.
    pub(crate) fn to_json(&self) -> String {
        serde_json::to_string(self).unwrap_or_else(|_| r#"{"error":"the tool failed"}"#.to_owned())
    }
}

/// Every violation of a report, as data for the model.
pub(crate) fn violations_of(report: &Report) -> Vec<Value> {
    report.violations.iter().map(|violation| serde_json::json!(violation)).collect()
}

impl fmt::Display for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.error_type.name(), self.error)
    }
}

impl fmt::Debug for ToolError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ToolError")
            .field("error_type", &self.error_type)
            .field("recoverable", &self.recoverable)
            .field("error_bytes", &self.error.len())
            .finish_non_exhaustive()
    }
}

impl std::error::Error for ToolError {}
