//! Violations: all that is wrong with a text, each with its place.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::fmt;

#[cfg(test)]
mod tests;

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
    pub(crate) expected: Cow<'static, str>,
    /// What was found, cut to 80 characters. Content: never in `Display` or `Debug`.
    pub(crate) found: Cow<'static, str>,
    /// A known name close to an unknown one.
    pub(crate) suggestion: Option<Cow<'static, str>>,
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

impl Code {
    /// The stable name, for logs and metrics: `unknown_property`.
    pub const fn name(self) -> &'static str {
        match self {
            Code::Syntax => "syntax",
            Code::TrailingText => "trailing_text",
            Code::Depth => "depth",
            Code::Type => "type",
            Code::Missing => "missing",
            Code::UnknownProperty => "unknown_property",
            Code::Duplicate => "duplicate",
            Code::UnknownValue => "unknown_value",
            Code::NoVariant => "no_variant",
            Code::Range => "range",
            Code::MultipleOf => "multiple_of",
            Code::Length => "length",
            Code::Pattern => "pattern",
            Code::Format => "format",
            Code::Items => "items",
            Code::Unique => "unique",
            Code::Constant => "constant",
            Code::Conversion => "conversion",
        }
    }

    /// What is wrong, a phrase.
    const fn complaint(self) -> &'static str {
        match self {
            Code::Syntax => "this is not JSON",
            Code::TrailingText => "text follows the value",
            Code::Depth => "nested too deeply",
            Code::Type => "wrong type",
            Code::Missing => "missing property",
            Code::UnknownProperty => "unknown property",
            Code::Duplicate => "came before",
            Code::UnknownValue => "unknown value",
            Code::NoVariant => "fits no variant",
            Code::Range => "out of range",
            Code::MultipleOf => "not a multiple",
            Code::Length => "wrong length",
            Code::Pattern => "does not match",
            Code::Format => "wrong format",
            Code::Items => "wrong number of elements",
            Code::Unique => "repeated element",
            Code::Constant => "not the value allowed",
            Code::Conversion => "refused",
        }
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A tolerance that was used.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Note {
    /// JSON Pointer of the value; empty for the root.
    pub pointer: String,
    /// What was tolerated, a phrase without content.
    pub message: String,
}

impl From<Violation> for Report {
    fn from(violation: Violation) -> Self {
        Report { violations: vec![violation], unrecorded: 0, notes: Vec::new() }
    }
}

impl Report {
    /// A report on bytes that are no text.
    pub(crate) fn not_utf8(offset: usize) -> Self {
        let violation = Violation {
            pointer: String::new(),
            code: Code::Syntax,
            expected: Cow::Borrowed("UTF-8"),
            found: Cow::Borrowed("other bytes"),
            suggestion: None,
            offset,
        };
        Report::from(violation)
    }

    /// The violations, in the order of the text. Never empty.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// How many violations there were, those beyond the limit included.
    pub fn count(&self) -> usize {
        self.violations.len() + self.unrecorded
    }

    /// Tolerances that were used in reading what could be read.
    pub fn notes(&self) -> &[Note] {
        &self.notes
    }

    /// Whether the text itself is broken: no JSON, or nested too deeply.
    pub fn is_broken_text(&self) -> bool {
        self.violations.iter().any(|violation| matches!(violation.code, Code::Syntax | Code::Depth))
    }

    /// The report in words for the model that wrote the text: a line a violation, with a bounded excerpt of what was
    /// found.
    ///
    /// It states what is wrong and nothing else. Advice on how to satisfy a rule invites made-up values.
    pub fn for_model(&self) -> String {
        let mut lines = String::from("The answer does not fit the schema:\n");
        for violation in &self.violations {
            lines.push_str("- ");
            violation.line(&mut lines);
            for piece in ["; found: ", &violation.found, "\n"] {
                lines.push_str(piece);
            }
        }
        if self.unrecorded > 0 {
            lines.push_str(&format!("- and {} more\n", self.unrecorded));
        }
        lines
    }
}

impl Violation {
    /// JSON Pointer of the value (RFC 6901), empty for the root. For a missing property it is where the property should
    /// stand.
    pub fn pointer(&self) -> &str {
        &self.pointer
    }

    /// What kind of violation it is.
    pub fn code(&self) -> Code {
        self.code
    }

    /// What was expected, a phrase. Holds nothing of what was found.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// What was found, cut to 80 characters. It is content: don't log it.
    pub fn found(&self) -> &str {
        &self.found
    }

    /// A declared name that is close to the unknown one.
    pub fn suggestion(&self) -> Option<&str> {
        self.suggestion.as_deref()
    }

    /// Byte offset of the value in the text.
    pub fn offset(&self) -> usize {
        self.offset
    }
}

/// One line a violation, without content: fit for a log.
impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // put together first: the formatter's own text would grow with each of some fifty pieces
        let mut lines = String::with_capacity(96 * self.violations.len());
        for (index, violation) in self.violations.iter().enumerate() {
            if index > 0 {
                lines.push('\n');
            }
            violation.line(&mut lines);
        }
        f.write_str(&lines)?;
        if self.unrecorded > 0 {
            write!(f, "\nand {} more", self.unrecorded)?;
        }
        Ok(())
    }
}

/// `/limt: unknown property, expected only the properties that the object has; did you mean "limit"?`
impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut line = String::new();
        self.line(&mut line);
        f.write_str(&line)
    }
}

impl Violation {
    /// Adds it to some lines, in words.
    fn line(&self, lines: &mut String) {
        let place = if self.pointer.is_empty() { "the whole value" } else { &self.pointer };
        for piece in [place, ": ", self.code.complaint(), ", expected ", &self.expected] {
            lines.push_str(piece);
        }
        if let Some(suggestion) = &self.suggestion {
            lines.push_str("; did you mean ");
            quote(suggestion, lines);
            lines.push('?');
        }
    }
}

/// `at most 500 characters`, `at least 1 element`.
pub(crate) fn counted(relation: &str, count: usize, noun: &str) -> String {
    let ending = if count == 1 { "" } else { "s" };
    [relation, " ", itoa::Buffer::new().format(count), " ", noun, ending].concat()
}

/// Adds a name in quotation marks, as `{:?}` writes it.
pub(crate) fn quote(name: &str, phrase: &mut String) {
    if name.bytes().all(|byte| matches!(byte, b' '..=b'~') && byte != b'"' && byte != b'\\') {
        phrase.push('"');
        phrase.push_str(name);
        phrase.push('"');
    } else {
        phrase.push_str(&format!("{name:?}"));
    }
}

impl std::error::Error for Report {}

impl fmt::Debug for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.violations).finish()
    }
}

impl fmt::Debug for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?} at {:?}: expected {}", self.code, self.pointer, self.expected)
    }
}
