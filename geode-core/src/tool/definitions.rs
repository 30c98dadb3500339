//! Tool definitions from a JSON file.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use serde::Deserialize;
use serde_json::Value;

use super::{RawTool, Tier, ToolContext, ToolError, ToolOutput, ToolSet};

/// One tool of a definitions file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Definition {
    name: String,
    #[serde(default)]
    description: String,
    #[serde(alias = "parameters")]
    input_schema: Value,
    tier: Option<Tier>,
}

impl ToolSet {
    /// Raw tools from JSON text: a list of `{"name", "description", "input_schema", "tier"}`, `tier` being one of `safe`,
    /// `pre_approved`, `expensive`, `write` (the default) and `dangerous`. `call` runs them all; it gets the tool's name,
    /// the validated arguments and the context.
    ///
    /// ```
    /// use geode_core::tool::{ToolError, ToolSet};
    ///
    /// let tools = ToolSet::from_definitions(
    ///     r#"[{"name": "echo", "description": "Says it again.", "tier": "safe",
    ///          "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]}}]"#,
    ///     |name, arguments, _| async move { Ok::<_, ToolError>(format!("{name}: {arguments}")) },
    /// )?;
    /// assert_eq!(tools.names().collect::<Vec<_>>(), ["echo"]);
    /// # Ok::<(), geode_core::tool::DefinitionError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Where the text is no such list, a name is not legal or comes twice, or a schema is none for a tool.
    pub fn from_definitions<R, F, Fut>(json: &str, call: F) -> Result<ToolSet, DefinitionError>
    where
        R: ToolOutput,
        F: Fn(String, Value, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<R, ToolError>> + Send + 'static,
    {
        let definitions: Vec<Definition> = serde_json::from_str(json).map_err(|error| DefinitionError {
            tool: None,
            reason: format!("the definitions can't be read: {error}"),
        })?;
        let call = Arc::new(call);
        let mut tools = ToolSet::new();
        for Definition { name, description, input_schema, tier } in definitions {
            if tools.names().any(|known| known == name) {
                return Err(DefinitionError::of(&name, "the name comes twice; give one of the tools another"));
            }
            let (shared, own_name) = (Arc::clone(&call), name.clone());
            let tool = RawTool::new(name, description, input_schema, move |arguments, context| {
                shared(own_name.clone(), arguments, context)
            })?;
            tools = tools.with_raw(tool.tier(tier.unwrap_or(Tier::Write)));
        }
        Ok(tools)
    }
}

/// Why a definition is none of a tool.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DefinitionError {
    tool: Option<String>,
    reason: String,
}

impl DefinitionError {
    pub(super) fn of(tool: &str, reason: impl Into<String>) -> Self {
        DefinitionError { tool: Some(tool.to_owned()), reason: reason.into() }
    }

    /// The tool whose definition is at fault, where it is known.
    pub fn tool(&self) -> Option<&str> {
        self.tool.as_deref()
    }
}

impl fmt::Display for DefinitionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.tool {
            Some(tool) => write!(f, "tool `{tool}`: {}", self.reason),
            None => f.write_str(&self.reason),
        }
    }
}

impl std::error::Error for DefinitionError {}

/// Holds a tool's name against what every provider takes.
pub(super) fn check_name(name: &str) -> Result<(), DefinitionError> {
    let legal = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || byte == b'-';
    if name.is_empty() || name.len() > 64 || !name.bytes().all(legal) {
        let reason = "a name has 1 to 64 letters, digits, `_` and `-`, or providers refuse it";
        return Err(DefinitionError::of(name, reason));
    }
    if name.starts_with("__") {
        return Err(DefinitionError::of(name, "names that start with `__` are reserved for internal tools; rename it"));
    }
    Ok(())
}
