//! Fields of the commonest types: the value and its rules in one go where both are plain. Whatever is otherwise is left to
//! the type's own function, which copes with anything.

use super::Reader;
use super::slot::put;
use crate::json::number::{plain_integer, plain_real};
use crate::output::StructuredOutput;
use crate::shape::{Field, Quick};

impl Reader<'_> {
    /// What is yet to be read.
    #[inline(always)]
    fn rest(&self) -> Option<&[u8]> {
        self.text.as_bytes().get(self.at..)
    }

    /// Reads a field's value by the type's own function, and holds it against the field's rules.
    #[inline]
    pub(crate) fn field_value<T: StructuredOutput, const RULED: bool>(&mut self, field: &'static Field) -> Option<T> {
        self.held((RULED && !matches!(field.quick(), Quick::Nothing)).then(|| field.rules()))
    }

    /// The same, out of line.
    #[cold]
    #[inline(never)]
    fn unusual_field<T: StructuredOutput, const RULED: bool>(&mut self, slot: &mut Option<T>, field: &'static Field) {
        put(slot, self.field_value::<T, RULED>(field));
    }

    /// Reads text.
    #[inline(always)]
    pub(crate) fn text_field<const RULED: bool>(&mut self, slot: &mut Option<String>, field: &'static Field) {
        let at = self.at;
        if self.text.as_bytes().get(at) != Some(&b'"') {
            return self.unusual_field::<_, RULED>(slot, field);
        }
        let Some(text) = self.owned() else { return };
        match *field.quick() {
            _ if !RULED => {}
            Quick::Nothing => {}
            Quick::Text { least, most } if least <= text.len() && text.len() <= most => {}
            Quick::Text { least, most } if is_within(&text, least, most) => {}
            _ => self.hold(&text, field.rules(), at),
        }
        put(slot, Some(text));
    }

    /// Reads a number.
    #[inline(always)]
    pub(crate) fn real_field<const RULED: bool>(&mut self, slot: &mut Option<f64>, field: &'static Field) {
        if let Some((value, length)) = self.rest().and_then(plain_real)
            && match *field.quick() {
                _ if !RULED => true,
                Quick::Nothing => true,
                Quick::Real { least, most } => least <= value && value <= most,
                _ => false,
            }
        {
            self.at += length;
            return put(slot, Some(value));
        }
        self.unusual_field::<_, RULED>(slot, field);
    }

    /// Reads an integer.
    #[inline(always)]
    pub(crate) fn integer_field<T: StructuredOutput + TryFrom<i64>, const RULED: bool>(
        &mut self,
        slot: &mut Option<T>,
        field: &'static Field,
    ) {
        if let Some((value, length)) = self.rest().and_then(plain_integer)
            && match *field.quick() {
                _ if !RULED => true,
                Quick::Nothing => true,
                Quick::Integer { least, most } => least <= value && value <= most,
                _ => false,
            }
            && let Ok(value) = T::try_from(value)
        {
            self.at += length;
            return put(slot, Some(value));
        }
        self.unusual_field::<_, RULED>(slot, field);
    }

    /// Reads `true` or `false`.
    #[inline(always)]
    pub(crate) fn boolean_field<const RULED: bool>(&mut self, slot: &mut Option<bool>, field: &'static Field) {
        let value = match self.rest() {
            Some([b't', b'r', b'u', b'e', ..]) => true,
            Some([b'f', b'a', b'l', b's', b'e', ..]) => false,
            _ => return self.unusual_field::<_, RULED>(slot, field),
        };
        if RULED && !matches!(field.quick(), Quick::Nothing) {
            return self.unusual_field::<_, RULED>(slot, field);
        }
        self.at += if value { 4 } else { 5 };
        put(slot, Some(value));
    }

    /// Reads a value or `null`.
    #[inline(always)]
    pub(crate) fn nullable_field<T: StructuredOutput, const RULED: bool>(
        &mut self,
        slot: &mut Option<Option<T>>,
        field: &'static Field,
    ) {
        if self.rest().is_some_and(|rest| rest.starts_with(b"null")) {
            self.at += 4;
            return put(slot, Some(None));
        }
        let mut value = None;
        T::read_field::<RULED>(&mut value, self, field);
        if value.is_some() {
            put(slot, Some(value));
        }
    }
}

/// Whether text keeps bounds that are as [`Quick::Text`] has them, for text of one byte a character.
#[inline(never)]
fn is_within(text: &str, least: usize, most: usize) -> bool {
    least.div_ceil(4) <= text.len() && text.len() <= most && text.is_ascii()
}
