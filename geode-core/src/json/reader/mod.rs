//! The strict reader that generated parsers drive.
//!
//! It reads one JSON text from front to back, tries the next declared property first (providers answer in schema
//! order), and goes on after a violation so that one pass finds them all. Positions are recorded as byte offsets; JSON
//! Pointers are made from them only when there is a violation.
//!
//! Once the text itself is broken, the reader stands at its end for good. Every read then fails without a further
//! word, so nothing on the fast path has to ask whether the text is still whole.

mod ahead;
mod array;
mod business;
mod choice;
mod field;
mod fill;
#[cfg(feature = "schemars")]
mod foreign;
mod line;
mod mark;
mod object;
mod order;
mod record;
mod rules;
mod scalar;
mod skip;
mod slot;
mod string;
mod union;
mod untagged;
mod view;

#[cfg(test)]
mod tests;

use super::fault::Fault;
use super::locate::locate;
use super::options::ReadOptions;
use super::scan::skip_white;
use crate::output::StructuredOutput;
use crate::report::{Code, Note, Report};
use crate::shape::{Edge, Field, Rules, Shape};

#[cfg(feature = "client")]
pub(crate) use business::Ruled;
pub use line::Line;
pub use object::{DONE, Fields};
pub(crate) use slot::put;
pub use slot::{By, Distinct, Place, Settle, Slot, Version, Via};
pub(crate) use string::unescape;

use business::Business;
use order::Orders;
use union::Pending;
use view::View;

/// Reads one JSON text.
#[expect(missing_debug_implementations, reason = "made and used up within one call")]
pub struct Reader<'a> {
    text: &'a str,
    at: usize,
    depth: usize,
    /// What the next body of a union's variant, or the next part of a flattened object, goes on from.
    pending: Pending,
    /// Rules for the list that is read next, which hold for its elements.
    list_rules: Option<&'static Rules>,
    options: ReadOptions,
    /// Whether the text broke. The reader then stands at its end.
    halted: bool,
    faults: Vec<(usize, Fault)>,
    /// How many faults there were beyond those recorded.
    unrecorded: usize,
    notes: Vec<(usize, String)>,
    /// What is to be seen of objects that are read more than once.
    views: Vec<View>,
    /// Bit sets of objects with more than 64 properties.
    wide: Vec<u64>,
    /// The order in which properties came, where it was not the declared one.
    orders: Orders,
    /// Rules of the types that are read, where they are to be applied.
    business: Option<Business<'a>>,
}

static WRAPPER: [Field; 1] = [Field::new("value", Edge::Eager(&Shape::Boolean))];

impl<'a> Reader<'a> {
    /// Reads a whole text as a `T`.
    ///
    /// # Errors
    ///
    /// All violations, where there is one.
    pub fn read<T: StructuredOutput>(text: &'a str, options: &ReadOptions) -> Result<T, Report> {
        let mut reader = Reader::new(text, *options);
        match reader.whole::<T>() {
            Some(value) if reader.faults.is_empty() => Ok(value),
            _ => Err(reader.report()),
        }
    }

    /// Reads a whole text as a `T`, and tells which tolerances were used.
    ///
    /// # Errors
    ///
    /// All violations, where there is one.
    pub fn read_noted<T: StructuredOutput>(text: &'a str, options: &ReadOptions) -> Result<(T, Vec<Note>), Report> {
        let mut reader = Reader::new(text, *options);
        match reader.whole::<T>() {
            Some(value) if reader.faults.is_empty() => Ok((value, locate(text, Vec::new(), reader.notes).1)),
            _ => Err(reader.report()),
        }
    }

    fn new(text: &'a str, mut options: ReadOptions) -> Self {
        options.max_depth = options.max_depth.min(ReadOptions::MAX_DEPTH);
        options.max_violations = options.max_violations.max(1);
        Reader {
            text,
            at: 0,
            depth: 0,
            pending: Pending::Nothing,
            list_rules: None,
            options,
            halted: false,
            faults: Vec::new(),
            unrecorded: 0,
            notes: Vec::new(),
            views: Vec::new(),
            wide: Vec::new(),
            orders: Orders::NONE,
            business: None,
        }
    }

    fn whole<T: StructuredOutput>(&mut self) -> Option<T> {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
            self.note(0, "a byte order mark stands in front of the text");
        }
        let value = if self.options.wrapped_root { self.wrapped::<T>() } else { T::read(self) };
        self.end();
        value
    }

    fn wrapped<T: StructuredOutput>(&mut self) -> Option<T> {
        let mut fields = self.object(&WRAPPER);
        let mut value = None;
        while self.field(&mut fields) != DONE {
            value = T::read(self);
        }
        value
    }

    #[inline(never)]
    fn end(&mut self) {
        if self.peek() != 0 || self.at < self.text.len() {
            self.record(self.at, Fault::Plain(Code::TrailingText, "nothing behind the value"));
        }
    }

    #[cold]
    fn report(self) -> Report {
        let mut faults = self.faults;
        if faults.is_empty() {
            // an implementation of the trait that gave up in silence: say at least that
            faults.push((0, Fault::Plain(Code::Type, "another value")));
        }
        let (violations, notes) = locate(self.text, faults, self.notes);
        Report { violations, unrecorded: self.unrecorded, notes }
    }

    /// The first byte of what comes next, behind white space; 0 at the end of the text.
    #[inline(always)]
    fn peek(&mut self) -> u8 {
        match self.text.as_bytes().get(self.at) {
            Some(&byte) if byte > b' ' => byte,
            Some(_) => self.peek_behind_white(),
            None => 0,
        }
    }

    #[inline(never)]
    fn peek_behind_white(&mut self) -> u8 {
        self.at = skip_white(self.text.as_bytes(), self.at);
        self.text.as_bytes().get(self.at).copied().unwrap_or(0)
    }

    /// Offset of the value that comes next: what [`refuse`](Self::refuse) wants to be told afterwards.
    #[inline]
    pub fn offset(&mut self) -> usize {
        self.peek();
        self.at
    }

    /// Goes one level deeper. Beyond the limit the text counts as broken.
    #[inline(always)]
    fn enter(&mut self) {
        self.depth += 1;
        if self.depth > self.options.max_depth {
            self.too_deep();
        }
    }

    /// Steps over `literal` where it comes next.
    #[inline(always)]
    fn literal(&mut self, literal: &[u8]) -> bool {
        let found = self.text.as_bytes().get(self.at..).is_some_and(|rest| rest.starts_with(literal));
        if found {
            self.at += literal.len();
        }
        found
    }
}
