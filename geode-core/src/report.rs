//! Violations: all that is wrong with a text, each with its place.

use serde::{Deserialize, Serialize};

/// All that is wrong with one text.
///
/// `Display` shows places, codes and expectations; what was found is shown only by [`for_model`](Self::for_model) and
/// by each violation's accessor, since it is a model's content.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub(crate) violations: Vec<Violation>,
    /// How many there were beyond those recorded.
    pub(crate) unrecorded: usize,
    /// Tolerances that were used, a phrase each.
    pub(crate) notes: Vec<Note>,
}

/// One thing that is wrong, and where.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
pub struct Violation {
    /// JSON Pointer of the value; empty for the root.
    pub(crate) pointer: String,
    /// What kind of violation it is.
    pub(crate) code: Code,
    /// What was expected, a phrase: `one of "a", "b"`, `at most 500 characters`.
    pub(crate) expected: String,
    /// What was found, cut to 80 characters. Content: never in `Display` or `Debug`.
    pub(crate) found: String,
    /// A known name close to an unknown one.
    pub(crate) suggestion: Option<String>,
    /// Byte offset in the text.
    pub(crate) offset: usize,
}

/// What kind of violation it is. The names are stable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
#[non_exhaustive]
pub enum Code {
    /// The text is no JSON.
    Syntax,
    /// More text behind the value.
    TrailingText,
    /// Deeper than the limit.
    Depth,
    /// Another type than expected.
    Type,
    /// A required property is missing.
    Missing,
    /// A property that the object doesn't have.
    UnknownProperty,
    /// A property, or a key of a map, that came twice.
    Duplicate,
    /// Not one of the values, or of the tags.
    UnknownValue,
    /// No variant of an untagged union accepts it.
    NoVariant,
    /// A number out of range.
    Range,
    /// A number that is no multiple of the step.
    MultipleOf,
    /// Text too short or too long.
    Length,
    /// Text that doesn't match the pattern.
    Pattern,
    /// Text that doesn't have the format, or that the type's own parser refuses.
    Format,
    /// A list too short or too long.
    Items,
    /// An element of a set that came twice.
    Unique,
    /// Not the one value allowed.
    Constant,
    /// A conversion of the type's own (`try_from`) refused it.
    Conversion,
}

/// A tolerance that was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// JSON Pointer of the value; empty for the root.
    pub pointer: String,
    /// What was tolerated, a phrase without content.
    pub message: String,
}

impl std::fmt::Debug for Report {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_list().entries(&self.violations).finish()
    }
}

impl std::fmt::Debug for Violation {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?} at {:?}: expected {}", self.code, self.pointer, self.expected)
    }
}
