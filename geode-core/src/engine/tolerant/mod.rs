//! From an answer's text to the JSON in it.
//!
//! Text is taken whole. What stands around the JSON is tolerated by name only, each tolerance used is noted, and where
//! two candidates stand none is taken. No regular expression on braces: the scan knows strings and escapes.

mod mend;

pub(crate) use mend::read_in;

use crate::report::{Code, Note, Report, Violation};

#[cfg(test)]
mod tests;

/// How much may stand around the JSON of an answer, and what in it is mended. Each step allows what those before it do.
///
/// The default of a call is [`Strict`](Reading::Strict) where the provider holds the model to the schema, and
/// [`Fenced`](Reading::Fenced) where it does not. Each tolerance that is used stands in the account's notes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Reading {
    /// The text is the JSON, but for a byte order mark in front and whitespace around it.
    Strict,
    /// It may also stand in one fenced block, or behind leading `<think>…</think>`. A fence that the end of the text
    /// leaves open is tolerated.
    Fenced,
    /// It may also be the only JSON object amid prose.
    Prose,
    /// Two slips inside the JSON are mended, too: raw control characters in strings, and, for a Rust type, JSON text in
    /// a string (`"600"`, `"[1, 2]"`) where the schema takes no string. What was mended passes every check, or the
    /// answer is refused as it came.
    Lenient,
}

/// Finds the JSON in an answer's text.
pub(crate) fn json_in<'t>(text: &'t str, reading: Reading, notes: &mut Vec<Note>) -> Result<&'t str, Report> {
    let mut text = text;
    if let Some(behind) = text.strip_prefix('\u{feff}') {
        note(notes, "a byte order mark stood in front of the text");
        text = behind;
    }
    let json = within(text.trim_matches(is_whitespace), reading, notes)?;
    if json.starts_with('\u{feff}') {
        return Err(unreadable("one byte order mark at most, at the beginning of the text"));
    }
    Ok(json)
}

/// Finds the JSON in a text without a byte order mark and whitespace around it.
fn within<'t>(text: &'t str, reading: Reading, notes: &mut Vec<Note>) -> Result<&'t str, Report> {
    if reading == Reading::Strict {
        return Ok(text);
    }
    let text = without_reasoning(text, notes);
    if let Some(fenced) = fenced_block(text)? {
        note(notes, "the answer stood in a fenced block");
        return Ok(fenced);
    }
    // an answer that is, whole, in a string
    let in_string = reading == Reading::Lenient && text.starts_with('"');
    if reading == Reading::Fenced || in_string {
        return Ok(text);
    }
    object_in_prose(text, notes)
}

/// What RFC 8259 calls whitespace.
fn is_whitespace(c: char) -> bool {
    matches!(c, ' ' | '\t' | '\n' | '\r')
}

/// The text behind a leading block of reasoning.
fn without_reasoning<'t>(text: &'t str, notes: &mut Vec<Note>) -> &'t str {
    for (open, close) in [("<think>", "</think>"), ("<thinking>", "</thinking>")] {
        if let Some(rest) = text.strip_prefix(open)
            && let Some((_, behind)) = rest.split_once(close)
        {
            note(notes, "reasoning in front of the answer was left out");
            return behind.trim_matches(is_whitespace);
        }
    }
    text
}

/// The inside of the one fenced block that the text is. `None` where the text doesn't begin with a fence.
///
/// Only a fence at the beginning of a line closes the block, so fences inside JSON strings (whose line breaks are
/// escaped) don't.
fn fenced_block(text: &str) -> Result<Option<&str>, Report> {
    let Some(opened) = text.strip_prefix("```") else { return Ok(None) };
    let Some((_language, inside)) = opened.split_once('\n') else {
        return Err(unreadable("one JSON value in the fenced block; the block holds nothing"));
    };
    let mut start = 0;
    for line in inside.split_inclusive('\n') {
        if line.trim_start_matches([' ', '\t']).starts_with("```") {
            let (block, rest) = inside.split_at(start);
            let rest = rest.trim_start_matches([' ', '\t']).trim_start_matches('`');
            if !rest.trim_matches(is_whitespace).is_empty() {
                return Err(unreadable("one fenced block and nothing behind it"));
            }
            return Ok(Some(block.trim_matches(is_whitespace)));
        }
        start += line.len();
    }
    // Cut off behind the JSON, or a closing fence on the JSON's own line.
    let inside = inside.trim_matches(is_whitespace);
    Ok(Some(inside.strip_suffix("```").unwrap_or(inside).trim_matches(is_whitespace)))
}

/// The only JSON object amid prose.
fn object_in_prose<'t>(text: &'t str, notes: &mut Vec<Note>) -> Result<&'t str, Report> {
    let mut found: Option<&str> = None;
    let mut rest = text;
    while let Some(brace) = rest.find('{') {
        let (_, from_brace) = rest.split_at(brace);
        if !looks_like_object(from_brace) {
            rest = from_brace.get(1..).unwrap_or("");
            continue;
        }
        let Some(length) = balanced_length(from_brace) else {
            return Err(unreadable("a JSON object that is closed"));
        };
        let (object, behind) = from_brace.split_at(length);
        if found.is_some() {
            return Err(unreadable("exactly one JSON object; there are several"));
        }
        found = Some(object);
        rest = behind;
    }
    let Some(object) = found else {
        return Err(unreadable("a JSON object; there is none in the text"));
    };
    if object.len() != text.len() {
        note(notes, "the answer stood amid other text");
    }
    Ok(object)
}

/// Whether an opening brace begins a JSON object rather than a placeholder such as `{name}`.
fn looks_like_object(from_brace: &str) -> bool {
    let inside = from_brace.strip_prefix('{').unwrap_or_default();
    inside.trim_start_matches(is_whitespace).starts_with(['"', '}'])
}

/// Length of the object that the text begins with, strings and escapes heeded; `None` where it never closes.
fn balanced_length(text: &str) -> Option<usize> {
    let (mut depth, mut in_string, mut escaped) = (0usize, false, false);
    for (at, byte) in text.bytes().enumerate() {
        if in_string {
            match byte {
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b'"' => in_string = false,
                _ => {}
            }
            continue;
        }
        match byte {
            b'"' => in_string = true,
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return Some(at + 1);
                }
            }
            _ => {}
        }
    }
    None
}

fn note(notes: &mut Vec<Note>, message: &str) {
    notes.push(Note { pointer: String::new(), message: message.to_owned() });
}

/// A report that says that there is no one JSON text to read.
fn unreadable(expected: &str) -> Report {
    Report {
        violations: vec![Violation {
            pointer: String::new(),
            code: Code::Syntax,
            expected: expected.to_owned().into(),
            found: "".into(),
            suggestion: None,
            offset: 0,
        }],
        unrecorded: 0,
        notes: Vec::new(),
    }
}
