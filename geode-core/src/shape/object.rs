//! Closed objects and their properties.

use super::{Edge, Key, Quick, Rules};

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
///
/// There is one for each field of each type, so it is kept small: what few properties have stands apart.
#[must_use]
#[derive(Debug)]
pub struct Field {
    /// Name on the wire, prepared for the reader.
    pub key: Key,
    /// What the property is for: its doc comment.
    pub description: Option<&'static str>,
    /// The property's shape.
    pub shape: Edge,
    rules: Option<&'static Rules>,
    /// The same, as the reader takes them.
    pub(crate) quick: Quick,
    extras: Option<&'static Extras>,
}

impl Field {
    /// A plain property without description, rules or aliases.
    pub const fn new(name: &'static str, shape: Edge) -> Self {
        Field { key: Key::new(name), description: None, shape, rules: None, quick: Quick::Nothing, extras: None }
    }

    /// The same with constraints.
    pub const fn ruled(mut self, rules: &'static Rules) -> Self {
        self.quick = Quick::new(rules, &self.shape);
        self.rules = Some(rules);
        self
    }

    /// The same with a description.
    pub const fn described(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// The same with what few properties have.
    pub const fn extended(mut self, extras: &'static Extras) -> Self {
        if let Role::Flatten = extras.role {
            // A flattened field is no property, even where one of the text has its name.
            self.key = Key::absent(self.key.name);
        }
        self.extras = Some(extras);
        self
    }

    /// Constraints beyond those of the type.
    pub const fn rules(&self) -> &'static Rules {
        match self.rules {
            Some(rules) => rules,
            None => &Rules::NONE,
        }
    }

    /// Other names, accepted only when reading stored data.
    pub const fn aliases(&self) -> &'static [&'static str] {
        match self.extras {
            Some(extras) => extras.aliases,
            None => &[],
        }
    }

    /// Examples, each a JSON text.
    pub const fn examples(&self) -> &'static [&'static str] {
        match self.extras {
            Some(extras) => extras.examples,
            None => &[],
        }
    }

    /// How the property stands in the object.
    pub const fn role(&self) -> Role {
        match self.extras {
            Some(extras) => extras.role,
            None => Role::Property,
        }
    }
}

/// What few properties have.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct Extras {
    /// Other names, accepted only when reading stored data.
    pub aliases: &'static [&'static str],
    /// Examples, each a JSON text.
    pub examples: &'static [&'static str],
    /// How the property stands in the object.
    pub role: Role,
}

impl Extras {
    /// What a plain property has.
    pub const NONE: Extras = Extras { aliases: &[], examples: &[], role: Role::Property };
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
