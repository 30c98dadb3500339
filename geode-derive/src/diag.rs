//! Collects every mistake of one derive, so that one compile shows them all.

use std::cell::RefCell;
use std::fmt::Display;

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

/// Collects errors, each at its place.
#[derive(Default)]
pub(crate) struct Sink {
    errors: RefCell<Vec<syn::Error>>,
}

impl Sink {
    /// Records a mistake: what is wrong, and what to write instead.
    pub(crate) fn error(&self, span: Span, message: impl Display) {
        self.push(syn::Error::new(span, message));
    }

    /// Records a mistake in all of these tokens.
    pub(crate) fn error_in(&self, tokens: impl ToTokens, message: impl Display) {
        self.push(syn::Error::new_spanned(tokens, message));
    }

    /// Records a mistake that the grammar found.
    pub(crate) fn push(&self, error: syn::Error) {
        self.errors.borrow_mut().push(error);
    }

    /// Whether there is no mistake yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.errors.borrow().is_empty()
    }

    /// The value, or a recorded mistake.
    pub(crate) fn keep<T>(&self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// All mistakes as `compile_error!` calls; `None` where there is none.
    pub(crate) fn finish(self) -> Option<TokenStream> {
        let errors = self.errors.into_inner();
        (!errors.is_empty()).then(|| errors.iter().map(syn::Error::to_compile_error).collect())
    }
}

/// The known word closest to an unknown one, where one is close enough to be meant.
pub(crate) fn nearest<'a>(word: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    known
        .map(|candidate| (distance(word, candidate), candidate))
        .min()
        .and_then(|(distance, candidate)| (distance * 3 <= word.len().max(candidate.len()) + 1).then_some(candidate))
}

/// Edits between two words: insertions, deletions, replacements, swaps of neighbours.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut left = i + 1;
        let mut row = vec![left];
        for (j, (y, [corner, above])) in b.iter().zip(last.array_windows()).enumerate() {
            left = (corner + usize::from(x != y)).min(above + 1).min(left + 1);
            if i > 0
                && j > 0
                && a.get(i - 1) == Some(y)
                && b.get(j - 1) == Some(x)
                && let Some(swapped) = before.get(j - 1)
            {
                left = left.min(swapped + 1);
            }
            row.push(left);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
}
