//! What a type looks like on the wire: one `const` value a type, from which its schema, its parser's tables and the
//! compile-time checks all come.
//!
//! A [`Shape`] knows no provider and no JSON library. It is built in `const` context by the derive and by the impls
//! for standard types, and composes through generics because it is an associated constant.

mod counting;
mod fingerprint;
#[doc(hidden)]
pub mod fit;
mod key;
mod rules;

pub use counting::Sizes;
pub use fingerprint::fingerprint;
pub use key::Key;
pub use rules::{Format, Limit, Pattern, Rules};

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
    /// Whether there is any.
    pub ruled: bool,
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
            ruled: false,
            shape,
            role: Role::Property,
        }
    }

    /// The same with constraints.
    pub const fn ruled(mut self, rules: &'static Rules) -> Self {
        self.rules = rules;
        self.ruled = true;
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

/// An enum without data.
#[derive(Debug)]
pub struct Enumeration {
    /// Name of the type.
    pub name: &'static str,
    /// The type's full name.
    pub id: fn() -> &'static str,
    /// What the type is for.
    pub description: Option<&'static str>,
    /// Values in declaration order, without the fallback.
    pub values: &'static [EnumValue],
    /// Whether the values are integers on the wire (`#[geode(repr)]`), their names being decimal text.
    pub integer: bool,
    /// Whether unknown values narrow to a fallback variant when stored data is read. Never offered to a model.
    pub fallback: bool,
}

/// One value of an [`Enumeration`].
#[derive(Debug)]
pub struct EnumValue {
    /// Name on the wire.
    pub name: &'static str,
    /// What the value means: the variant's doc comment.
    pub description: Option<&'static str>,
    /// Other names, accepted only when reading stored data.
    pub aliases: &'static [&'static str],
}

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
        tag: Key,
    },
    /// `{"tag": "Variant", "content": body}`; a unit variant has no content.
    Adjacent {
        /// The tag property.
        tag: Key,
        /// The content property.
        content: Key,
    },
    /// The body alone. The first variant that accepts the value is taken.
    Untagged,
    /// The body alone, which says itself which it is: by its constant [`VERSION`], the variant's name.
    Version {
        /// The property [`VERSION`].
        tag: Key,
    },
}

/// One variant of a [`Union`].
#[derive(Debug)]
pub struct Variant {
    /// Name on the wire, prepared for the reader (externally tagged variants are object keys).
    pub key: Key,
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
        Variant { key: Key::new(name), description: None, aliases: &[], untagged: false, body: Body::Newtype(body) }
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
            _ => false,
        }
    }

    /// The schema version that values carry as a constant, where they do.
    pub fn version(&self) -> Option<&'static str> {
        match self {
            Shape::Object(object) => object.fields.iter().find_map(|field| match field.role {
                Role::Constant(version) if field.key.name == VERSION => Some(version),
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
