//! Tools whose contract is a JSON Schema that no Rust type stands behind.

use std::fmt;
use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::Value;

use super::erased::{ErasedTool, Proposed};
use super::error::violations_of;
use super::{Caller, Content, DefinitionError, Denial, Tier, ToolContext, ToolError, ToolOutput};
use crate::dialect::{Dialect, Incompatible, WirePlan};
use crate::raw_schema::RawSchema;
use crate::schema::Type;

/// A tool with a JSON Schema in and a JSON value out: for definitions from a file, and for tools that are discovered.
///
/// Its tier is [`Tier::Write`] unless said otherwise.
#[must_use]
pub struct RawTool {
    name: String,
    description: String,
    tier: Tier,
    timeout: Option<Duration>,
    schema: RawSchema,
    takes_nothing: bool,
    authorize: Option<Arc<Authorize>>,
    call: Arc<Call>,
}

type Authorize = dyn Fn(&Value, &Caller) -> Result<(), Denial> + Send + Sync;
type Call = dyn Fn(Value, ToolContext) -> BoxFuture<'static, Result<Content, ToolError>> + Send + Sync;

impl fmt::Debug for RawTool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RawTool").field("name", &self.name).field("tier", &self.tier).finish_non_exhaustive()
    }
}

impl RawTool {
    /// A tool from its name, description, schema and an async closure.
    ///
    /// # Errors
    ///
    /// Where the name is not legal or the schema is none for a tool: it must describe an object, and refer to nothing
    /// outside itself.
    pub fn new<R, F, Fut>(
        name: impl Into<String>,
        description: impl Into<String>,
        input_schema: Value,
        call: F,
    ) -> Result<Self, DefinitionError>
    where
        R: ToolOutput,
        F: Fn(Value, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        let name = name.into();
        super::definitions::check_name(&name)?;
        RawTool::compile(name, description.into(), Tier::Write, input_schema, call)
    }

    /// A tool of the runtime's own: a reserved name, and safe.
    ///
    /// # Errors
    ///
    /// Where the schema is none for a tool.
    pub(crate) fn internal<R, F, Fut>(
        name: &str,
        description: &str,
        input_schema: Value,
        call: F,
    ) -> Result<Self, DefinitionError>
    where
        R: ToolOutput,
        F: Fn(Value, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        RawTool::compile(name.to_owned(), description.to_owned(), Tier::Safe, input_schema, call)
    }

    fn compile<R, F, Fut>(
        name: String,
        description: String,
        tier: Tier,
        input_schema: Value,
        call: F,
    ) -> Result<Self, DefinitionError>
    where
        R: ToolOutput,
        F: Fn(Value, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        let schema = RawSchema::try_from(&input_schema).map_err(|error| {
            let place = if error.pointer.is_empty() { "its root" } else { &error.pointer };
            DefinitionError::of(&name, format!("the input schema is wrong at {place}: {}", error.reason))
        })?;
        let Some(root) = schema.schema().node().filter(|root| root.types == [Type::Object]) else {
            return Err(DefinitionError::of(&name, "the input schema must have `\"type\": \"object\"` at its root"));
        };
        Ok(RawTool {
            takes_nothing: root.properties.as_ref().is_none_or(|properties| properties.is_empty()),
            schema,
            name,
            description,
            tier,
            timeout: None,
            authorize: None,
            call: Arc::new(move |arguments, context| {
                let result = call(arguments, context);
                Box::pin(async move { result.await?.into_content() })
            }),
        })
    }

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

    /// Sets the step between validated arguments and execution: whether this caller may make this call.
    pub fn authorize(
        mut self,
        authorize: impl Fn(&Value, &Caller) -> Result<(), Denial> + Send + Sync + 'static,
    ) -> Self {
        self.authorize = Some(Arc::new(authorize));
        self
    }
}

impl ErasedTool for RawTool {
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

    fn plan(&self, dialect: &'static Dialect) -> Result<Arc<WirePlan>, Incompatible> {
        self.schema.plan(dialect)
    }

    fn propose<'a>(&'a self, input: &str, plan: &WirePlan, _: &Caller) -> Result<Box<dyn Proposed + 'a>, ToolError> {
        let input = if input.trim().is_empty() && self.takes_nothing { "{}" } else { input };
        match self.schema.read(input, Some(plan)) {
            Ok(arguments) => Ok(Box::new(RawCall { tool: self, arguments })),
            Err(report) => Err(ToolError::invalid_arguments(&self.name, violations_of(&report))),
        }
    }
}

struct RawCall<'t> {
    tool: &'t RawTool,
    arguments: Value,
}

impl Proposed for RawCall<'_> {
    fn authorize<'a>(&'a self, caller: &'a Caller) -> BoxFuture<'a, Result<(), Denial>> {
        let verdict = self.tool.authorize.as_ref().map_or(Ok(()), |authorize| authorize(&self.arguments, caller));
        Box::pin(std::future::ready(verdict))
    }

    fn run<'a>(self: Box<Self>, context: ToolContext) -> BoxFuture<'a, Result<Content, ToolError>>
    where
        Self: 'a,
    {
        (self.tool.call)(self.arguments, context)
    }
}
