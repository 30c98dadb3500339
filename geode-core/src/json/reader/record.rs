//! What is found wrong, and what was tolerated: recorded while the reading goes on.

use super::Reader;
use crate::json::fault::Fault;
use crate::report::Code;

impl Reader<'_> {
    /// Records that the value at offset `at` is refused: `expected` completes the sentence "expected …", and holds
    /// nothing of what was found.
    #[cold]
    #[inline(never)]
    pub fn refuse(&mut self, at: usize, code: Code, expected: impl Into<String>) {
        self.record(at, Fault::Told(code, expected.into()));
    }

    /// Passes on what a conversion made of the value at offset `at`, and records its refusal as one of the type `name`.
    /// The error's text counts as content.
    #[inline]
    pub fn converted<T, E: std::fmt::Display>(
        &mut self,
        at: usize,
        name: &'static str,
        conversion: Result<T, E>,
    ) -> Option<T> {
        self.passed(at, Code::Conversion, name, conversion)
    }

    /// Passes on what the parser of the type `name` made of the text at offset `at`, as [`converted`](Self::converted)
    /// does.
    #[inline]
    pub fn parsed<T, E: std::fmt::Display>(
        &mut self,
        at: usize,
        name: &'static str,
        parsed: Result<T, E>,
    ) -> Option<T> {
        self.passed(at, Code::Format, name, parsed)
    }

    fn passed<T, E: std::fmt::Display>(
        &mut self,
        at: usize,
        code: Code,
        name: &'static str,
        result: Result<T, E>,
    ) -> Option<T> {
        result.map_err(|error| self.record(at, Fault::Refused(code, name, error.to_string()))).ok()
    }

    /// Records a fault. Those behind the limit, and whatever comes after the text broke, are not kept.
    #[cold]
    #[inline(never)]
    pub(super) fn record(&mut self, at: usize, fault: Fault) {
        if self.halted {
            return;
        }
        if self.faults.len() < self.options.max_violations {
            if self.faults.capacity() == 0 {
                // where there is one, there are often more
                self.faults.reserve(16);
            }
            self.faults.push((at, fault));
        } else {
            self.unrecorded += 1;
        }
    }

    /// How many faults there were so far.
    pub(super) fn count(&self) -> usize {
        self.faults.len() + self.unrecorded
    }

    #[cold]
    #[inline(never)]
    pub(super) fn note(&mut self, at: usize, message: impl Into<String>) {
        if self.notes.len() < self.options.max_violations {
            self.notes.push((at, message.into()));
        }
    }

    /// Records that the text is no JSON from offset `at` on, and stops. Being the last word, it is always kept.
    #[cold]
    #[inline(never)]
    pub(super) fn broken(&mut self, at: usize, expected: &'static str) {
        self.halt(at, Fault::Plain(Code::Syntax, expected));
    }

    #[cold]
    pub(super) fn halt(&mut self, at: usize, fault: Fault) {
        if !self.halted {
            self.faults.push((at, fault));
            self.halted = true;
            self.at = self.text.len();
        }
    }

    /// Records that what comes is of another type, and skips it.
    #[cold]
    #[inline(never)]
    pub(super) fn mismatch(&mut self, expected: &'static str) {
        match self.peek() {
            b'"' | b'{' | b'[' | b't' | b'f' | b'n' | b'-' | b'0'..=b'9' => {
                self.record(self.at, Fault::Plain(Code::Type, expected));
                self.skip();
            }
            _ => self.broken(self.at, "a JSON value"),
        }
    }

    #[cold]
    #[inline(never)]
    pub(super) fn too_deep(&mut self) {
        let expected = format!("at most {} levels of nesting", self.options.max_depth);
        self.halt(self.at, Fault::Told(Code::Depth, expected));
    }
}
