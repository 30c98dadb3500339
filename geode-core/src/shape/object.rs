//! Closed objects and their properties.

use super::{Details, Edge, Extras, Key, Quick, Role, Rules, Shape};

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
/// There is one for each field of each type, so it is kept small, with few pointers: what not every property has stands
/// apart.
#[must_use]
#[derive(Debug)]
pub struct Field {
    /// Name on the wire, prepared for the reader.
    pub key: Key,
    shape: Link,
    details: Option<&'static Details>,
}

/// The shape of a property: an [`Edge`], the commonest of which point to nothing.
#[derive(Debug, Clone, Copy)]
enum Link {
    String,
    Boolean,
    Number,
    Other(&'static Shape),
    Lazy(fn() -> &'static Shape),
}

impl Field {
    /// A plain property without description, rules or aliases.
    pub const fn new(name: &'static str, shape: Edge) -> Self {
        let shape = match shape {
            Edge::Eager(Shape::String) => Link::String,
            Edge::Eager(Shape::Boolean) => Link::Boolean,
            Edge::Eager(Shape::Number) => Link::Number,
            Edge::Eager(shape) => Link::Other(shape),
            Edge::Lazy(shape) => Link::Lazy(shape),
        };
        Field { key: Key::new(name), shape, details: None }
    }

    /// The same with what not every property has.
    pub const fn detailed(mut self, details: &'static Details) -> Self {
        self.details = Some(details);
        if let Role::Flatten = self.role() {
            // A flattened field is no property, even where one of the text has its name.
            self.key = self.key.absent();
        }
        self
    }

    /// The link to the property's shape.
    pub const fn edge(&self) -> Edge {
        match self.shape {
            Link::String => Edge::Eager(&Shape::String),
            Link::Boolean => Edge::Eager(&Shape::Boolean),
            Link::Number => Edge::Eager(&Shape::Number),
            Link::Other(shape) => Edge::Eager(shape),
            Link::Lazy(shape) => Edge::Lazy(shape),
        }
    }

    /// The property's shape.
    pub fn shape(&self) -> &'static Shape {
        self.edge().shape()
    }

    /// What the property is for: its doc comment.
    pub const fn description(&self) -> Option<&'static str> {
        match self.details {
            Some(details) => details.description,
            None => None,
        }
    }

    /// Constraints beyond those of the type.
    pub const fn rules(&self) -> &'static Rules {
        match self.details {
            Some(Details { rules: Some(rules), .. }) => rules,
            _ => &Rules::NONE,
        }
    }

    /// The same, as the reader takes them.
    #[inline(always)]
    pub(crate) fn quick(&self) -> &'static Quick {
        match self.details {
            Some(details) => &details.quick,
            None => &Quick::Nothing,
        }
    }

    const fn extras(&self) -> &'static Extras {
        match self.details {
            Some(Details { extras: Some(extras), .. }) => extras,
            _ => &Extras::NONE,
        }
    }

    /// Other names, accepted only when reading stored data.
    pub const fn aliases(&self) -> &'static [&'static str] {
        self.extras().aliases
    }

    /// Examples, each a JSON text.
    pub const fn examples(&self) -> &'static [&'static str] {
        self.extras().examples
    }

    /// How the property stands in the object.
    pub const fn role(&self) -> Role {
        self.extras().role
    }
}
