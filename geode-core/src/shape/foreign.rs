//! Types that others describe: by a JSON Schema, made when it is first asked for.

/// A type whose wire form is told by a JSON Schema that is made at run time.
///
/// A `const` can't look into it: compile-time counting stops here, as at a lazy edge, and what the type's schema can't be
/// is told when the schema that holds it is first made.
#[derive(Debug)]
pub struct Foreign {
    /// Name of the type: the base of its `$defs` key.
    pub name: fn() -> String,
    /// The type's full name, which tells two types of the same name apart.
    pub id: fn() -> &'static str,
    /// Whether `null` is one of the values.
    pub takes_null: fn() -> bool,
    /// The schema of the wire form as JSON text, its own definitions under `$defs`; or why there is none.
    pub schema: fn() -> Result<String, Vec<Unfit>>,
}

/// Why a foreign type has no wire form.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfit {
    /// JSON Pointer into the type's own schema.
    pub pointer: String,
    /// What is wrong there, and what to do, a phrase.
    pub reason: String,
}
