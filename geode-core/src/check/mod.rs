//! Business rules: what must hold for a value beyond its schema.
//!
//! A rule is a function that sees the value and a context of the caller's (which document ids exist, say) and reports
//! every issue that it finds, each with a JSON Pointer:
//!
//! ```
//! use geode_core::check::Issues;
//!
//! struct Answer { confidence: f64, source: String }
//! struct Documents { ids: Vec<String> }
//!
//! fn check(answer: &Answer, documents: &Documents, issues: &mut Issues) {
//!     issues.require(answer.confidence >= 0.5, "/confidence", "low_confidence", "needs a person's review");
//!     issues.require(documents.ids.contains(&answer.source), "/source", "unknown_citation", "no such document");
//! }
//!
//! let mut issues = Issues::new();
//! check(&Answer { confidence: 0.9, source: "d7".into() }, &Documents { ids: vec!["d1".into()] }, &mut issues);
//! assert_eq!(issues.iter().map(|issue| issue.pointer.as_str()).collect::<Vec<_>>(), ["/source"]);
//! ```
//!
//! The same function serves a type (`#[geode(check = path)]`: it then holds wherever a value of the type is read, inside
//! other types too) and a single call (`.check(path)`).

#[cfg(feature = "garde")]
mod garde;
#[cfg(feature = "validator")]
mod validator;

#[cfg(feature = "garde")]
pub use garde::garde;
#[cfg(feature = "validator")]
pub use validator::validator;

use serde::{Deserialize, Serialize};

/// A business rule that a value breaks.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Issue {
    /// JSON Pointer of the value at fault; empty for the whole.
    pub pointer: String,
    /// A stable name for the rule.
    pub code: String,
    /// What is wrong, for a person. May quote the value: not in `Debug`.
    pub message: String,
}

impl std::fmt::Debug for Issue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Issue").field("pointer", &self.pointer).field("code", &self.code).finish_non_exhaustive()
    }
}

/// Its code and its place. The message may quote the value, and is not shown.
impl std::fmt::Display for Issue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let place = if self.pointer.is_empty() { "the whole value" } else { &self.pointer };
        write!(f, "{place}: the business rule `{}` is broken", self.code)
    }
}

impl std::error::Error for Issue {}

/// The issues found so far. Rules add to it; none of them stops at the first.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Issues {
    found: Vec<Issue>,
}

impl Issues {
    /// No issue.
    pub const fn new() -> Self {
        Issues { found: Vec::new() }
    }

    /// Reports an issue. `pointer` is relative to the value that the rule was given; empty for the whole of it.
    pub fn add(&mut self, pointer: impl Into<String>, code: impl Into<String>, message: impl Into<String>) {
        self.found.push(Issue { pointer: pointer.into(), code: code.into(), message: message.into() });
    }

    /// Reports an issue unless the condition holds.
    pub fn require(
        &mut self,
        holds: bool,
        pointer: impl Into<String>,
        code: impl Into<String>,
        message: impl Into<String>,
    ) {
        if !holds {
            self.add(pointer, code, message);
        }
    }

    /// Runs rules on a part of the value: their pointers are put behind `prefix` (`/citations/3`).
    pub fn within(&mut self, prefix: &str, rules: impl FnOnce(&mut Issues)) {
        let first = self.found.len();
        rules(self);
        for issue in self.found.iter_mut().skip(first) {
            issue.pointer.insert_str(0, prefix);
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty()
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.found.len()
    }

    /// The issues in the order they were found.
    pub fn iter(&self) -> std::slice::Iter<'_, Issue> {
        self.found.iter()
    }

    /// The issues as a list.
    pub fn into_vec(self) -> Vec<Issue> {
        self.found
    }
}

impl Extend<Issue> for Issues {
    fn extend<I: IntoIterator<Item = Issue>>(&mut self, issues: I) {
        self.found.extend(issues);
    }
}

impl FromIterator<Issue> for Issues {
    fn from_iter<I: IntoIterator<Item = Issue>>(issues: I) -> Self {
        Issues { found: issues.into_iter().collect() }
    }
}

impl<'a> IntoIterator for &'a Issues {
    type Item = &'a Issue;
    type IntoIter = std::slice::Iter<'a, Issue>;
    fn into_iter(self) -> Self::IntoIter {
        self.found.iter()
    }
}

impl IntoIterator for Issues {
    type Item = Issue;
    type IntoIter = std::vec::IntoIter<Issue>;
    fn into_iter(self) -> Self::IntoIter {
        self.found.into_iter()
    }
}
