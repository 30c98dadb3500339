//! Unions that are told by their content: variants are tried in order.

use super::Reader;
use super::mark::Mark;
use crate::json::fault::Fault;
use crate::report::Code;
use crate::shape::Union;

impl Reader<'_> {
    /// Tries the variants in order, all of those with a tag at once; the first that accepts is taken. `variant` tries the
    /// one of that index, or those with a tag. Whether one accepts.
    pub(super) fn untagged(
        &mut self,
        union: &'static Union,
        tagged: bool,
        variant: &mut dyn FnMut(&mut Self, Option<usize>) -> bool,
    ) -> bool {
        self.peek();
        let mark = self.mark();
        let mut nearest: Option<(bool, Vec<(usize, Fault)>)> = None;
        let alone = union.variants.iter().enumerate().filter(|(_, variant)| !tagged || variant.untagged);
        for attempt in tagged.then_some(None).into_iter().chain(alone.map(|(index, _)| Some(index))) {
            let read = variant(self, attempt);
            if self.halted {
                return false;
            }
            if read && self.count() == mark.count {
                return true;
            }
            let faults = self.rewind(&mark);
            let apart = is_of_another_type(&faults, mark.start());
            // one that takes values of this type is nearer than any other
            if nearest.as_ref().is_none_or(|(other, nearest)| (apart, faults.len()) < (*other, nearest.len())) {
                nearest = Some((apart, faults));
            }
        }
        self.no_variant(&mark, nearest.filter(|(apart, _)| !apart).map(|(_, faults)| faults).unwrap_or_default());
        false
    }

    /// Records that no variant accepts, and why the nearest of those that take values of this type doesn't.
    #[cold]
    fn no_variant(&mut self, mark: &Mark, nearest: Vec<(usize, Fault)>) {
        self.record(mark.start(), Fault::Plain(Code::NoVariant, "a value that one of the variants accepts"));
        for (at, fault) in nearest {
            self.record(at, fault);
        }
        self.abandon(mark);
    }
}

/// Whether a variant takes no value of the type of that at `start`.
fn is_of_another_type(faults: &[(usize, Fault)], start: usize) -> bool {
    faults.iter().any(|(at, fault)| *at == start && fault.code() == Code::Type)
}
