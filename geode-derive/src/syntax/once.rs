//! Words that are given once.

use syn::{Path, Type, WherePredicate};

use super::attr::Default;
use super::meta::{Meta, Spanned};
use crate::case::Case;
use crate::diag::Sink;

/// Sets a value once. The same again is no mistake (serde and schemars often say it both); another one is.
pub(super) fn set<T: Same>(slot: &mut Option<Spanned<T>>, value: Option<Spanned<T>>, meta: &Meta, sink: &Sink) {
    match (slot.as_ref(), value) {
        (None, value) => *slot = value,
        (Some(earlier), Some(later)) if !earlier.value.same(&later.value) => {
            let name = &meta.name;
            sink.error(later.span, format!("`{name}` is given twice, with different values\nhelp: keep one"));
        }
        _ => {}
    }
}

/// Whether two attribute values say the same.
pub(super) trait Same {
    fn same(&self, other: &Self) -> bool;
}

impl Same for Path {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl Same for Vec<WherePredicate> {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl Same for String {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl Same for Case {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl Same for Type {
    fn same(&self, other: &Self) -> bool {
        self == other
    }
}

impl Same for Default {
    fn same(&self, _: &Self) -> bool {
        // serde's function and schemars' mention of it say the same.
        true
    }
}
