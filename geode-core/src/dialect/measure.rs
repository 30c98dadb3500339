//! Sizes of a schema, held against a dialect's limits.

use serde_json::Value;

use super::breach::Breach;
use super::facts::Dialect;
use crate::schema::{Node, Schema};

/// Sizes of one schema.
#[derive(Default)]
struct Sizes {
    properties: usize,
    enum_values: usize,
    name_characters: usize,
    optional: usize,
    unions: usize,
    /// Places of enums that are large and long.
    long_enums: Vec<(String, usize)>,
    depth: usize,
    deepest: String,
}

/// A breach for each limit that the schema exceeds.
pub(super) fn measure(schema: &Schema, dialect: &Dialect) -> Vec<Breach> {
    let mut sizes = Sizes::default();
    sizes.add(schema, "", 0, dialect);
    let limits = &dialect.limits;
    let mut breaches = Vec::new();
    let mut hold = |pointer: &str, keyword: &str, size: usize, limit: Option<usize>, what: &str, help: &'static str| {
        if let Some(limit) = limit
            && size > limit
        {
            breaches.push(Breach {
                pointer: pointer.to_owned(),
                keyword: keyword.to_owned(),
                rule: format!("{} takes at most {limit} {what}; this schema has {size}", dialect.provider),
                help,
            });
        }
    };
    hold(&sizes.deepest, "depth", sizes.depth, limits.depth, "levels of nested objects", "flatten the inner levels");
    hold("", "properties", sizes.properties, limits.properties, "properties in all", "split the schema");
    hold("", "enum", sizes.enum_values, limits.enum_values, "enum values in all", "use a string and check it locally");
    hold("", "names", sizes.name_characters, limits.name_characters, "characters of names and values", "shorten them");
    hold("", "optional", sizes.optional, limits.optional, "optional properties in one schema", "require some of them");
    hold("", "unions", sizes.unions, limits.unions, "unions in one schema", "make some of them optional or plain");
    for (pointer, length) in &sizes.long_enums {
        let limit = limits.large_enum_characters;
        hold(pointer, "enum", *length, limit, "characters in an enum this large", "shorten the values");
    }
    breaches
}

impl Sizes {
    fn add(&mut self, schema: &Schema, pointer: &str, depth: usize, dialect: &Dialect) {
        let Some(node) = schema.node() else { return };
        let depth = if node.is_object() { depth + 1 } else { depth };
        if depth > self.depth {
            self.depth = depth;
            self.deepest = pointer.to_owned();
        }
        if node.types.len() > 1 || !node.any_of.is_empty() || !node.one_of.is_empty() {
            self.unions += 1;
        }
        let required = node.required_names();
        for (name, _) in node.properties.iter().flatten() {
            self.properties += 1;
            self.name_characters += name.chars().count();
            if !required.contains(name.as_str()) {
                self.optional += 1;
            }
        }
        for (name, _) in node.definitions.iter().chain(&node.legacy_definitions) {
            self.name_characters += name.chars().count();
        }
        self.add_values(node, pointer, dialect);
        for (token, child) in node.children() {
            let definition = token.starts_with("/$defs/") || token.starts_with("/definitions/");
            self.add(child, &format!("{pointer}{token}"), if definition { 0 } else { depth }, dialect);
        }
    }

    fn add_values(&mut self, node: &Node, pointer: &str, dialect: &Dialect) {
        let values = node.enumeration.as_deref().unwrap_or_default();
        let length: usize = values.iter().chain(&node.constant).map(characters).sum();
        self.enum_values += values.len();
        self.name_characters += length;
        if dialect.limits.large_enum.is_some_and(|large| values.len() > large) {
            self.long_enums.push((pointer.to_owned(), length));
        }
    }
}

fn characters(value: &Value) -> usize {
    value.as_str().map_or(0, |text| text.chars().count())
}
