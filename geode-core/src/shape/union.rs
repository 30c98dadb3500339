//! Several bodies, and how a value says which it is.

use super::{Edge, Field, Rules};

/// An enum with data.
#[derive(Debug)]
pub struct Union {
    /// Name of the type.
    pub name: &'static str,
    /// The type's full name.
    pub id: fn() -> &'static str,
    /// What the type is for.
    pub description: Option<&'static str>,
    /// How a value says which variant it is.
    pub tagging: Tagging,
    /// Variants in declaration order, without the fallback.
    pub variants: &'static [Variant],
    /// Whether unknown tags narrow to a fallback variant when stored data is read. Never offered to a model.
    pub fallback: bool,
}

/// How a value of a [`Union`] says which variant it is. The names are serde's.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Tagging {
    /// `{"Variant": body}`; a unit variant is the bare string `"Variant"`.
    External,
    /// The tag stands among the body's own properties, first.
    Internal {
        /// The tag property.
        tag: &'static str,
    },
    /// `{"tag": "Variant", "content": body}`; a unit variant has no content.
    Adjacent {
        /// The tag property.
        tag: &'static str,
        /// The content property.
        content: &'static str,
    },
    /// The body alone. The first variant that accepts the value is taken.
    Untagged,
    /// The body alone, which says itself which it is: by its constant [`VERSION`](super::VERSION), the variant's name.
    Version {
        /// The property [`VERSION`](super::VERSION).
        tag: &'static str,
    },
}

/// One variant of a [`Union`].
#[derive(Debug)]
pub struct Variant {
    /// Name on the wire.
    pub name: &'static str,
    /// What the variant means.
    pub description: Option<&'static str>,
    /// Other names, accepted only when reading stored data.
    pub aliases: &'static [&'static str],
    /// The body stands alone, whatever the union's tagging: it is tried when no tag fits (`#[serde(untagged)]` on the
    /// variant).
    pub untagged: bool,
    /// What the variant carries.
    pub body: Body,
}

impl Variant {
    /// A newtype variant without description or aliases.
    pub const fn newtype(name: &'static str, body: Edge) -> Self {
        Variant { name, description: None, aliases: &[], untagged: false, body: Body::Newtype(body) }
    }

    /// The fields of a struct or tuple variant, for generated code.
    ///
    /// # Panics
    ///
    /// In `const` evaluation only, where the variant has none.
    #[doc(hidden)]
    #[expect(clippy::panic, reason = "in `const` evaluation it is a compile error, and nothing else calls it")]
    pub const fn fields(&self) -> &'static [Field] {
        match self.body {
            Body::Fields(fields) => fields,
            _ => panic!("not a variant with fields"),
        }
    }

    /// The rules of a newtype variant, for generated code.
    ///
    /// # Panics
    ///
    /// In `const` evaluation only, where the variant has none.
    #[doc(hidden)]
    #[expect(clippy::panic, reason = "in `const` evaluation it is a compile error, and nothing else calls it")]
    pub const fn rules(&self) -> &'static Rules {
        match self.body {
            Body::Newtype(Edge::Eager(shape)) => shape.as_annotated().rules,
            _ => panic!("not a variant with rules"),
        }
    }
}

/// What a variant carries.
#[derive(Debug)]
#[non_exhaustive]
pub enum Body {
    /// Nothing.
    Unit,
    /// One value: a newtype variant.
    Newtype(Edge),
    /// A closed object: a struct variant, or a tuple variant with positional names.
    Fields(&'static [Field]),
}
