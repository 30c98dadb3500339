//! A configuration text as a tree that knows its lines and keeps the order of its keys.

use std::collections::HashSet;
use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use super::ConfigError;

/// A value and the line on which it begins.
#[derive(Debug, Clone)]
pub(super) struct Node {
    /// Counted from 1; 0 where it is not known.
    pub(super) line: usize,
    pub(super) kind: Kind,
}

/// What a node holds.
#[derive(Debug, Clone)]
pub(super) enum Kind {
    /// Null, a boolean, a number or text.
    Scalar(Value),
    List(Vec<Node>),
    Map(Vec<Entry>),
}

/// A key, the line on which it stands, and its value.
#[derive(Debug, Clone)]
pub(super) struct Entry {
    pub(super) key: String,
    pub(super) line: usize,
    pub(super) value: Node,
}

impl Node {
    /// The value as JSON text, keys in order.
    pub(super) fn to_json(&self) -> String {
        match &self.kind {
            Kind::Scalar(value) => value.to_string(),
            Kind::List(items) => format!("[{}]", items.iter().map(Node::to_json).collect::<Vec<_>>().join(",")),
            Kind::Map(entries) => {
                let member = |entry: &Entry| format!("{}:{}", Value::from(entry.key.as_str()), entry.value.to_json());
                format!("{{{}}}", entries.iter().map(member).collect::<Vec<_>>().join(","))
            }
        }
    }

    /// The line of the node that a JSON Pointer leads to, or of the last one on the way that exists.
    pub(super) fn line_at(&self, pointer: &str) -> usize {
        let (mut node, mut line) = (self, self.line);
        for step in pointer.split('/').skip(1) {
            let step = step.replace("~1", "/").replace("~0", "~");
            let next = match &node.kind {
                Kind::Map(entries) => {
                    entries.iter().find(|entry| entry.key == step).map(|entry| (entry.line, &entry.value))
                }
                Kind::List(items) => {
                    step.parse().ok().and_then(|index: usize| items.get(index)).map(|item| (item.line, item))
                }
                Kind::Scalar(_) => None,
            };
            let Some((at, value)) = next else { break };
            (line, node) = (at, value);
        }
        line
    }

    /// Reads JSON.
    pub(super) fn from_json(text: &str) -> Result<Node, ConfigError> {
        let raw: &RawValue = serde_json::from_str(text).map_err(|error| syntax(&error))?;
        Lines::of(text).locate(raw, 0).map_err(|error| syntax(&error))
    }
}

fn syntax(error: &serde_json::Error) -> ConfigError {
    ConfigError::one("", error.line(), format!("the text is no JSON: {error}"))
}

/// Most levels of nesting.
const MAX_DEPTH: usize = 128;

/// Where the lines of a text begin.
struct Lines<'t> {
    text: &'t str,
    /// Offsets of the line ends.
    ends: Vec<usize>,
}

impl<'t> Lines<'t> {
    fn of(text: &'t str) -> Self {
        Lines { text, ends: text.match_indices('\n').map(|(at, _)| at).collect() }
    }

    /// The line of a part of the text, counted from 1.
    fn line(&self, part: &str) -> usize {
        let offset = part.as_ptr().addr().saturating_sub(self.text.as_ptr().addr());
        1 + self.ends.partition_point(|end| *end < offset)
    }

    /// A raw value, which is a part of the text, as a tree.
    fn locate(&self, raw: &RawValue, depth: usize) -> Result<Node, serde_json::Error> {
        if depth > MAX_DEPTH {
            return Err(serde_json::Error::custom("it is nested too deeply"));
        }
        let json = raw.get();
        let kind = match json.as_bytes().first() {
            Some(b'{') => {
                let Members(members) = serde_json::from_str(json)?;
                let mut entries = Vec::with_capacity(members.len());
                for (key, raw) in members {
                    let value = self.locate(raw, depth + 1)?;
                    entries.push(Entry { key, line: value.line, value });
                }
                Kind::Map(entries)
            }
            Some(b'[') => {
                let items: Vec<&RawValue> = serde_json::from_str(json)?;
                Kind::List(items.into_iter().map(|raw| self.locate(raw, depth + 1)).collect::<Result<_, _>>()?)
            }
            _ => Kind::Scalar(serde_json::from_str(json)?),
        };
        Ok(Node { line: self.line(json), kind })
    }
}

/// The members of an object, in order.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                let mut known = HashSet::new();
                while let Some((key, value)) = map.next_entry::<String, &'de RawValue>()? {
                    if !known.insert(key.clone()) {
                        return Err(A::Error::custom(format_args!("the key `{key}` comes twice")));
                    }
                    members.push((key, value));
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}
