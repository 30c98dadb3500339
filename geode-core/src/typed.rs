//! The schema of a type, plain and for a dialect.

use std::sync::Arc;

use crate::dialect::{Dialect, Incompatible, WirePlan, lower};
use crate::output::StructuredOutput;
use crate::schema::{Schema, from_shape};

/// The schema of `T` in JSON Schema draft 2020-12. `Display` writes it as one line, [`Schema::to_pretty`] as several.
///
/// # Panics
///
/// Where `T` has no wire form because flattened fields of types behind `Box` share a name, or an `Option` of such a type
/// could mean two things. All other cases are compile errors.
#[expect(clippy::panic, reason = "the type is at fault, whatever comes from outside")]
pub fn schema<T: StructuredOutput>() -> Schema {
    from_shape(T::SHAPE).unwrap_or_else(|errors| {
        let errors: Vec<_> = errors.iter().map(ToString::to_string).collect();
        panic!("{} has no wire form: {}", std::any::type_name::<T>(), errors.join("; "))
    })
}

/// The schema of `T` for one dialect, what it could not carry, and how an answer to it is read. Made once in a process.
///
/// # Errors
///
/// Where the dialect can't take the type: every breach of its rules, with its place and what to write instead.
pub fn plan<T: StructuredOutput>(dialect: &'static Dialect) -> Result<Arc<WirePlan>, Incompatible> {
    lower(T::SHAPE, dialect)
}
