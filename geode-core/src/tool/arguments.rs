//! The schema of a raw tool's arguments, and arguments held against it.

use std::sync::Arc;

use serde_json::Value;
use serde_json::value::{RawValue, to_raw_value};

use super::{DefinitionError, ToolError};
use crate::dialect::{Dialect, Lowered, WirePlan};
use crate::json::ReadOptions;

/// Most violations that go to the model.
const MOST_VIOLATIONS: usize = 100;

/// A compiled schema of arguments.
pub(super) struct ArgumentSchema {
    text: Box<RawValue>,
    takes_nothing: bool,
    validator: jsonschema::Validator,
}

impl ArgumentSchema {
    pub(super) fn compile(tool: &str, schema: Value) -> Result<Self, DefinitionError> {
        if schema.get("type").and_then(Value::as_str) != Some("object") {
            return Err(DefinitionError::of(tool, "the input schema must have `\"type\": \"object\"` at its root"));
        }
        if let Some(reference) = external_reference(&schema) {
            let reason = format!("`$ref` to {reference:?} leaves the document; move what it names into `$defs`");
            return Err(DefinitionError::of(tool, reason));
        }
        let validator = jsonschema::validator_for(&schema)
            .map_err(|error| DefinitionError::of(tool, format!("the input schema is invalid: {error}")))?;
        let properties = schema.get("properties").and_then(Value::as_object);
        let takes_nothing = properties.is_none_or(serde_json::Map::is_empty);
        let text = to_raw_value(&schema).map_err(|error| DefinitionError::of(tool, error.to_string()))?;
        Ok(ArgumentSchema { text, takes_nothing, validator })
    }

    pub(super) fn plan(&self, dialect: &'static Dialect) -> Lowered {
        Ok(Arc::new(WirePlan {
            dialect,
            schema: self.text.clone(),
            strict: false,
            weakenings: Vec::new(),
            lifts: ReadOptions::default(),
        }))
    }

    pub(super) fn parse(&self, tool: &str, input: &str) -> Result<Value, ToolError> {
        let input = if input.trim().is_empty() && self.takes_nothing { "{}" } else { input };
        let arguments: Value = serde_json::from_str(input).map_err(|error| {
            ToolError::validation(format_args!("the arguments of `{tool}` are no JSON: {error}"))
                .hint("Call the tool again with one JSON object.")
        })?;
        let errors = self.validator.iter_errors(&arguments);
        let violations: Vec<Value> = errors
            .take(MOST_VIOLATIONS)
            .map(|error| serde_json::json!({"pointer": error.instance_path().to_string(), "expected": error.to_string()}))
            .collect();
        if violations.is_empty() {
            return Ok(arguments);
        }
        Err(ToolError::invalid_arguments(tool, violations))
    }
}

/// A `$ref` that leads out of the document.
fn external_reference(schema: &Value) -> Option<&str> {
    match schema {
        Value::Object(members) => members.iter().find_map(|(key, value)| match value.as_str() {
            Some(target) if key == "$ref" || key == "$dynamicRef" => (!target.starts_with('#')).then_some(target),
            _ => external_reference(value),
        }),
        Value::Array(items) => items.iter().find_map(external_reference),
        _ => None,
    }
}
