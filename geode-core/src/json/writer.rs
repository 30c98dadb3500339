//! Writes values in wire form: compact JSON, properties in declaration order.

use crate::output::Carrier;
use crate::output::StructuredOutput;
use crate::shape::{Body, Enumeration, Field, Role, Tagging, Union};
use std::fmt::Write as _;
use std::marker::PhantomData;

/// A property's value, whatever its type.
pub trait Member {
    /// Writes it.
    fn write_member(&self, writer: &mut Writer);
}

impl<T: StructuredOutput> Member for T {
    fn write_member(&self, writer: &mut Writer) {
        self.write(writer);
    }
}

/// A value that a carrier writes.
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct WriteVia<'v, T, C>(&'v T, PhantomData<C>);

impl<'v, T, C: Carrier<T>> WriteVia<'v, T, C> {
    /// Wraps the value.
    pub fn new(value: &'v T) -> Self {
        WriteVia(value, PhantomData)
    }
}

impl<T, C: Carrier<T>> Member for WriteVia<'_, T, C> {
    fn write_member(&self, writer: &mut Writer) {
        C::write(self.0, writer);
    }
}

/// A value that a function of the user's writes.
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct WriteBy<'v, T>(pub &'v T, pub fn(&T, &mut Writer));

impl<T> Member for WriteBy<'_, T> {
    fn write_member(&self, writer: &mut Writer) {
        (self.1)(self.0, writer);
    }
}

/// Writes one JSON text.
#[derive(Default)]
pub struct Writer {
    out: String,
    /// The next object's properties go into the object that is open.
    spliced: bool,
}

/// Shows the size of what was written, no content.
impl std::fmt::Debug for Writer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Writer").field("bytes", &self.out.len()).finish_non_exhaustive()
    }
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
    /// a whole object, whose properties are spliced in. Of a constant `each` writes nothing.
    pub fn object(&mut self, fields: &'static [Field], mut each: impl FnMut(&mut Self, usize)) {
        let spliced = self.open();
        for (index, field) in fields.iter().enumerate() {
            match field.role() {
                Role::Flatten => {
                    self.spliced = true;
                    each(self, index);
                    self.spliced = false;
                }
                Role::Constant(text) => {
                    self.name(field.key.name());
                    self.text(text);
                }
                Role::Property | Role::Defaulted => {
                    self.name(field.key.name());
                    each(self, index);
                }
            }
        }
        self.close(spliced);
    }

    /// Writes a closed object from its members, one for each field. Of a constant's the table knows the text.
    pub fn members(&mut self, fields: &'static [Field], members: &[&dyn Member]) {
        self.object(fields, |writer, index| {
            if let Some(member) = members.get(index) {
                member.write_member(writer);
            }
        });
    }

    /// Writes a value of an enumeration by its index. An index beyond the values, which is the fallback's, is written as
    /// `null`: it has no wire form.
    pub fn enumeration(&mut self, enumeration: &'static Enumeration, index: usize) {
        match enumeration.values.get(index) {
            Some(value) if enumeration.integer => self.out.push_str(value.name),
            Some(value) => self.text(value.name),
            None => self.null(),
        }
    }

    /// Writes the variant `index` of a union: `body` writes the payload by `value.write(writer)` (newtype), by
    /// [`object`](Self::object) (fields), or nothing (unit).
    pub fn union(&mut self, union: &'static Union, index: usize, body: impl FnOnce(&mut Self)) {
        let Some(variant) = union.variants.get(index) else { return self.null() };
        let (name, unit) = (variant.name, matches!(variant.body, Body::Unit));
        match &union.tagging {
            _ if variant.untagged => self.alone(unit, body),
            Tagging::External if unit && !self.spliced => self.text(name),
            Tagging::External => {
                let spliced = self.open();
                self.name(name);
                if unit {
                    self.null()
                } else {
                    body(self)
                }
                self.close(spliced);
            }
            Tagging::Internal { tag } => {
                let spliced = self.open();
                self.name(tag);
                self.text(name);
                if !unit {
                    self.spliced = true;
                    body(self);
                    self.spliced = false;
                }
                self.close(spliced);
            }
            Tagging::Adjacent { tag, content } => {
                let spliced = self.open();
                self.name(tag);
                self.text(name);
                if !unit {
                    self.name(content);
                    body(self);
                }
                self.close(spliced);
            }
            Tagging::Untagged | Tagging::Version { .. } => self.alone(unit, body),
        }
    }

    /// Writes a body without a tag.
    fn alone(&mut self, unit: bool, body: impl FnOnce(&mut Self)) {
        if unit && !self.spliced { self.null() } else { body(self) }
    }

    /// Writes an array: `each` writes one element.
    pub fn array<T>(&mut self, elements: impl IntoIterator<Item = T>, mut each: impl FnMut(&mut Self, T)) {
        self.out.push('[');
        for (index, element) in elements.into_iter().enumerate() {
            if index > 0 {
                self.out.push(',');
            }
            each(self, element);
        }
        self.out.push(']');
    }

    /// Writes `null`.
    pub fn null(&mut self) {
        self.out.push_str("null");
    }

    /// Writes `true` or `false`.
    pub fn boolean(&mut self, value: bool) {
        self.out.push_str(if value { "true" } else { "false" });
    }

    /// Writes an integer of any width.
    pub fn integer(&mut self, value: impl itoa::Integer) {
        self.out.push_str(itoa::Buffer::new().format(value));
    }

    /// Writes a number so that reading gives back the same one. What is not finite has no form in JSON and is written
    /// as `null`, which reading refuses.
    pub fn real(&mut self, value: f64) {
        match value.is_finite() {
            true => self.finite(value),
            false => self.null(),
        }
    }

    /// Writes a single-precision number so that reading gives back the same one; what is not finite as [`real`](Self::real) does.
    pub fn single(&mut self, value: f32) {
        match value.is_finite() {
            // its shortest spelling is beyond the limit that it is
            true if value.abs() == f32::MAX => self.finite(f64::from(value)),
            true => self.finite(value),
            false => self.null(),
        }
    }

    /// `Debug` is the shortest spelling that reads back, with an exponent where that is shorter.
    fn finite(&mut self, value: impl std::fmt::Debug) {
        // writing to a string can't fail
        let _ = write!(self.out, "{value:?}");
    }

    /// Writes a string.
    pub fn text(&mut self, text: &str) {
        self.out.push('"');
        let mut plain = 0;
        for (at, byte) in text.bytes().enumerate() {
            let escape = match byte {
                b'"' => "\\\"",
                b'\\' => "\\\\",
                b'\n' => "\\n",
                b'\r' => "\\r",
                b'\t' => "\\t",
                0x08 => "\\b",
                0x0c => "\\f",
                0..0x20 => "",
                _ => continue,
            };
            self.out.push_str(text.get(plain..at).unwrap_or_default());
            self.out.push_str(escape);
            if escape.is_empty() {
                let _ = write!(self.out, "\\u{byte:04x}");
            }
            plain = at + 1;
        }
        self.out.push_str(text.get(plain..).unwrap_or_default());
        self.out.push('"');
    }

    /// Writes what `Display` says as a string.
    pub fn display(&mut self, value: impl std::fmt::Display) {
        self.text(&value.to_string());
    }

    /// Writes what is JSON already.
    #[cfg(feature = "schemars")]
    pub(crate) fn json(&mut self, value: &serde_json::Value) {
        let _ = write!(self.out, "{value}");
    }

    /// Opens an object, unless its properties go into the one that is open; whether they do.
    fn open(&mut self) -> bool {
        let spliced = std::mem::take(&mut self.spliced);
        if !spliced {
            self.out.push('{');
        }
        spliced
    }

    fn close(&mut self, spliced: bool) {
        if !spliced {
            self.out.push('}');
        }
    }

    fn name(&mut self, name: &str) {
        // only an opening brace ends in one: no value does
        if !self.out.ends_with('{') {
            self.out.push(',');
        }
        self.text(name);
        self.out.push(':');
    }
}
