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
use crate::dialect::{Dialect, Incompatible, WirePlan, lower_schema};
use crate::raw_schema::RawSchema;
use crate::schema::{Schema, SchemaError, Type};

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
    /// Whether the root is one that providers take.
    plain_root: bool,
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
        let wrong = |error: SchemaError| {
            let place = if error.pointer.is_empty() { "its root" } else { &error.pointer };
            DefinitionError::of(&name, format!("the input schema is wrong at {place}: {}", error.reason))
        };
        let mut schema = Schema::try_from(&input_schema).map_err(wrong)?;
        let Some(root) = schema.node_mut().filter(|root| root.types == [Type::Object]) else {
            return Err(DefinitionError::of(&name, "the input schema must have `\"type\": \"object\"` at its root"));
        };
        let plain_root = root.is_plain_object();
        // OpenAI wants to see that there are no properties.
        let takes_nothing = root.properties.get_or_insert_default().is_empty();
        Ok(RawTool {
            schema: RawSchema::new(schema).map_err(wrong)?,
            takes_nothing,
            plain_root,
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
        if self.plain_root {
            return self.schema.plan(dialect);
        }
        lower_schema(self.schema.schema(), dialect).map(Arc::new)
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
