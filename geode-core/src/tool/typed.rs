//! Tools whose arguments are a Rust type: those that implement [`Tool`], and the variants of an enum.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::json;

use super::erased::{ErasedTool, Proposed};
use super::error::violations_of;
use super::{Caller, Content, Denial, Dispatch, Tier, Tool, ToolContext, ToolError, ToolOutput};
use crate::dialect::{Dialect, Incompatible, WirePlan};
use crate::json::Reader;
use crate::output::StructuredOutput;
use crate::shape::Shape;

/// How one tool is offered, and how its arguments become a call.
#[doc(hidden)]
pub struct Offered<C> {
    name: Cow<'static, str>,
    description: Cow<'static, str>,
    tier: Tier,
    timeout: Option<Duration>,
    arguments: &'static Shape,
    read: Box<Read<C>>,
}

type Read<C> = dyn Fn(&str, &WirePlan, &Caller) -> Result<C, ToolError> + Send + Sync;

impl<C> fmt::Debug for Offered<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Offered").field("name", &self.name).field("tier", &self.tier).finish_non_exhaustive()
    }
}

impl<C: 'static> Offered<C> {
    /// A variant of an enum of tools, as the derive describes it. Its arguments are an `A`.
    pub fn new<A: StructuredOutput + 'static>(
        name: &'static str,
        description: &'static str,
        tier: Tier,
        timeout: Option<Duration>,
        variant: fn(A) -> C,
    ) -> Self {
        Offered {
            name: Cow::Borrowed(name),
            description: Cow::Borrowed(description),
            tier,
            timeout,
            arguments: A::SHAPE,
            read: Box::new(move |input, plan, caller| read(name, input, plan, caller).map(variant)),
        }
    }
}

/// A tool with what authorizes and runs its calls.
pub(super) struct TypedTool<C, D> {
    offered: Offered<C>,
    dispatch: Arc<D>,
}

impl<C, D> TypedTool<C, D> {
    pub(super) fn new(offered: Offered<C>, dispatch: Arc<D>) -> Self {
        TypedTool { offered, dispatch }
    }
}

impl<T: Tool> TypedTool<T::Arguments, Single<T>> {
    pub(super) fn of(tool: T) -> Self {
        let name = tool.name().to_owned();
        let offered = Offered {
            name: Cow::Owned(name.clone()),
            description: Cow::Owned(tool.description().to_owned()),
            tier: tool.tier(),
            timeout: tool.timeout(),
            arguments: T::Arguments::SHAPE,
            read: Box::new(move |input, plan, caller| read(&name, input, plan, caller)),
        };
        TypedTool::new(offered, Arc::new(Single(tool)))
    }
}

impl<C: Send + Sync + 'static, D: Dispatch<C>> ErasedTool for TypedTool<C, D> {
    fn name(&self) -> &str {
        &self.offered.name
    }

    fn description(&self) -> &str {
        &self.offered.description
    }

    fn tier(&self) -> Tier {
        self.offered.tier
    }

    fn timeout(&self) -> Option<Duration> {
        self.offered.timeout
    }

    fn plan(&self, dialect: &'static Dialect) -> Result<Arc<WirePlan>, Incompatible> {
        crate::dialect::lower(self.offered.arguments, dialect)
    }

    fn propose<'a>(
        &'a self,
        input: &str,
        plan: &WirePlan,
        caller: &Caller,
    ) -> Result<Box<dyn Proposed + 'a>, ToolError> {
        let call = (self.offered.read)(input, plan, caller)?;
        Ok(Box::new(TypedCall { dispatch: &*self.dispatch, call }))
    }
}

struct TypedCall<'t, C, D> {
    dispatch: &'t D,
    call: C,
}

impl<C: Send + Sync + 'static, D: Dispatch<C>> Proposed for TypedCall<'_, C, D> {
    fn authorize<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<(), Denial>> {
        self.dispatch.authorize(&self.call, caller).boxed()
    }

    fn run<'a>(self: Box<Self>, context: ToolContext) -> BoxFuture<'a, Result<Content, ToolError>>
    where
        Self: 'a,
    {
        self.dispatch.call(self.call, context).boxed()
    }
}

/// One tool as the place that runs all its calls.
pub(super) struct Single<T>(T);

impl<T: Tool> Dispatch<T::Arguments> for Single<T> {
    fn authorize(&self, arguments: &T::Arguments, caller: &Caller) -> impl Future<Output = Result<(), Denial>> + Send {
        self.0.authorize(arguments, caller)
    }

    async fn call(&self, arguments: T::Arguments, context: ToolContext) -> Result<Content, ToolError> {
        self.0.call(arguments, context).await?.into_content()
    }
}

/// Reads the arguments of a call: they are held against their whole schema and the rules of their types, which see the
/// caller.
fn read<A: StructuredOutput>(tool: &str, input: &str, plan: &WirePlan, caller: &Caller) -> Result<A, ToolError> {
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
