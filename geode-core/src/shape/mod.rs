//! What a type looks like on the wire: one `const` value a type, from which its schema, its parser's tables and the
//! compile-time checks all come.
//!
//! A [`Shape`] knows no provider and no JSON library. It is built in `const` context by the derive and by the impls
//! for standard types, and composes through generics because it is an associated constant.

mod counting;
mod details;
mod enumeration;
mod fingerprint;
#[doc(hidden)]
pub mod fit;
#[cfg(feature = "schemars")]
mod foreign;
mod key;
mod object;
mod quick;
mod rules;
mod union;

pub use counting::Sizes;
pub use details::{Details, Extras, Role};
pub use enumeration::{EnumValue, Enumeration};
pub use fingerprint::fingerprint;
#[cfg(feature = "schemars")]
pub use foreign::{Foreign, Unfit};
pub use key::Key;
pub(crate) use key::Name;
pub use object::{Field, Object};
pub use quick::Quick;
pub use rules::{Format, Limit, Pattern, Rules, TextFormat};
pub use union::{Body, Tagging, Union, Variant};

/// The property that holds a schema's own version, as a constant.
pub const VERSION: &str = "schemaVersion";

/// The wire form of a type.
#[derive(Debug, Clone, Copy)]
#[non_exhaustive]
pub enum Shape {
    /// `null`, the wire form of `()`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// An integer between two limits, both inclusive.
    Integer {
        /// Smallest value of the type.
        minimum: Limit,
        /// Largest value of the type.
        maximum: Limit,
    },
    /// Any finite number.
    Number,
    /// Any text.
    String,
    /// JSON text held in a string: the wire form of a value whose shape is open.
    JsonText,
    /// One of a closed list of names: an enum whose variants carry no data.
    Enumeration(&'static Enumeration),
    /// A list.
    Array {
        /// Shape of each element.
        items: Edge,
        /// Fewest elements, where the type fixes it.
        minimum: Option<usize>,
        /// Most elements, where the type fixes it.
        maximum: Option<usize>,
        /// Whether equal elements are refused (sets).
        unique: bool,
    },
    /// A map with string-like keys. On the wire an array of closed `{key, value}` objects.
    Map {
        /// Shape of a key: always string-like.
        key: Edge,
        /// Shape of a value.
        value: Edge,
    },
    /// A closed object.
    Object(&'static Object),
    /// An enum whose variants carry data.
    Union(&'static Union),
    /// The inner shape, or `null`: the wire form of `Option`.
    Nullable(Edge),
    /// The inner shape, narrowed by rules or described anew: a newtype, or a foreign type carried as text.
    Annotated(&'static Annotated),
    /// Whatever a JSON Schema says that is known at run time only: a type of another crate's. Behind the feature
    /// `schemars`, so that a program without it carries no code that reads schemas.
    #[cfg(feature = "schemars")]
    Foreign(&'static Foreign),
}

/// A link from one shape to the next.
///
/// A `const` graph can't be cyclic, so an edge that closes a cycle is a function. Compile-time counting stops there.
#[derive(Debug, Clone, Copy)]
pub enum Edge {
    /// Known at compile time.
    Eager(&'static Shape),
    /// Known at run time: recursion, and whatever lies behind `Box`, `Rc` or `Arc`.
    Lazy(fn() -> &'static Shape),
}

impl Edge {
    /// The shape at the far end.
    pub fn shape(&self) -> &'static Shape {
        match self {
            Edge::Eager(shape) => shape,
            Edge::Lazy(shape) => shape(),
        }
    }
}

/// A shape narrowed or described anew.
#[derive(Debug)]
pub struct Annotated {
    /// Name of the type, where it has one of its own.
    pub name: Option<&'static str>,
    /// What it is for.
    pub description: Option<&'static str>,
    /// Examples, each a JSON text.
    pub examples: &'static [&'static str],
    /// Constraints.
    pub rules: &'static Rules,
    /// The shape that is narrowed.
    pub of: Edge,
}

impl Shape {
    /// Whether `null` is one of the values.
    pub(crate) fn takes_null(&self) -> bool {
        match self {
            Shape::Null | Shape::Nullable(_) => true,
            Shape::Annotated(annotated) => annotated.of.shape().takes_null(),
            #[cfg(feature = "schemars")]
            Shape::Foreign(foreign) => (foreign.takes_null)(),
            _ => false,
        }
    }

    /// The schema version that values carry as a constant, where they do.
    pub fn version(&self) -> Option<&'static str> {
        match self {
            Shape::Object(object) => object.fields.iter().find_map(|field| match field.role() {
                Role::Constant(version) if field.key.is(VERSION) => Some(version),
                _ => None,
            }),
            _ => None,
        }
    }

    /// The versions that a value can have, where this is an enum of versions; else none.
    pub fn versions(&self) -> impl Iterator<Item = &'static Shape> {
        let variants = match self {
            Shape::Union(Union { tagging: Tagging::Version { .. }, variants, .. }) => *variants,
            _ => &[],
        };
        variants.iter().filter_map(|variant| match &variant.body {
            Body::Newtype(edge) => Some(edge.shape()),
            _ => None,
        })
    }

    /// The object behind this shape, for generated code.
    ///
    /// # Panics
    ///
    /// In `const` evaluation only, where the shape is no object.
    #[doc(hidden)]
    #[expect(clippy::panic, reason = "in `const` evaluation it is a compile error, and nothing else calls it")]
    pub const fn as_object(&self) -> &'static Object {
        match self {
            Shape::Object(object) => object,
            _ => panic!("not an object shape"),
        }
    }

    /// The annotation of this shape, for generated code.
    ///
    /// # Panics
    ///
    /// In `const` evaluation only, where the shape has none.
    #[doc(hidden)]
    #[expect(clippy::panic, reason = "in `const` evaluation it is a compile error, and nothing else calls it")]
    pub const fn as_annotated(&self) -> &'static Annotated {
        match self {
            Shape::Annotated(annotated) => annotated,
            _ => panic!("not an annotated shape"),
        }
    }

    /// The union behind this shape, for generated code.
    ///
    /// # Panics
    ///
    /// In `const` evaluation only, where the shape is no union.
    #[doc(hidden)]
    #[expect(clippy::panic, reason = "in `const` evaluation it is a compile error, and nothing else calls it")]
    pub const fn as_union(&self) -> &'static Union {
        match self {
            Shape::Union(union) => union,
            _ => panic!("not a union shape"),
        }
    }

    /// The enumeration behind this shape, for generated code.
    ///
    /// # Panics
    ///
    /// In `const` evaluation only, where the shape is no enumeration.
    #[doc(hidden)]
    #[expect(clippy::panic, reason = "in `const` evaluation it is a compile error, and nothing else calls it")]
    pub const fn as_enumeration(&self) -> &'static Enumeration {
        match self {
            Shape::Enumeration(enumeration) => enumeration,
            _ => panic!("not an enumeration shape"),
        }
    }
}
