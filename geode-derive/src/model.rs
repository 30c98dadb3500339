//! What is true of the type: names final, defaults decided, conflicts gone. [`expand`](crate::expand) can't fail on it.

use proc_macro2::{Ident, Span};
use syn::{Generics, Member, Path, Type};

pub(crate) use crate::syntax::{Constraints, Number};

/// A type.
pub(crate) struct Model {
    pub(crate) ident: Ident,
    /// With the bounds that the generated impl needs.
    pub(crate) generics: Generics,
    /// Path of the facade in the caller's crate.
    pub(crate) krate: Path,
    pub(crate) form: Form,
}

/// The name and purpose of a type.
pub(crate) struct Title {
    pub(crate) name: String,
    pub(crate) description: Option<String>,
}

/// The wire form.
pub(crate) enum Form {
    /// A closed object.
    Object(Title, Body),
    /// `null`.
    Null(Title),
    /// The form of the one field.
    Newtype(Newtype),
    /// The form of another type.
    Converted(Box<Converted>),
    /// One of a list of names.
    Enumeration(Enumeration),
    /// One of several bodies.
    Union(Union),
}

/// The property that holds a struct's version.
pub(crate) const VERSION: &str = "schemaVersion";

/// The properties of an object, and the fields that they fill.
pub(crate) struct Body {
    /// Properties that hold one text and fill no field: the schema version, a struct's tag. They come first.
    pub(crate) constants: Vec<(String, String)>,
    pub(crate) fields: Vec<Field>,
    pub(crate) skipped: Vec<Skipped>,
    /// The parser has code of its own that reads them in a straight line.
    pub(crate) hot: bool,
}

/// A field on the wire.
pub(crate) struct Field {
    pub(crate) member: Member,
    pub(crate) ty: Type,
    pub(crate) key: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) description: Option<String>,
    pub(crate) examples: Vec<String>,
    pub(crate) constraints: Option<Constraints>,
    pub(crate) role: Role,
    /// The type refers back to the type that is derived.
    pub(crate) lazy: bool,
    pub(crate) carrier: Carrier,
}

/// How a field stands in its object.
pub(crate) enum Role {
    Property,
    Flatten(Span),
    Defaulted(Fallback),
}

/// What fills a field that the text doesn't. Each says where it was asked for.
pub(crate) enum Fallback {
    /// `Default::default()` of the field's type.
    Default(Span),
    /// A function.
    Function(Path),
    /// The field of the container's `Default::default()`.
    OfContainer(Span),
    /// The field of what a function of the container's makes.
    OfContainersFunction(Path),
}

/// A field that isn't on the wire.
pub(crate) struct Skipped {
    pub(crate) member: Member,
    pub(crate) fallback: Fallback,
}

/// What carries a value.
pub(crate) enum Carrier {
    /// Its type's own form.
    Own,
    /// A carrier of ours, under `Optional` where the type is spelt as an `Option`.
    Built { name: &'static str, optional: bool },
    /// `SHAPE`, `read` and `write` behind a path.
    By(Path),
}

/// A struct that stands for its one field.
pub(crate) struct Newtype {
    pub(crate) name: String,
    /// Whether the name was given, or only is the type's.
    pub(crate) named: bool,
    pub(crate) field: Box<Field>,
    pub(crate) skipped: Vec<Skipped>,
}

/// A type that is read as another and converted.
pub(crate) struct Converted {
    pub(crate) title: Title,
    pub(crate) examples: Vec<String>,
    pub(crate) constraints: Option<Constraints>,
    pub(crate) named: bool,
    pub(crate) through: Type,
    pub(crate) fallible: bool,
}

/// An enum without data.
pub(crate) struct Enumeration {
    pub(crate) title: Title,
    pub(crate) integer: bool,
    pub(crate) values: Vec<Value>,
    /// The variant that unknown values narrow to.
    pub(crate) fallback: Option<Ident>,
    /// Variants that aren't on the wire.
    pub(crate) skipped: Vec<Ident>,
}

/// One value of an enumeration.
pub(crate) struct Value {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) description: Option<String>,
}

/// An enum with data.
pub(crate) struct Union {
    pub(crate) title: Title,
    pub(crate) tagging: Tagging,
    pub(crate) variants: Vec<Variant>,
    pub(crate) fallback: Option<Ident>,
    pub(crate) skipped: Vec<Ident>,
}

/// How a value says which variant it is.
pub(crate) enum Tagging {
    External,
    Internal(String),
    Adjacent(String, String),
    Untagged,
    /// The payload's own constant. Whether a step from one to the next can fail.
    Version {
        fallible: bool,
    },
}

/// A variant on the wire.
pub(crate) struct Variant {
    pub(crate) ident: Ident,
    pub(crate) name: String,
    pub(crate) aliases: Vec<String>,
    pub(crate) description: Option<String>,
    /// The body alone, whatever the union's tagging.
    pub(crate) untagged: bool,
    pub(crate) body: VariantBody,
}

/// What a variant carries.
pub(crate) enum VariantBody {
    Unit,
    Newtype(Box<Field>),
    Fields(Body),
}
