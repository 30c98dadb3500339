//! What not every property has.

use super::{Quick, Rules, Shape};

/// What a property has beside its name and its shape.
#[must_use]
#[derive(Debug, Clone, Copy)]
pub struct Details {
    pub(super) description: Option<&'static str>,
    pub(super) rules: Option<&'static Rules>,
    pub(super) quick: Quick,
    pub(super) extras: Option<&'static Extras>,
}

impl Details {
    /// What a plain property has.
    pub const NONE: Details = Details { description: None, rules: None, quick: Quick::Nothing, extras: None };

    /// The same with a description.
    pub const fn described(mut self, description: &'static str) -> Self {
        self.description = Some(description);
        self
    }

    /// The same with constraints. `shape` is the property's.
    pub const fn ruled(mut self, rules: &'static Rules, shape: &Shape) -> Self {
        self.quick = Quick::new(rules, shape);
        self.rules = Some(rules);
        self
    }

    /// The same with what few properties have.
    pub const fn extended(mut self, extras: &'static Extras) -> Self {
        self.extras = Some(extras);
        self
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
