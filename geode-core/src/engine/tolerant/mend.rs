//! Two slips that [`Reading::Lenient`] mends: raw control characters inside strings, and JSON text in a string where
//! the schema takes no string.
//!
//! The first reading is the strict one, and its report says where a string stands that can't be one: nothing else is
//! touched. What was mended is read, and checked, as strictly as anything else.

use super::{Reading, note};
use crate::json::held_json;
use crate::report::{Code, Note, Report};

/// Reads a text. Where that fails and the reading allows it, reads it once more with the slips mended, and notes them;
/// where that fails too, the report is the one on the text as it came.
pub(crate) fn read_in<R>(
    json: &str,
    reading: Reading,
    notes: &mut Vec<Note>,
    read: impl Fn(&str) -> Result<R, Report>,
) -> Result<R, Report> {
    let report = match read(json) {
        Err(report) if reading == Reading::Lenient => report,
        done => return done,
    };
    let mut used = Vec::new();
    let mended = match escaped(json) {
        None => unwrapped(json, &report, &mut used).and_then(|text| read(&text).ok()),
        Some(text) => {
            note(&mut used, "raw control characters inside strings were taken as if escaped");
            match read(&text) {
                Ok(value) => Some(value),
                Err(report) => unwrapped(&text, &report, &mut used).and_then(|text| read(&text).ok()),
            }
        }
    };
    let value = mended.ok_or(report)?;
    notes.append(&mut used);
    Ok(value)
}

/// The text with control characters inside strings escaped. `None` where there are none.
fn escaped(json: &str) -> Option<String> {
    let (mut in_string, mut after_backslash, mut found) = (false, false, false);
    let mut text = String::with_capacity(json.len());
    for character in json.chars() {
        if in_string && character < ' ' && !after_backslash {
            found = true;
            text.push_str(&format!("\\u{:04x}", u32::from(character)));
            continue;
        }
        in_string = if in_string { after_backslash || character != '"' } else { character == '"' };
        after_backslash = in_string && !after_backslash && character == '\\';
        text.push(character);
    }
    found.then_some(text)
}

/// The text with JSON taken out of the strings that are of the wrong type. `None` where no such string holds any.
fn unwrapped(json: &str, report: &Report, notes: &mut Vec<Note>) -> Option<String> {
    let mut text = String::with_capacity(json.len());
    let mut done = 0;
    for violation in report.violations.iter().filter(|violation| violation.code == Code::Type) {
        let Some((length, inside)) = json.get(violation.offset..).and_then(held_json) else { continue };
        let Some(before) = json.get(done..violation.offset) else { continue };
        text.push_str(before);
        text.push_str(&inside);
        done = violation.offset + length;
        let message = "JSON text in a string was read as the value that it holds".to_owned();
        notes.push(Note { pointer: violation.pointer.clone(), message });
    }
    text.push_str(json.get(done..)?);
    (done > 0).then_some(text)
}
