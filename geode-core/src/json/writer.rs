//! Writes values in wire form: compact JSON, properties in declaration order.

use crate::output::StructuredOutput;
use crate::shape::{Enumeration, Field, Union};

/// Writes one JSON text.
#[derive(Default)]
pub struct Writer {
    out: String,
}

impl Writer {
    /// Writes `value` as one compact JSON text.
    pub fn write<T: StructuredOutput>(value: &T) -> String {
        let mut writer = Writer::default();
        value.write(&mut writer);
        writer.out
    }

    /// Writes a closed object: `each` is called with the index of every field, in order, and writes its value.
    ///
    /// Inside [`union`](Self::union) it writes what the tagging asks for around it. For a flattened field `each` writes
    /// a whole object, whose properties are spliced in.
    pub fn object(&mut self, fields: &'static [Field], each: impl FnMut(&mut Self, usize)) {
        let _ = (fields, each);
        todo!()
    }

    /// Writes a value of an enumeration by its index.
    pub fn enumeration(&mut self, enumeration: &'static Enumeration, index: usize) {
        let _ = (enumeration, index);
        todo!()
    }

    /// Writes the variant `index` of a union: `body` writes the payload by `value.write(writer)` (newtype), by
    /// [`object`](Self::object) (fields), or nothing (unit).
    pub fn union(&mut self, union: &'static Union, index: usize, body: impl FnOnce(&mut Self)) {
        let _ = (union, index, body);
        todo!()
    }
}
