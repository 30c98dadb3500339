//! Closed lists of names.

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
