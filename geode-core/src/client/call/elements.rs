//! The elements of a list in a streamed answer.

use std::marker::PhantomData;

use super::AnswerStream;
use crate::json::stream::Place;
use crate::json::{ReadOptions, Reader};
use crate::output::StructuredOutput;
use crate::report::Report;

/// The elements of a list in a streamed answer: see [`AnswerStream::elements`].
pub struct Elements<'s, T, Cx, E> {
    stream: &'s mut AnswerStream<T, Cx>,
    pointer: String,
    place: Place,
    element: PhantomData<fn() -> E>,
}

impl<'s, T, Cx, E> Elements<'s, T, Cx, E> {
    pub(super) fn new(stream: &'s mut AnswerStream<T, Cx>, pointer: String) -> Self {
        Elements { stream, pointer, place: Place::default(), element: PhantomData }
    }
}

impl<T, Cx: 'static, E: StructuredOutput> Elements<'_, T, Cx, E> {
    /// Waits for the next element. `None` when the answer has ended.
    ///
    /// # Errors
    ///
    /// All that is wrong with the element.
    pub async fn next(&mut self) -> Option<Result<E, Report>> {
        loop {
            let list = self.stream.preview().and_then(|root| root.get(&self.pointer));
            if let Some(text) = list.and_then(|list| self.place.advance(list)) {
                let lifts = self.stream.reached().map(|open| open.prepared.resolved.plan.lifts).unwrap_or_default();
                let options = ReadOptions { wrapped_root: false, ..lifts };
                return Some(Reader::read(text, &options).map_err(|report| self.placed(report)));
            }
            if self.stream.has_ended() {
                return None;
            }
            self.stream.advance().await;
        }
    }

    /// The report with the element's place in front of every pointer.
    fn placed(&self, mut report: Report) -> Report {
        for violation in &mut report.violations {
            violation.pointer = format!("{}/{}{}", self.pointer, self.place.passed - 1, violation.pointer);
        }
        report
    }
}

impl<T, Cx, E> std::fmt::Debug for Elements<'_, T, Cx, E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elements").field("pointer", &self.pointer).field("passed", &self.place.passed).finish()
    }
}
