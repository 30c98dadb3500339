//! Enums of tools: each variant is a tool, and one place runs them all.

use std::future::Future;
use std::sync::Arc;

use super::typed::{Offered, TypedTool};
use super::{Caller, Content, Denial, ToolContext, ToolError, ToolOutput, ToolSet};

/// An enum whose variants are tools: `#[derive(Tools)]`.
///
/// ```ignore
/// #[derive(Tools)]
/// enum Shop {
///     /// Looks an order up by its number.
///     #[geode(tier = "safe", timeout = "5s")]
///     LookupOrder {
///         /// The order number.
///         order: String,
///     },
///     /// Pays an order back.
///     Refund(Refund),
/// }
///
/// let tools = Shop::tools(|call: Shop, _: ToolContext| async move {
///     match call {
///         Shop::LookupOrder { order } => find(&order)?.into_content(),
///         Shop::Refund(refund) => pay_back(refund).await?.into_content(),
///     }
/// });
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no enum of tools",
    label = "not an enum of tools",
    note = "add `#[derive(Tools)]` to the enum"
)]
pub trait Tools: Sized + Send + Sync + 'static {
    /// The variants as tools, in their order.
    #[doc(hidden)]
    fn offered() -> Vec<Offered<Self>>;

    /// The variants as a set of tools that `dispatch` authorizes and runs.
    fn tools(dispatch: impl Dispatch<Self>) -> ToolSet {
        let dispatch = Arc::new(dispatch);
        let mut tools = ToolSet::new();
        for offered in Self::offered() {
            tools.insert(Arc::new(TypedTool::new(offered, Arc::clone(&dispatch))));
        }
        tools
    }
}

/// Authorizes and runs the calls of an enum of tools. An async closure of a call and its [`ToolContext`] is one; implement
/// it for a type of your own where calls are to be authorized.
///
/// ```
/// use geode_core::tool::{Caller, Content, Denial, Dispatch, ToolContext, ToolError, ToolOutput};
///
/// enum Shop {
///     Orders,
/// }
///
/// struct Database {
///     orders: Vec<String>,
/// }
///
/// impl Dispatch<Shop> for Database {
///     async fn authorize(&self, _: &Shop, caller: &Caller) -> Result<(), Denial> {
///         if caller.id().is_empty() { Err(Denial::new("nobody is known")) } else { Ok(()) }
///     }
///     async fn call(&self, call: Shop, _: ToolContext) -> Result<Content, ToolError> {
///         match call {
///             Shop::Orders => self.orders.clone().into_content(),
///         }
///     }
/// }
/// ```
pub trait Dispatch<C>: Send + Sync + 'static {
    /// Whether this caller may make this call: the step between the parsed proposal and its execution. By default every
    /// caller may.
    ///
    /// # Errors
    ///
    /// The reason why not, which goes to the model as the call's result.
    fn authorize(&self, call: &C, caller: &Caller) -> impl Future<Output = Result<(), Denial>> + Send {
        let _ = (call, caller);
        std::future::ready(Ok(()))
    }

    /// Does the work. Results become content by [`ToolOutput::into_content`].
    ///
    /// # Errors
    ///
    /// What went wrong, in a form that the model can act on.
    fn call(&self, call: C, context: ToolContext) -> impl Future<Output = Result<Content, ToolError>> + Send;
}

impl<C, F, Fut, R> Dispatch<C> for F
where
    C: Send,
    F: Fn(C, ToolContext) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<R, ToolError>> + Send,
    R: ToolOutput,
{
    fn call(&self, call: C, context: ToolContext) -> impl Future<Output = Result<Content, ToolError>> + Send {
        let result = self(call, context);
        async move { result.await?.into_content() }
    }
}
