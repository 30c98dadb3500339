//! [`StructuredOutput`]: the one trait that ties a type's schema, its parser and its encoder together; and [`Carrier`],
//! which lends a wire form to a type that has none.

use crate::json::{Member, Place, Reader, Slot, Via, WriteVia, Writer, put};
use crate::shape::fit::{takes_constant, takes_rules};
use crate::shape::{Field, Rules, Shape};

/// A type whose JSON Schema, parser and encoder all come from one definition.
///
/// Derive it; implement it by hand only for a wire form that the derive can't express. What the schema made from
/// [`SHAPE`](Self::SHAPE) accepts, [`read`](Self::read) accepts, and nothing else.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no wire form: it does not implement `StructuredOutput`",
    label = "not a `StructuredOutput`",
    note = "for your own type, add `#[derive(StructuredOutput)]`",
    note = "for a foreign type, enable the feature of its crate, or write `#[geode(as_string)]`, `#[geode(schemars)]` or `#[geode(with = path)]` on the field",
    note = "for an open value, as `serde_json::Value` is, write `#[geode(json_text)]` on the field: it goes as text that holds JSON"
)]
pub trait StructuredOutput: Sized {
    /// The wire form.
    const SHAPE: &'static Shape;

    /// Whether constraints can stand on a field of this type. Where none can, no code is made that holds values against
    /// them.
    #[doc(hidden)]
    const TAKES_RULES: bool = takes_rules(Self::SHAPE);

    /// Whether `const` can. Where it can't, no code is made that writes a value to compare it.
    #[doc(hidden)]
    const TAKES_CONSTANT: bool = takes_constant(Self::SHAPE);

    /// What an absent property means, where a dialect lets a property be absent: `null`, for types that take it. A
    /// missing property of any other type is a violation.
    #[doc(hidden)]
    #[inline]
    fn absent() -> Option<Self> {
        None
    }

    /// Reads one value.
    ///
    /// `None` says that the value was not acceptable. The reader then holds the violations, and stands behind the
    /// value, unless the text itself is broken.
    fn read(reader: &mut Reader<'_>) -> Option<Self>;

    /// Writes the value in wire form: `read` gives back an equal one.
    fn write(&self, writer: &mut Writer);

    /// Holds the value, read from offset `at`, against rules that stand on the field that holds it.
    ///
    /// That the rules fit the shape has been checked at compile time.
    #[doc(hidden)]
    fn check(&self, rules: &'static Rules, at: usize, reader: &mut Reader<'_>) {
        let _ = (rules, at, reader);
    }

    /// Holds the elements of a list, read from offset `at`, against each other: none may come twice.
    ///
    /// Apart from [`check`](Self::check), since it takes code that writes the elements, which few programs need.
    #[doc(hidden)]
    fn check_distinct(&self, at: usize, reader: &mut Reader<'_>) {
        let _ = (at, reader);
    }

    /// Reads the value of a field into its empty slot, and holds it against the field's rules, if it is `RULED`.
    #[doc(hidden)]
    #[inline]
    fn read_field<const RULED: bool>(slot: &mut Option<Self>, reader: &mut Reader<'_>, field: &'static Field) {
        put(slot, reader.field_value::<Self, RULED>(field));
    }

    /// Lends a slot for a value to the reader.
    #[doc(hidden)]
    #[inline]
    fn slot<const RULED: bool>(slot: &mut Place<Self, RULED>) -> &mut dyn Slot {
        slot
    }

    /// Lends the value to the writer.
    #[doc(hidden)]
    #[inline]
    fn member(&self) -> &dyn Member {
        self
    }
}

/// A wire form for a `T` that has none of its own, chosen by an attribute on the field.
#[diagnostic::on_unimplemented(
    message = "`{T}` can't be carried this way",
    note = "`#[geode(as_string)]` needs `FromStr` and `Display`, `#[geode(json_text)]` needs serde's `Serialize` and `DeserializeOwned`",
    note = "`#[geode(schemars)]` needs geode's feature `schemars`, schemars' `JsonSchema`, and serde's `Serialize` and `DeserializeOwned`"
)]
pub trait Carrier<T> {
    /// The wire form.
    const SHAPE: &'static Shape;

    /// What an absent property means, as in [`StructuredOutput`](crate::StructuredOutput).
    #[inline]
    fn absent() -> Option<T> {
        None
    }

    /// Reads a value and holds its text against the rules.
    fn read(reader: &mut Reader<'_>, rules: &'static Rules) -> Option<T>;

    /// Writes a value.
    fn write(value: &T, writer: &mut Writer);

    /// Lends a slot for a value to the reader.
    fn slot(slot: &mut Option<T>) -> Via<'_, T, Self>
    where
        Self: Sized,
    {
        Via::new(slot)
    }

    /// Lends a value to the writer.
    fn member(value: &T) -> WriteVia<'_, T, Self>
    where
        Self: Sized,
    {
        WriteVia::new(value)
    }
}
