//! The strict reader that generated parsers drive.
//!
//! It reads one JSON text from front to back, tries the next declared property first (providers answer in schema
//! order), and goes on after a violation so that one pass finds them all. Positions are recorded as byte offsets; JSON
//! Pointers are made from them only when there is a violation.

use crate::output::StructuredOutput;
use crate::report::Report;
use crate::shape::{Enumeration, Field, Rules, Union};

/// How a text is to be read. The default is strict.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// The value stands in a closed object with the one property `value`: what a dialect does to a root that is no
    /// object.
    pub wrapped_root: bool,
    /// An absent property means `null` where the property is nullable.
    pub absent_is_null: bool,
    /// Names of enum values and tags are compared without regard to ASCII case.
    pub any_case: bool,
    /// The text is stored data, not a model's answer: aliases count, defaulted properties may be absent, unknown enum
    /// values narrow to the fallback variant. Each use is noted.
    pub stored: bool,
    /// Most levels of nesting. 128 by default.
    pub max_depth: usize,
    /// Most violations that are recorded; the count goes on. 100 by default.
    pub max_violations: usize,
}

impl Default for ReadOptions {
    fn default() -> Self {
        ReadOptions {
            wrapped_root: false,
            absent_is_null: false,
            any_case: false,
            stored: false,
            max_depth: 128,
            max_violations: 100,
        }
    }
}

/// Reads one JSON text.
pub struct Reader<'a> {
    text: &'a str,
}

/// Progress through one object's properties.
pub struct Fields {
    fields: &'static [Field],
}

/// What [`Reader::field`] returns when the object is done.
pub const DONE: usize = usize::MAX;

impl<'a> Reader<'a> {
    /// Reads a whole text as a `T`.
    ///
    /// # Errors
    ///
    /// All violations, where there is one.
    pub fn read<T: StructuredOutput>(text: &'a str, options: &ReadOptions) -> Result<T, Report> {
        let _ = (text, options);
        todo!()
    }

    /// Opens an object whose properties are `fields`. Where no object comes, records that, skips what comes, and the
    /// result is done at once.
    ///
    /// Inside [`union`](Self::union) it goes on where the union left off: behind a tag, or at the content.
    pub fn object(&mut self, fields: &'static [Field]) -> Fields {
        let _ = self.text;
        Fields { fields }
    }

    /// Moves to the next property and stands before its value. Returns its index, or [`DONE`].
    ///
    /// Unknown and repeated properties are recorded and skipped here; missing ones are recorded at the end. After the
    /// text broke it is always `DONE`.
    pub fn field(&mut self, fields: &mut Fields) -> usize {
        let _ = fields.fields;
        todo!()
    }

    /// Reads a value and holds it against the rules of the field that it is for.
    pub fn checked<T: StructuredOutput>(&mut self, rules: &'static Rules) -> Option<T> {
        let _ = rules;
        todo!()
    }

    /// Reads a string that can only be `text`: a schema version.
    pub fn constant(&mut self, text: &'static str) -> Option<()> {
        let _ = text;
        todo!()
    }

    /// Reads one of an enumeration's values and returns its index in declaration order; `values.len()` stands for the
    /// fallback.
    pub fn enumeration(&mut self, enumeration: &'static Enumeration) -> Option<usize> {
        let _ = enumeration;
        todo!()
    }

    /// Reads a value of a union, whatever its tagging: finds the variant, calls `variant` with its index to read the
    /// body by [`unit`](Self::unit), [`payload`](Self::payload) or [`object`](Self::object), and closes what it opened.
    pub fn union<T>(&mut self, union: &'static Union, variant: impl FnMut(&mut Self, usize) -> Option<T>) -> Option<T> {
        let _ = (union, variant);
        todo!()
    }

    /// Inside [`union`](Self::union): the body of a variant that carries nothing.
    pub fn unit(&mut self) -> Option<()> {
        todo!()
    }

    /// Inside [`union`](Self::union): the body of a newtype variant.
    pub fn payload<T: StructuredOutput>(&mut self) -> Option<T> {
        todo!()
    }

    /// Reads a part of the object that was just read by a `Fields` with flattened fields: the same text again, seeing
    /// only the properties that belong to `T` (the field at `index`).
    pub fn flattened<T: StructuredOutput>(&mut self, fields: &Fields, index: usize) -> Option<T> {
        let _ = (fields, index);
        todo!()
    }
}
