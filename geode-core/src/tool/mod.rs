//! Tools that a model may call: typed, raw, or made from closures, and their safe execution.
//!
//! A call goes through named steps. The model *proposes* it; its arguments are parsed and held against the whole schema;
//! the tool *authorizes* it for the caller ([`Tool::authorize`]); where its [`Tier`] asks for that, a person or a policy
//! *approves* it ([`Approver`]); only then it runs. A step that says no gives the model a result that it can act on, never a
//! crash.
//!
//! ```
//! use geode_core::tool::{self, NoArguments, Tier, ToolSet};
//!
//! let started = std::time::Instant::now();
//! let uptime = tool::from_fn("uptime", "How long the service has been up, in seconds.", move |_: NoArguments| async move {
//!     Ok(started.elapsed().as_secs())
//! })
//! .tier(Tier::Safe);
//! let tools = ToolSet::new().with(uptime);
//! assert_eq!(tools.names().collect::<Vec<_>>(), ["uptime"]);
//! ```

mod approve;
mod context;
mod definitions;
mod dispatch;
mod erased;
mod error;
mod execute;
mod executed;
mod function;
#[cfg(feature = "rmcp")]
pub mod mcp;
mod output;
mod raw;
mod set;
mod store;
mod typed;

use std::future::Future;
use std::time::Duration;

use serde::{Deserialize, Serialize};

pub use approve::{ApproveAll, Approver, Decision, Proposal};
pub use context::{Caller, Denial, NoArguments, ToolContext};
pub use definitions::DefinitionError;
pub use dispatch::{Dispatch, Tools};
pub use error::{ErrorType, ToolError};
pub use execute::Execution;
pub use executed::{Executed, Status};
pub use function::{FnTool, from_fn, from_fn_with_context};
pub use output::{Content, Image, Json, ToolOutput};
pub use raw::RawTool;
pub use set::{PlannedTools, ToolSet, UnknownTool};
pub use store::{READ_RESULT, ResultStore};

#[doc(hidden)]
pub use output::ToolReturn;
#[doc(hidden)]
pub use set::arguments_are_an_object;
#[doc(hidden)]
pub use typed::Offered;

pub(crate) use error::violations_of;
pub(crate) use store::reading_tool;

use crate::output::StructuredOutput;

/// A tool with typed arguments and a typed result.
///
/// Write one by hand where it has a life of its own; [`from_fn`] and the attribute `#[geode::tool]` are shorter. The
/// methods may be written as `async fn`.
///
/// ```
/// use geode_core::tool::{NoArguments, Tier, Tool, ToolContext, ToolError};
///
/// struct Clock;
///
/// impl Tool for Clock {
///     type Arguments = NoArguments;
///     type Output = u64;
///     fn name(&self) -> &str {
///         "clock"
///     }
///     fn description(&self) -> &str {
///         "Seconds since 1970."
///     }
///     fn tier(&self) -> Tier {
///         Tier::Safe
///     }
///     async fn call(&self, _: NoArguments, _: ToolContext) -> Result<u64, ToolError> {
///         let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
///         now.map(|now| now.as_secs()).map_err(ToolError::internal)
///     }
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a tool",
    label = "not a tool",
    note = "write `#[geode::tool]` on an async function and pass the unit struct that it makes (`lookup_order` gives `LookupOrder`)",
    note = "or make one of a closure by `geode::tool::from_fn`, or implement `geode::tool::Tool`"
)]
pub trait Tool: Send + Sync + 'static {
    /// What the model passes. Its schema goes to the model and its parser reads the answer; both come from the type.
    type Arguments: StructuredOutput + Send + Sync;

    /// What comes back: anything that serialises, an [`Image`], [`Content`], or [`Json`] for a type with a wire form alone.
    type Output: ToolOutput;

    /// Name: letters, digits, `_` and `-`, at most 64.
    fn name(&self) -> &str;

    /// What it does and when to use it, for the model.
    fn description(&self) -> &str;

    /// How much care a call needs.
    fn tier(&self) -> Tier;

    /// How long a call may take; the run's own limit where `None`.
    fn timeout(&self) -> Option<Duration> {
        None
    }

    /// Whether this caller may make this call. Valid arguments are no permission: owner, window and limit are checked
    /// here, between the parsed proposal and its execution.
    ///
    /// # Errors
    ///
    /// The reason why not, which goes to the model as the call's result.
    fn authorize(
        &self,
        arguments: &Self::Arguments,
        caller: &Caller,
    ) -> impl Future<Output = Result<(), Denial>> + Send {
        let _ = (arguments, caller);
        std::future::ready(Ok(()))
    }

    /// Does the work.
    ///
    /// # Errors
    ///
    /// What went wrong, in a form that the model can act on.
    fn call(
        &self,
        arguments: Self::Arguments,
        context: ToolContext,
    ) -> impl Future<Output = Result<Self::Output, ToolError>> + Send;
}

/// How much care a call needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// Reads only. Runs at once, beside others.
    Safe,
    /// Approved beforehand, such as the tools of a trusted MCP server. Runs at once, beside others.
    PreApproved,
    /// Costs money or time. Several in one response are put to the approver as one batch, and run beside others.
    Expensive,
    /// Changes something. Each after its own approval, one after another.
    Write,
    /// Can do harm that can't be undone. Each after its own approval, one after another.
    Dangerous,
}

impl Tier {
    /// Whether a call runs only after an approval.
    pub fn needs_approval(self) -> bool {
        self >= Tier::Expensive
    }

    /// Whether a call may run beside others.
    pub fn is_parallel(self) -> bool {
        self <= Tier::Expensive
    }
}

#[cfg(test)]
mod tests;
