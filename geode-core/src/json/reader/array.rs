//! Arrays, element by element.

use super::Reader;
use crate::json::fault::Fault;
use crate::output::StructuredOutput;
use crate::report::{Code, counted};
use crate::shape::Rules;

impl Reader<'_> {
    /// Opens an array. Where none comes, records that, skips what comes, and the result is `false`.
    #[inline(never)]
    pub fn array(&mut self) -> bool {
        self.open_array()
    }

    #[inline(always)]
    fn open_array(&mut self) -> bool {
        if self.peek() == b'[' {
            self.enter();
            self.at += usize::from(!self.halted);
            return !self.halted;
        }
        self.mismatch("an array");
        false
    }

    /// Moves to the next element and stands before it; `false` when the array has ended or the text broke. `first` is
    /// to be `true` in the first call and belongs to the reader from then on.
    #[inline]
    pub fn element(&mut self, first: &mut bool) -> bool {
        match self.peek() {
            b',' if !*first => {
                self.at += 1;
                true
            }
            b']' => {
                self.at += 1;
                self.depth -= 1;
                false
            }
            _ if *first => {
                *first = false;
                true
            }
            _ => {
                self.broken(self.at, "a comma or `]`");
                false
            }
        }
    }

    /// Reads an array of `T`s: `each` gets every acceptable element and its offset, and tells whether it can stay. `None`
    /// where the array, or one of its elements, was not acceptable.
    #[inline]
    pub fn elements<T: StructuredOutput>(&mut self, mut each: impl FnMut(&mut Self, usize, T) -> bool) -> Option<()> {
        self.each_element(|reader, rules| {
            let at = reader.offset();
            let value = match rules {
                Some(rules) if rules.unique_items => reader.checked::<T>(rules),
                _ => reader.held::<T>(rules),
            };
            value.is_some_and(|value| each(reader, at, value))
        })
    }

    /// Reads an array: `each` reads one element, holding it against the rules for elements where there are any, and
    /// tells whether it was acceptable. `None` where the array, or one of its elements, was not.
    #[inline]
    pub fn each_element(&mut self, mut each: impl FnMut(&mut Self, Option<&'static Rules>) -> bool) -> Option<()> {
        self.all_elements(&mut each)
    }

    /// The one loop for lists of all types.
    #[inline(never)]
    fn all_elements(&mut self, each: &mut dyn FnMut(&mut Self, Option<&'static Rules>) -> bool) -> Option<()> {
        let rules = self.list_rules.take();
        let at = self.offset();
        if !self.open_array() {
            return None;
        }
        let (mut first, mut count, mut whole) = (true, 0usize, true);
        let inner = rules.and_then(|rules| rules.inner);
        while self.element(&mut first) {
            count += 1;
            whole &= each(self, inner);
        }
        if self.halted {
            return None;
        }
        if whole {
            return Some(());
        }
        // the list is lost, but its length can still be judged
        if let Some(rules) = rules {
            self.check_count(count, rules, at);
        }
        None
    }

    /// Holds a list's length against its rules.
    pub(crate) fn check_count(&mut self, count: usize, rules: &Rules, at: usize) {
        if let Some(minimum) = rules.min_items
            && count < minimum
        {
            self.record(at, Fault::Told(Code::Items, counted("at least", minimum, "element")));
        }
        if let Some(maximum) = rules.max_items
            && count > maximum
        {
            self.record(at, Fault::Told(Code::Items, counted("at most", maximum, "element")));
        }
    }
}
