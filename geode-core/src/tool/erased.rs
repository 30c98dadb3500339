//! Tools without their types, so that a set can hold all kinds.

use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::error::violations_of;
use super::{Caller, Content, Denial, Tier, Tool, ToolContext, ToolError, ToolOutput};
use crate::dialect::{Dialect, Incompatible, WirePlan};
use crate::json::Reader;
use crate::output::StructuredOutput;
use crate::shape::Shape;

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

impl<T: Tool> ErasedTool for T {
    fn name(&self) -> &str {
        Tool::name(self)
    }

    fn description(&self) -> &str {
        Tool::description(self)
    }

    fn tier(&self) -> Tier {
        Tool::tier(self)
    }

    fn timeout(&self) -> Option<Duration> {
        Tool::timeout(self)
    }

    fn plan(&self, dialect: &'static Dialect) -> Result<Arc<WirePlan>, Incompatible> {
        crate::dialect::lower(T::Arguments::SHAPE, dialect)
    }

    fn propose<'a>(
        &'a self,
        input: &str,
        plan: &WirePlan,
        caller: &Caller,
    ) -> Result<Box<dyn Proposed + 'a>, ToolError> {
        let arguments = parse(Tool::name(self), input, plan, caller)?;
        Ok(Box::new(TypedCall { tool: self, arguments }))
    }
}

/// Reads the arguments of a call: they are held against their whole schema and the rules of their types.
pub(super) fn parse<A: StructuredOutput>(
    tool: &str,
    input: &str,
    plan: &WirePlan,
    caller: &Caller,
) -> Result<A, ToolError> {
    // Some providers send nothing at all where a tool takes nothing. Anywhere else an empty text is a violation.
    let input = if input.trim().is_empty() && takes_nothing(A::SHAPE) { "{}" } else { input };
    let ruled = Reader::read_ruled::<A>(input, &plan.lifts, caller)
        .map_err(|report| ToolError::invalid_arguments(tool, violations_of(&report)))?;
    if let Some(context) = ruled.missing_context {
        let error = format_args!("a rule on the arguments of `{tool}` wants a context of type `{context}`");
        return Err(ToolError::internal(error));
    }
    if !ruled.issues.is_empty() {
        return Err(ToolError::invalid_arguments(tool, ruled.issues.iter().map(|issue| json!(issue)).collect()));
    }
    Ok(ruled.value)
}

fn takes_nothing(shape: &Shape) -> bool {
    matches!(shape, Shape::Object(object) if object.fields.is_empty())
}

struct TypedCall<'t, T: Tool> {
    tool: &'t T,
    arguments: T::Arguments,
}

impl<T: Tool> Proposed for TypedCall<'_, T> {
    fn authorize<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<(), Denial>> {
        self.tool.authorize(&self.arguments, caller).boxed()
    }

    fn run<'a>(self: Box<Self>, context: ToolContext) -> BoxFuture<'a, Result<Content, ToolError>>
    where
        Self: 'a,
    {
        Box::pin(async move { self.tool.call(self.arguments, context).await?.into_content() })
    }
}
