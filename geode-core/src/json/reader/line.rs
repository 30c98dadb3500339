//! Objects of hot types: generated code reads their properties one after the other, in a straight line, for as long as
//! each comes in its turn. From where one doesn't, the shared loop reads on, so that there is one meaning.

use super::Reader;
use super::object::NOWHERE;
use super::slot::Slot;
use crate::json::scan::skip_white;
use crate::shape::Field;

/// How far the straight line has got through an object. For generated code.
#[doc(hidden)]
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct Line {
    /// Offset of the opening brace; [`NOWHERE`] where the object isn't one for a straight line.
    start: usize,
    /// How many properties have been read.
    read: usize,
}

impl Line {
    /// Enters the object that comes, whose properties are `fields`.
    #[inline(always)]
    pub fn enter(reader: &mut Reader<'_>, fields: &'static [Field]) -> Self {
        Line { start: reader.plain_object(fields).unwrap_or(NOWHERE), read: 0 }
    }

    /// Whether there is an object to read.
    #[inline(always)]
    pub fn entered(&self) -> bool {
        self.start != NOWHERE
    }

    /// Steps to the value of the next property if that is the one that comes. `name` is its name as JSON text has it
    /// where there is no white space, between the brace or comma before it and its colon.
    #[inline(always)]
    pub fn comes<const LENGTH: usize>(&mut self, reader: &mut Reader<'_>, name: &[u8; LENGTH]) -> bool {
        let Some(behind) = follows(reader.text.as_bytes(), reader.at, name) else { return false };
        reader.at = behind;
        self.read += 1;
        true
    }

    /// Leaves the object if it ends here and nothing was wrong.
    #[inline(always)]
    pub fn ends(&self, reader: &mut Reader<'_>) -> bool {
        let bytes = reader.text.as_bytes();
        let at = skip_white(bytes, reader.at);
        let ends = bytes.get(at) == Some(&b'}') && reader.faults.is_empty();
        if ends {
            reader.leave(at + 1);
        }
        ends
    }
}

/// Where the value starts if `name` follows, whatever white space is in it.
#[inline(always)]
fn follows<const LENGTH: usize>(bytes: &[u8], at: usize, name: &[u8; LENGTH]) -> Option<usize> {
    if bytes.get(at..)?.starts_with(name) {
        return Some(skip_white(bytes, at + LENGTH));
    }
    let (due, name) = name.split_first()?;
    let at = skip_white(bytes, at);
    if bytes.get(at) != Some(due) {
        return None;
    }
    let at = skip_white(bytes, at + 1);
    bytes.get(at..)?.starts_with(name).then(|| skip_white(bytes, at + name.len()))
}

impl Reader<'_> {
    /// Reads what a straight line left of an object, as [`fill`](Self::fill) does.
    #[doc(hidden)]
    #[cold]
    #[inline(never)]
    pub fn fill_rest(&mut self, line: Line, fields: &'static [Field], slots: &mut [&mut dyn Slot]) {
        if line.entered() {
            self.go_on(fields, slots, line.read, line.start);
            self.settle(fields, slots);
        } else {
            self.fill(fields, slots);
        }
    }
}
