//! Tools without their types, so that a set can hold all kinds.

use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;

use super::{Caller, Content, Denial, Tier, ToolContext, ToolError};
use crate::dialect::{Dialect, Incompatible, WirePlan};

/// A tool as the executor sees it.
pub(crate) trait ErasedTool: Send + Sync {
    fn name(&self) -> &str;
    fn description(&self) -> &str;
    fn tier(&self) -> Tier;
    fn timeout(&self) -> Option<Duration>;

    /// The schema of the arguments for a dialect.
    fn plan(&self, dialect: &'static Dialect) -> Result<Arc<WirePlan>, Incompatible>;

    /// Parses a proposed call: its arguments are held against the whole schema, and against the rules of their types,
    /// which see the caller.
    fn propose<'a>(
        &'a self,
        input: &str,
        plan: &WirePlan,
        caller: &Caller,
    ) -> Result<Box<dyn Proposed + 'a>, ToolError>;
}

/// A call with parsed arguments that has not run yet.
pub(crate) trait Proposed: Send + Sync {
    fn authorize<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<(), Denial>>;
    fn run<'a>(self: Box<Self>, context: ToolContext) -> BoxFuture<'a, Result<Content, ToolError>>
    where
        Self: 'a;
}
