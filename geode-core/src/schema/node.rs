//! The tree itself.

use std::collections::HashSet;

use serde_json::Value;

use super::pointer::join;
use crate::shape::Limit;

/// The body of `children` and `children_mut`, which differ in mutability alone.
macro_rules! children {
    ($node:expr, $iter:ident, $($borrow:tt)+) => {{
        let node = $node;
        let mut children = Vec::new();
        for (name, schema) in node.properties.$iter().flatten() {
            children.push((join("/properties", name), schema));
        }
        for (keyword, slot) in
            [("/additionalProperties", $($borrow)+ node.additional), ("/items", $($borrow)+ node.items)]
        {
            children.extend(slot.$iter().map(|schema| (keyword.to_owned(), schema)));
        }
        for (keyword, list) in [
            ("/prefixItems", $($borrow)+ node.prefix_items),
            ("/anyOf", $($borrow)+ node.any_of),
            ("/oneOf", $($borrow)+ node.one_of),
            ("/allOf", $($borrow)+ node.all_of),
        ] {
            for (index, schema) in list.$iter().enumerate() {
                children.push((format!("{keyword}/{index}"), schema));
            }
        }
        for (keyword, list) in
            [("/$defs", $($borrow)+ node.definitions), ("/definitions", $($borrow)+ node.legacy_definitions)]
        {
            for (name, schema) in list.$iter() {
                children.push((join(keyword, name), schema));
            }
        }
        children
    }};
}

/// One schema: `true`, `false`, or an object of keywords.
#[derive(Debug)]
pub enum Schema {
    /// `true` accepts every value, `false` none.
    Boolean(bool),
    /// An object of keywords.
    Node(Box<Node>),
}

// By hand: what the compiler derives, all the keywords of a node, it copies into whatever clones or compares.
impl Clone for Schema {
    #[inline(never)]
    fn clone(&self) -> Self {
        match self {
            Schema::Boolean(accepts) => Schema::Boolean(*accepts),
            Schema::Node(node) => Schema::Node(Box::new(Node::clone(node))),
        }
    }
}

impl PartialEq for Schema {
    #[inline(never)]
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Schema::Boolean(accepts), Schema::Boolean(other)) => accepts == other,
            (Schema::Node(node), Schema::Node(other)) => Node::eq(node, other),
            _ => false,
        }
    }
}

/// A JSON type, as `type` names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Type {
    /// `null`
    Null,
    /// `true` and `false`
    Boolean,
    /// Numbers without a fraction.
    Integer,
    /// All numbers.
    Number,
    /// Text.
    String,
    /// Lists.
    Array,
    /// Objects.
    Object,
}

/// The keywords of one schema object. An empty node accepts every value.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Node {
    /// `$ref`
    pub reference: Option<String>,
    /// `title`
    pub title: Option<String>,
    /// `description`
    pub description: Option<String>,
    /// `type`; empty where the keyword is absent, several where it is a list.
    pub types: Vec<Type>,
    /// `enum`
    pub enumeration: Option<Vec<Value>>,
    /// `const`
    pub constant: Option<Value>,
    /// `format`
    pub format: Option<String>,
    /// `pattern`
    pub pattern: Option<String>,
    /// `minLength`, in characters
    pub min_length: Option<u64>,
    /// `maxLength`, in characters
    pub max_length: Option<u64>,
    /// `minimum`
    pub minimum: Option<Limit>,
    /// `maximum`
    pub maximum: Option<Limit>,
    /// `exclusiveMinimum`
    pub exclusive_minimum: Option<Limit>,
    /// `exclusiveMaximum`
    pub exclusive_maximum: Option<Limit>,
    /// `multipleOf`
    pub multiple_of: Option<Limit>,
    /// `properties`, in declaration order
    pub properties: Option<Vec<(String, Schema)>>,
    /// `required`
    pub required: Option<Vec<String>>,
    /// `additionalProperties`
    pub additional: Option<Schema>,
    /// `items`, where it is one schema
    pub items: Option<Schema>,
    /// `prefixItems`, or draft-07's list of `items`
    pub prefix_items: Vec<Schema>,
    /// `minItems`
    pub min_items: Option<u64>,
    /// `maxItems`
    pub max_items: Option<u64>,
    /// `uniqueItems`
    pub unique_items: bool,
    /// `anyOf`
    pub any_of: Vec<Schema>,
    /// `oneOf`
    pub one_of: Vec<Schema>,
    /// `allOf`
    pub all_of: Vec<Schema>,
    /// `default`
    pub default: Option<Value>,
    /// `examples`
    pub examples: Option<Vec<Value>>,
    /// Every other keyword, in the order in which it stood.
    pub other: Vec<(String, Value)>,
    /// `$defs`
    pub definitions: Vec<(String, Schema)>,
    /// `definitions`, the older spelling of `$defs`
    pub legacy_definitions: Vec<(String, Schema)>,
}

impl Type {
    /// The type's name in JSON Schema.
    pub const fn name(self) -> &'static str {
        match self {
            Type::Null => "null",
            Type::Boolean => "boolean",
            Type::Integer => "integer",
            Type::Number => "number",
            Type::String => "string",
            Type::Array => "array",
            Type::Object => "object",
        }
    }

    /// The type of that name.
    pub fn from_name(name: &str) -> Option<Self> {
        [Type::Null, Type::Boolean, Type::Integer, Type::Number, Type::String, Type::Array, Type::Object]
            .into_iter()
            .find(|of| of.name() == name)
    }

    /// The type of a value. Whole numbers are integers.
    pub fn of(value: &Value) -> Self {
        match value {
            Value::Null => Type::Null,
            Value::Bool(_) => Type::Boolean,
            Value::Number(number) => match number.as_f64() {
                Some(real) if real.fract() != 0.0 => Type::Number,
                _ => Type::Integer,
            },
            Value::String(_) => Type::String,
            Value::Array(_) => Type::Array,
            Value::Object(_) => Type::Object,
        }
    }
}

impl Schema {
    /// The keywords, unless the schema is `true` or `false`.
    pub fn node(&self) -> Option<&Node> {
        match self {
            Schema::Boolean(_) => None,
            Schema::Node(node) => Some(node),
        }
    }

    /// The keywords, to be changed.
    pub fn node_mut(&mut self) -> Option<&mut Node> {
        match self {
            Schema::Boolean(_) => None,
            Schema::Node(node) => Some(node),
        }
    }

    /// The schema that accepts one type.
    pub fn of_type(of: Type) -> Self {
        Node { types: vec![of], ..Node::default() }.into()
    }

    /// A bare reference to a definition of the same document.
    pub fn reference(definition: &str) -> Self {
        let escaped = definition.replace('~', "~0").replace('/', "~1");
        Node { reference: Some(format!("#/$defs/{escaped}")), ..Node::default() }.into()
    }

    /// Whether this is `{"type": "null"}` and nothing else that narrows.
    pub fn is_null(&self) -> bool {
        self.node().is_some_and(|node| node.types == [Type::Null])
    }
}

impl From<Node> for Schema {
    fn from(node: Node) -> Self {
        Schema::Node(Box::new(node))
    }
}

impl Node {
    /// A closed object, all of whose properties are required.
    pub fn closed_object(properties: Vec<(String, Schema)>) -> Self {
        Node {
            types: vec![Type::Object],
            required: Some(properties.iter().map(|(name, _)| name.clone()).collect()),
            properties: Some(properties),
            additional: Some(Schema::Boolean(false)),
            ..Node::default()
        }
    }

    /// Whether the schema describes objects: by `type`, or by a keyword of objects where there is no `type`.
    pub fn is_object(&self) -> bool {
        if self.types.is_empty() { self.properties.is_some() } else { self.types.contains(&Type::Object) }
    }

    /// Whether it describes objects by their properties alone: no provider takes a choice, a reference or a list of values
    /// at the root of a tool's schema.
    pub(crate) fn is_plain_object(&self) -> bool {
        let conditional = |keyword: &str| matches!(keyword, "not" | "if" | "then" | "else");
        self.types == [Type::Object]
            && self.reference.is_none()
            && self.enumeration.is_none()
            && self.constant.is_none()
            && self.any_of.is_empty()
            && self.one_of.is_empty()
            && self.all_of.is_empty()
            && !self.other.iter().any(|(keyword, _)| conditional(keyword))
    }

    /// Whether `name` must be present.
    pub fn is_required(&self, name: &str) -> bool {
        self.required.as_ref().is_some_and(|required| required.iter().any(|other| other == name))
    }

    /// The names of `required`, to ask of many properties whether they are in it.
    pub(crate) fn required_names(&self) -> HashSet<&str> {
        self.required.iter().flatten().map(String::as_str).collect()
    }

    /// Adds a paragraph to the description.
    pub fn describe(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        match &mut self.description {
            Some(description) if !description.is_empty() => {
                description.push_str("\n\n");
                description.push_str(text);
            }
            description => *description = Some(text.to_owned()),
        }
    }

    /// The keywords that are present, in the order in which they are written.
    pub fn keywords(&self) -> Vec<&str> {
        let present = [
            ("$ref", self.reference.is_some()),
            ("title", self.title.is_some()),
            ("description", self.description.is_some()),
            ("type", !self.types.is_empty()),
            ("enum", self.enumeration.is_some()),
            ("const", self.constant.is_some()),
            ("format", self.format.is_some()),
            ("pattern", self.pattern.is_some()),
            ("minLength", self.min_length.is_some()),
            ("maxLength", self.max_length.is_some()),
            ("minimum", self.minimum.is_some()),
            ("maximum", self.maximum.is_some()),
            ("exclusiveMinimum", self.exclusive_minimum.is_some()),
            ("exclusiveMaximum", self.exclusive_maximum.is_some()),
            ("multipleOf", self.multiple_of.is_some()),
            ("properties", self.properties.is_some()),
            ("required", self.required.is_some()),
            ("additionalProperties", self.additional.is_some()),
            ("items", self.items.is_some()),
            ("prefixItems", !self.prefix_items.is_empty()),
            ("minItems", self.min_items.is_some()),
            ("maxItems", self.max_items.is_some()),
            ("uniqueItems", self.unique_items),
            ("anyOf", !self.any_of.is_empty()),
            ("oneOf", !self.one_of.is_empty()),
            ("allOf", !self.all_of.is_empty()),
            ("default", self.default.is_some()),
            ("examples", self.examples.is_some()),
            ("$defs", !self.definitions.is_empty()),
            ("definitions", !self.legacy_definitions.is_empty()),
        ];
        let known = present.into_iter().filter(|(_, present)| *present).map(|(keyword, _)| keyword);
        known.chain(self.other.iter().map(|(keyword, _)| keyword.as_str())).collect()
    }

    /// The schemas directly inside, each with its JSON Pointer below this one. Definitions come last.
    pub fn children(&self) -> Vec<(String, &Schema)> {
        children!(self, iter, &)
    }

    /// [`children`](Self::children), to be changed.
    pub fn children_mut(&mut self) -> Vec<(String, &mut Schema)> {
        children!(self, iter_mut, &mut)
    }
}
