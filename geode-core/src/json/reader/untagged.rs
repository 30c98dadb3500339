//! Unions that are told by their content: variants are tried in order.

use super::Reader;
use super::mark::Mark;
use super::union::Pending;
use crate::json::fault::Fault;
use crate::report::Code;
use crate::shape::Union;

impl Reader<'_> {
    /// Tries the variants in order, all of those with a tag at once; the first that accepts is taken.
    pub(super) fn untagged<T>(
        &mut self,
        union: &'static Union,
        tagged: bool,
        variant: &mut impl FnMut(&mut Self, usize) -> Option<T>,
    ) -> Option<T> {
        self.peek();
        let mark = self.mark();
        let mut nearest: Option<Vec<(usize, Fault)>> = None;
        let alone = union.variants.iter().enumerate().filter(|(_, variant)| !tagged || variant.untagged);
        for attempt in tagged.then_some(None).into_iter().chain(alone.map(|(index, _)| Some(index))) {
            let value = match attempt {
                None => self.tagged(union, variant),
                Some(index) => variant(self, index),
            };
            if self.halted {
                return None;
            }
            if value.is_some() && self.count() == mark.count {
                return value;
            }
            let faults = self.rewind(&mark);
            if nearest.as_ref().is_none_or(|nearest| faults.len() < nearest.len()) {
                nearest = Some(faults);
            }
        }
        self.no_variant(&mark, nearest.unwrap_or_default());
        None
    }

    /// Records that no variant accepts, and why the nearest doesn't, where it at least takes a value of this type.
    #[cold]
    fn no_variant(&mut self, mark: &Mark, nearest: Vec<(usize, Fault)>) {
        let start = match mark.pending {
            Pending::Body { start, .. } => start,
            _ => mark.at,
        };
        self.record(start, Fault::Plain(Code::NoVariant, "a value that one of the variants accepts"));
        let near = !nearest.iter().any(|(at, fault)| *at == start && fault.code() == Code::Type);
        for (at, fault) in nearest.into_iter().filter(|_| near) {
            self.record(at, fault);
        }
        self.abandon(mark);
    }
}
