//! Tools from closures.

use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::sync::Arc;
use std::time::Duration;

use super::{Caller, Denial, Tier, Tool, ToolContext, ToolError, ToolOutput};
use crate::output::StructuredOutput;

/// A tool from an async closure, which may capture state.
///
/// Its tier is [`Tier::Write`] unless said otherwise: what nobody has classified waits for approval.
///
/// ```
/// use geode_core::tool::{self, NoArguments, Tier};
///
/// let shop = std::sync::Arc::new(String::from("north"));
/// let tool = tool::from_fn("shop", "Which shop this is.", move |_: NoArguments| {
///     let shop = shop.clone();
///     async move { Ok(shop.to_string()) }
/// })
/// .tier(Tier::Safe);
/// ```
pub fn from_fn<A, R, F, Fut>(
    name: impl Into<String>,
    description: impl Into<String>,
    call: F,
) -> FnTool<A, R, impl Fn(A, ToolContext) -> Fut + Send + Sync + 'static>
where
    A: StructuredOutput + Send + Sync,
    R: ToolOutput,
    F: Fn(A) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
{
    from_fn_with_context(name, description, move |arguments, _| call(arguments))
}

/// Like [`from_fn`], for a closure that wants to know its [`ToolContext`] as well.
pub fn from_fn_with_context<A, R, F, Fut>(
    name: impl Into<String>,
    description: impl Into<String>,
    call: F,
) -> FnTool<A, R, F>
where
    A: StructuredOutput + Send + Sync,
    R: ToolOutput,
    F: Fn(A, ToolContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
{
    FnTool {
        name: name.into(),
        description: description.into(),
        tier: Tier::Write,
        timeout: None,
        authorize: None,
        call,
        types: PhantomData,
    }
}

/// A tool from a closure: see [`from_fn`].
#[must_use]
pub struct FnTool<A, R, F> {
    name: String,
    description: String,
    tier: Tier,
    timeout: Option<Duration>,
    authorize: Option<Arc<Authorize<A>>>,
    call: F,
    types: PhantomData<fn(A) -> R>,
}

type Authorize<A> = dyn Fn(&A, &Caller) -> Result<(), Denial> + Send + Sync;

impl<A, R, F> fmt::Debug for FnTool<A, R, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FnTool").field("name", &self.name).field("tier", &self.tier).finish_non_exhaustive()
    }
}

impl<A, R, F> FnTool<A, R, F> {
    /// Sets how much care a call needs.
    pub fn tier(mut self, tier: Tier) -> Self {
        self.tier = tier;
        self
    }

    /// Sets how long a call may take.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Sets the step between parsed arguments and execution: whether this caller may make this call. Where the decision
    /// needs IO, implement [`Tool`].
    pub fn authorize(mut self, authorize: impl Fn(&A, &Caller) -> Result<(), Denial> + Send + Sync + 'static) -> Self {
        self.authorize = Some(Arc::new(authorize));
        self
    }
}

impl<A, R, F, Fut> Tool for FnTool<A, R, F>
where
    A: StructuredOutput + Send + Sync + 'static,
    R: ToolOutput + 'static,
    F: Fn(A, ToolContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
{
    type Arguments = A;
    type Output = R;

    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        &self.description
    }

    fn tier(&self) -> Tier {
        self.tier
    }

    fn timeout(&self) -> Option<Duration> {
        self.timeout
    }

    fn authorize(&self, arguments: &A, caller: &Caller) -> impl Future<Output = Result<(), Denial>> + Send {
        std::future::ready(self.authorize.as_ref().map_or(Ok(()), |authorize| authorize(arguments, caller)))
    }

    fn call(&self, arguments: A, context: ToolContext) -> impl Future<Output = Result<R, ToolError>> + Send {
        (self.call)(arguments, context)
    }
}
