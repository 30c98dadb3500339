//! Business rules that types carry (`#[geode(check = path)]`): applied while their values are read, since only then is
//! every value's place known.

use std::any::{Any, type_name};

use super::Reader;
use super::union::Pending;
use crate::check::{Issue, Issues};
#[cfg(feature = "client")]
use crate::json::ReadOptions;
#[cfg(feature = "client")]
use crate::json::locate::locate;
#[cfg(feature = "client")]
use crate::output::StructuredOutput;
#[cfg(feature = "client")]
use crate::report::{Note, Report};

/// The rules of one text: what they see, and what they found so far.
pub(super) struct Business<'a> {
    context: &'a dyn Any,
    /// Each with the offset of the value that its pointer starts from.
    pub(super) issues: Vec<(usize, Issue)>,
    missing: Option<&'static str>,
}

/// A text that was read, its types' rules applied.
#[cfg(feature = "client")]
pub(crate) struct Ruled<T> {
    pub(crate) value: T,
    /// The rules that it breaks.
    pub(crate) issues: Issues,
    /// Tolerances that were used.
    pub(crate) notes: Vec<Note>,
    /// Type of a context that a rule wants and that wasn't given: the rule could not be applied.
    pub(crate) missing_context: Option<&'static str>,
}

impl<'a> Reader<'a> {
    /// Reads a whole text as a `T`, and holds it, and whatever is in it, against the rules of its types. Rules on a
    /// context see `context` if it is of the type that they want; rules on `()` need none.
    #[cfg(feature = "client")]
    pub(crate) fn read_ruled<T: StructuredOutput>(
        text: &'a str,
        options: &ReadOptions,
        context: &'a dyn Any,
    ) -> Result<Ruled<T>, Report> {
        let mut reader = Reader::new(text, *options);
        reader.business = Some(Business { context, issues: Vec::new(), missing: None });
        match (reader.whole::<T>(), reader.business.take()) {
            (Some(value), Some(business)) if reader.faults.is_empty() => {
                let starts = business.issues.iter().map(|(at, _)| (*at, String::new())).collect();
                let places = if business.issues.is_empty() { Vec::new() } else { locate(text, Vec::new(), starts).1 };
                let mut found = business.issues;
                found.sort_by_key(|(at, _)| *at);
                let issues = found.into_iter().zip(places).map(|((_, mut issue), place)| {
                    issue.pointer.insert_str(0, &place.pointer);
                    issue
                });
                Ok(Ruled {
                    value,
                    issues: issues.collect(),
                    notes: if reader.notes.is_empty() { Vec::new() } else { locate(text, Vec::new(), reader.notes).1 },
                    missing_context: business.missing,
                })
            }
            _ => Err(reader.report()),
        }
    }

    /// For generated code: reads a value of a type that carries rules, and applies them where rules are asked for.
    #[doc(hidden)]
    pub fn ruled<T, Cx: 'static>(
        &mut self,
        read: impl FnOnce(&mut Self) -> Option<T>,
        rules: fn(&T, &Cx, &mut Issues),
    ) -> Option<T> {
        let at = match self.pending {
            Pending::Body { start, .. } => start,
            _ => self.offset(),
        };
        let value = read(self)?;
        if let Some(business) = &mut self.business {
            business.apply(at, &value, rules);
        }
        Some(value)
    }
}

impl Business<'_> {
    fn apply<T, Cx: 'static>(&mut self, at: usize, value: &T, rules: fn(&T, &Cx, &mut Issues)) {
        let none: &dyn Any = &();
        let Some(context) = self.context.downcast_ref::<Cx>().or_else(|| none.downcast_ref::<Cx>()) else {
            self.missing = Some(type_name::<Cx>());
            return;
        };
        let mut issues = Issues::new();
        rules(value, context, &mut issues);
        self.issues.extend(issues.into_iter().map(|issue| (at, issue)));
    }
}
