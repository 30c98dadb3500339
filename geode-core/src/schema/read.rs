//! Schemas from JSON text and from values.

use std::fmt;
use std::str::FromStr;

use serde::de::{Deserialize, Deserializer, Error};
use serde_json::Value;

use super::node::{Node, Schema, Type};
use super::ordered::Ordered;
use super::pointer::join;
use crate::shape::Limit;

/// Why a JSON value is no schema.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaError {
    /// JSON Pointer of the keyword at fault; empty where the text is no JSON.
    pub pointer: String,
    /// What is wrong, and what the keyword takes.
    pub reason: String,
}

impl fmt::Display for SchemaError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.pointer.is_empty() {
            f.write_str(&self.reason)
        } else {
            write!(f, "at {}: {}", self.pointer, self.reason)
        }
    }
}

impl std::error::Error for SchemaError {}

impl FromStr for Schema {
    type Err = SchemaError;

    /// Reads a schema from JSON text, keeping the order of its members.
    fn from_str(text: &str) -> Result<Self, SchemaError> {
        let value = serde_json::from_str::<Ordered>(text)
            .map_err(|error| SchemaError { pointer: String::new(), reason: format!("not JSON: {error}") })?;
        schema(value, "")
    }
}

impl TryFrom<&Value> for Schema {
    type Error = SchemaError;

    /// Reads a schema from a value, in the value's own order.
    fn try_from(value: &Value) -> Result<Self, SchemaError> {
        let value = Ordered::deserialize(value)
            .map_err(|error| SchemaError { pointer: String::new(), reason: error.to_string() })?;
        schema(value, "")
    }
}

impl<'de> Deserialize<'de> for Schema {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        schema(Ordered::deserialize(deserializer)?, "").map_err(D::Error::custom)
    }
}

fn fault<T>(pointer: &str, expected: &str) -> Result<T, SchemaError> {
    Err(SchemaError { pointer: pointer.to_owned(), reason: format!("expected {expected}") })
}

fn schema(value: Ordered, pointer: &str) -> Result<Schema, SchemaError> {
    match value {
        Ordered::Scalar(Value::Bool(accepts)) => Ok(Schema::Boolean(accepts)),
        Ordered::Object(members) => {
            let mut node = Node::default();
            for (keyword, value) in members {
                read_keyword(&mut node, keyword, value, pointer)?;
            }
            Ok(node.into())
        }
        _ => fault(pointer, "a schema: an object, `true` or `false`"),
    }
}

fn read_keyword(node: &mut Node, keyword: String, value: Ordered, base: &str) -> Result<(), SchemaError> {
    let pointer = join(base, &keyword);
    let at = pointer.as_str();
    match keyword.as_str() {
        "$ref" => node.reference = Some(string(value, at)?),
        "title" => node.title = Some(string(value, at)?),
        "description" => node.description = Some(string(value, at)?),
        "type" => node.types = types(value, at)?,
        "enum" => node.enumeration = Some(values(value, at)?),
        "const" => node.constant = Some(value.into_value()),
        "format" => node.format = Some(string(value, at)?),
        "pattern" => node.pattern = Some(string(value, at)?),
        "minLength" => node.min_length = Some(count(value, at)?),
        "maxLength" => node.max_length = Some(count(value, at)?),
        "minimum" => node.minimum = Some(number(value, at)?),
        "maximum" => node.maximum = Some(number(value, at)?),
        "multipleOf" => node.multiple_of = Some(number(value, at)?),
        // Draft 4 spelled these two as booleans beside `minimum` and `maximum`.
        "exclusiveMinimum" | "exclusiveMaximum" if matches!(value, Ordered::Scalar(Value::Bool(_))) => {
            node.other.push((keyword, value.into_value()));
        }
        "exclusiveMinimum" => node.exclusive_minimum = Some(number(value, at)?),
        "exclusiveMaximum" => node.exclusive_maximum = Some(number(value, at)?),
        "properties" => node.properties = Some(named_schemas(value, at)?),
        "required" if matches!(value, Ordered::Array(_)) => {
            node.required = Some(list(value, at)?.into_iter().map(|item| string(item, at)).collect::<Result<_, _>>()?);
        }
        "additionalProperties" => node.additional = Some(schema(value, at)?),
        "items" if matches!(value, Ordered::Array(_)) => node.prefix_items = schemas(value, at)?,
        "items" => node.items = Some(schema(value, at)?),
        "prefixItems" => node.prefix_items = schemas(value, at)?,
        "minItems" => node.min_items = Some(count(value, at)?),
        "maxItems" => node.max_items = Some(count(value, at)?),
        "uniqueItems" => match value {
            Ordered::Scalar(Value::Bool(unique)) => node.unique_items = unique,
            _ => return fault(at, "`true` or `false`"),
        },
        "anyOf" => node.any_of = schemas(value, at)?,
        "oneOf" => node.one_of = schemas(value, at)?,
        "allOf" => node.all_of = schemas(value, at)?,
        "default" => node.default = Some(value.into_value()),
        "examples" => node.examples = Some(values(value, at)?),
        "$defs" => node.definitions = named_schemas(value, at)?,
        "definitions" => node.legacy_definitions = named_schemas(value, at)?,
        _ => node.other.push((keyword, value.into_value())),
    }
    Ok(())
}

fn string(value: Ordered, pointer: &str) -> Result<String, SchemaError> {
    match value {
        Ordered::Scalar(Value::String(text)) => Ok(text),
        _ => fault(pointer, "a string"),
    }
}

fn list(value: Ordered, pointer: &str) -> Result<Vec<Ordered>, SchemaError> {
    match value {
        Ordered::Array(items) => Ok(items),
        _ => fault(pointer, "an array"),
    }
}

fn values(value: Ordered, pointer: &str) -> Result<Vec<Value>, SchemaError> {
    Ok(list(value, pointer)?.into_iter().map(Ordered::into_value).collect())
}

fn schemas(value: Ordered, pointer: &str) -> Result<Vec<Schema>, SchemaError> {
    let items = list(value, pointer)?;
    if items.is_empty() {
        return fault(pointer, "at least one schema");
    }
    items.into_iter().enumerate().map(|(index, item)| schema(item, &format!("{pointer}/{index}"))).collect()
}

fn named_schemas(value: Ordered, pointer: &str) -> Result<Vec<(String, Schema)>, SchemaError> {
    let Ordered::Object(members) = value else {
        return fault(pointer, "an object of schemas");
    };
    members
        .into_iter()
        .map(|(name, value)| {
            let schema = schema(value, &join(pointer, &name))?;
            Ok((name, schema))
        })
        .collect()
}

fn types(value: Ordered, pointer: &str) -> Result<Vec<Type>, SchemaError> {
    const EXPECTED: &str = "one of null, boolean, integer, number, string, array, object, or a list of them";
    let names = match value {
        Ordered::Array(items) if !items.is_empty() => items,
        Ordered::Scalar(name) => vec![Ordered::Scalar(name)],
        _ => return fault(pointer, EXPECTED),
    };
    names
        .into_iter()
        .map(|name| match name {
            Ordered::Scalar(Value::String(name)) => Type::from_name(&name).map_or_else(|| fault(pointer, EXPECTED), Ok),
            _ => fault(pointer, EXPECTED),
        })
        .collect()
}

/// A count. `1.0` is a whole number to JSON Schema.
fn count(value: Ordered, pointer: &str) -> Result<u64, SchemaError> {
    if let Ordered::Scalar(Value::Number(number)) = &value {
        if let Some(count) = number.as_u64() {
            return Ok(count);
        }
        if let Some(Limit::Integer(count)) = limit(number)
            && let Ok(count) = u64::try_from(count)
        {
            return Ok(count);
        }
    }
    fault(pointer, "a whole number, zero or more")
}

fn number(value: Ordered, pointer: &str) -> Result<Limit, SchemaError> {
    if let Ordered::Scalar(Value::Number(number)) = &value
        && let Some(limit) = limit(number)
    {
        return Ok(limit);
    }
    fault(pointer, "a number")
}

fn limit(number: &serde_json::Number) -> Option<Limit> {
    if let Some(whole) = number.as_i64() {
        return Some(Limit::Integer(whole.into()));
    }
    if let Some(whole) = number.as_u64() {
        return Some(Limit::Integer(whole.into()));
    }
    let real = number.as_f64()?;
    // Below 2^53 every whole `f64` is exact.
    if real.fract() == 0.0 && real.abs() < 9_007_199_254_740_992.0 {
        return Some(Limit::Integer(real as i128));
    }
    Some(Limit::Real(real))
}

/// Reads a JSON value and refuses repeated keys, as a data error.
#[cfg(any(feature = "client", feature = "schemars", feature = "testing"))]
pub(crate) fn read_value(text: &str) -> serde_json::Result<Value> {
    serde_json::from_str::<Ordered>(text).map(Ordered::into_value)
}
