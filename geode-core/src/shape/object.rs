//! Closed objects and their properties.

use super::{Edge, Key, Quick, Rules, Shape};

/// A closed object: a struct.
#[derive(Debug)]
pub struct Object {
    /// Name of the type: the schema's title, and the base of its `$defs` key.
    pub name: &'static str,
    /// The type's full name, which tells two types of the same name apart.
    pub id: fn() -> &'static str,
    /// What the type is for: its doc comment.
    pub description: Option<&'static str>,
    /// Properties in declaration order.
    pub fields: &'static [Field],
}

/// A property of a closed object.
#[must_use]
#[derive(Debug)]
pub struct Field {
    /// Name on the wire, prepared for the reader.
    pub key: Key,
    /// Other names, accepted only when reading stored data.
    pub aliases: &'static [&'static str],
    /// What the property is for: its doc comment.
    pub description: Option<&'static str>,
    /// Examples, each a JSON text.
    pub examples: &'static [&'static str],
    /// Constraints beyond those of the type.
    pub rules: &'static Rules,
    /// The same, as the reader takes them.
    pub quick: Quick,
    /// The property's shape.
    pub shape: Edge,
    /// How the property stands in the object.
    pub role: Role,
}

impl Field {
    /// A plain property without description, rules or aliases.
    pub const fn new(name: &'static str, shape: Edge) -> Self {
        Field {
            key: Key::new(name),
            aliases: &[],
            description: None,
            examples: &[],
            rules: &Rules::NONE,
            quick: Quick::Nothing,
            shape,
            role: Role::Property,
        }
    }

    /// The same with constraints.
    pub const fn ruled(mut self, rules: &'static Rules) -> Self {
        self.rules = rules;
        self.quick = Quick::new(rules, &self.shape);
        self
    }

    /// The same with a description.
    pub const fn described(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// The same with other names.
    pub const fn aliased(mut self, aliases: &'static [&'static str]) -> Self {
        self.aliases = aliases;
        self
    }

    /// The same with examples.
    pub const fn exemplified(mut self, examples: &'static [&'static str]) -> Self {
        self.examples = examples;
        self
    }

    /// The same in another role.
    pub const fn standing(mut self, role: Role) -> Self {
        if let Role::Flatten = role {
            // A flattened field is no property, even where one of the text has its name.
            self.key = Key::absent(self.key.name);
        }
        self.role = role;
        self
    }

    /// A property that can only hold `text`.
    pub const fn constant(name: &'static str, text: &'static str) -> Self {
        Field { role: Role::Constant(text), ..Field::new(name, Edge::Eager(&Shape::String)) }
    }
}

/// How a field stands in its object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Role {
    /// An ordinary property.
    Property,
    /// A property that can only hold this text: a schema version.
    Constant(&'static str),
    /// Not a property: the fields of the field's own shape stand in this object (`#[serde(flatten)]`).
    Flatten,
    /// A property that stored data may lack: `#[serde(default)]`. On the wire it is required all the same.
    Defaulted,
}
