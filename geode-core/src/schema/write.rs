//! Schemas to JSON text, keywords in one fixed order, properties in declaration order.

use std::fmt;

use serde::ser::{Serialize, SerializeMap, Serializer};
use serde_json::Value;
use serde_json::value::RawValue;

use super::node::{Node, Schema, Type};
use crate::shape::Limit;

impl Serialize for Schema {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Schema::Boolean(accepts) => serializer.serialize_bool(*accepts),
            Schema::Node(node) => node.serialize(serializer),
        }
    }
}

impl Serialize for Type {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.name())
    }
}

impl Serialize for Limit {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match *self {
            Limit::Integer(whole) => serializer.serialize_i128(whole),
            Limit::Unsigned(whole) => serializer.serialize_u128(whole),
            Limit::Real(real) => serializer.serialize_f64(real),
        }
    }
}

/// Members of an object, in their order.
struct Members<'a>(&'a [(String, Schema)]);

impl Serialize for Members<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, schema)| (name, schema)))
    }
}

impl Serialize for Node {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        option(&mut map, "$ref", &self.reference)?;
        option(&mut map, "title", &self.title)?;
        option(&mut map, "description", &self.description)?;
        match self.types.as_slice() {
            [] => {}
            [one] => map.serialize_entry("type", one)?,
            several => map.serialize_entry("type", several)?,
        }
        option(&mut map, "enum", &self.enumeration)?;
        option(&mut map, "const", &self.constant)?;
        option(&mut map, "format", &self.format)?;
        option(&mut map, "pattern", &self.pattern)?;
        option(&mut map, "minLength", &self.min_length)?;
        option(&mut map, "maxLength", &self.max_length)?;
        option(&mut map, "minimum", &self.minimum)?;
        option(&mut map, "maximum", &self.maximum)?;
        option(&mut map, "exclusiveMinimum", &self.exclusive_minimum)?;
        option(&mut map, "exclusiveMaximum", &self.exclusive_maximum)?;
        option(&mut map, "multipleOf", &self.multiple_of)?;
        if let Some(properties) = &self.properties {
            map.serialize_entry("properties", &Members(properties))?;
        }
        option(&mut map, "required", &self.required)?;
        option(&mut map, "additionalProperties", &self.additional)?;
        option(&mut map, "items", &self.items)?;
        list(&mut map, "prefixItems", &self.prefix_items)?;
        option(&mut map, "minItems", &self.min_items)?;
        option(&mut map, "maxItems", &self.max_items)?;
        if self.unique_items {
            map.serialize_entry("uniqueItems", &true)?;
        }
        list(&mut map, "anyOf", &self.any_of)?;
        list(&mut map, "oneOf", &self.one_of)?;
        list(&mut map, "allOf", &self.all_of)?;
        option(&mut map, "default", &self.default)?;
        option(&mut map, "examples", &self.examples)?;
        for (keyword, value) in &self.other {
            map.serialize_entry(keyword, value)?;
        }
        for (keyword, definitions) in [("$defs", &self.definitions), ("definitions", &self.legacy_definitions)] {
            if !definitions.is_empty() {
                map.serialize_entry(keyword, &Members(definitions))?;
            }
        }
        map.end()
    }
}

fn option<M: SerializeMap, T: Serialize>(map: &mut M, keyword: &str, value: &Option<T>) -> Result<(), M::Error> {
    value.as_ref().map_or(Ok(()), |value| map.serialize_entry(keyword, value))
}

fn list<M: SerializeMap>(map: &mut M, keyword: &str, schemas: &Vec<Schema>) -> Result<(), M::Error> {
    if schemas.is_empty() { Ok(()) } else { map.serialize_entry(keyword, schemas) }
}

impl Schema {
    /// The schema as compact JSON text. The same schema gives the same bytes on every run.
    pub fn to_raw(&self) -> Box<RawValue> {
        // Every map key is a string and every number finite, so that writing can't fail; `null` stands for the day
        // on which it does all the same.
        serde_json::value::to_raw_value(self).unwrap_or_else(|_| RawValue::NULL.to_owned())
    }

    /// The schema as JSON text over several lines.
    pub fn to_pretty(&self) -> String {
        serde_json::to_string_pretty(self).unwrap_or_default()
    }
}

impl From<&Schema> for Value {
    /// The schema as a value: its members sorted, limits beyond 64 bits rounded, as `serde_json` holds them.
    fn from(schema: &Schema) -> Value {
        // Through text, because a value takes no 128-bit integer directly.
        serde_json::from_str(schema.to_raw().get()).unwrap_or_default()
    }
}

impl fmt::Display for Schema {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.to_raw().get())
    }
}
