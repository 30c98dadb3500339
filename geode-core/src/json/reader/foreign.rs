//! Values that are read whole, to be held against a schema that others made.

use super::Reader;
use crate::json::ReadOptions;
use crate::json::fault::Fault;
use crate::report::{Code, Violation};

impl<'a> Reader<'a> {
    /// Steps over one value of any kind and returns its text.
    pub(crate) fn document(&mut self) -> Option<&'a str> {
        let at = self.offset();
        self.skip();
        if self.halted { None } else { self.text.get(at..self.at) }
    }

    /// Records what is wrong within the value at offset `at`; the violation's pointer starts there.
    pub(crate) fn violated(&mut self, at: usize, violation: Violation) {
        self.record(at, Fault::Within(Box::new(violation)));
    }

    /// Records that the type of the value at offset `at` has no wire form.
    pub(crate) fn unfit(&mut self, at: usize, reason: &str) {
        self.record(
            at,
            Fault::Told(Code::Conversion, format!("a type that has a wire form, and this has none: {reason}")),
        );
    }

    /// Notes a tolerance that was used within the value at offset `at`.
    pub(crate) fn tolerate(&mut self, at: usize, message: &'static str) {
        self.note(at, message);
    }

    /// How the text is to be read.
    pub(crate) fn options(&self) -> &ReadOptions {
        &self.options
    }
}
