//! From offsets to JSON Pointers and words: one more scan of the text, made only when there is something to report.

use std::borrow::Cow;

use super::fault::Fault;
use super::held::held_json;
use super::reader::unescape;
use super::scan::{skip_white, string_stop};
use crate::report::{Code, Note, Violation};

#[cfg(test)]
mod tests;

/// Most characters of what was found that a violation keeps.
const EXCERPT: usize = 80;

/// Gives every fault and note its place. Both come back in the order of the text.
pub(crate) fn locate(
    text: &str,
    mut faults: Vec<(usize, Fault)>,
    mut notes: Vec<(usize, String)>,
) -> (Vec<Violation>, Vec<Note>) {
    faults.sort_by_key(|(at, _)| *at);
    notes.sort_by_key(|(at, _)| *at);
    let mut walk = Walk::new(text);
    let violations = faults.into_iter().map(|(at, fault)| violation(text, at, walk.pointer(at), fault)).collect();
    let mut walk = Walk::new(text);
    let notes = notes.into_iter().map(|(at, message)| Note { pointer: walk.pointer(at), message }).collect();
    (violations, notes)
}

fn violation(text: &str, at: usize, mut pointer: String, fault: Fault) -> Violation {
    let mut suggestion = None;
    match &fault {
        Fault::Missing(name) => step(&mut pointer, name),
        Fault::Unknown(_) => {
            let name = pointer.rsplit('/').next().unwrap_or_default();
            suggestion = match name.contains('~') {
                true => fault.suggestion(&name.replace("~1", "/").replace("~0", "~")),
                false => fault.suggestion(name),
            };
        }
        Fault::Value(_) | Fault::Tag(_) => {
            let start = at + 1;
            let found = text.get(start..string_stop(text.as_bytes(), start)).unwrap_or_default();
            suggestion = fault.suggestion(found);
        }
        #[cfg(feature = "schemars")]
        Fault::Within(violation) => pointer.push_str(&violation.pointer),
        _ => {}
    }
    let code = fault.code();
    let found = match &fault {
        Fault::Missing(_) => Cow::Borrowed("nothing"),
        #[cfg(feature = "schemars")]
        Fault::Within(violation) => violation.found.clone(),
        Fault::Plain(Code::Type, _) if holds_json(text, at) => {
            Cow::Owned([&*excerpt(text, at, code), " (a string that holds JSON)"].concat())
        }
        Fault::Refused(_, _, reason) => Cow::Owned(format!("{} ({reason})", excerpt(text, at, code))),
        _ => excerpt(text, at, code),
    };
    let suggestion = suggestion.map(Cow::Borrowed);
    Violation { pointer, code, expected: fault.expected(), found, suggestion, offset: at }
}

/// Whether a string stands at `at` that holds JSON.
fn holds_json(text: &str, at: usize) -> bool {
    text.get(at..).is_some_and(|value| value.starts_with('"') && held_json(value).is_some())
}

/// Most characters of a name in a JSON Pointer: a name of megabytes would stand in each violation below it.
const LONGEST_NAME: usize = 200;

/// Adds one reference token to a JSON Pointer. A name over the limit is cut, which `…` tells.
fn step(pointer: &mut String, name: &str) {
    pointer.push('/');
    if name.len() <= LONGEST_NAME && !name.bytes().any(|byte| matches!(byte, b'~' | b'/')) {
        pointer.push_str(name);
        return;
    }
    for (index, c) in name.chars().enumerate() {
        if index == LONGEST_NAME {
            pointer.push('…');
            break;
        }
        match c {
            '~' => pointer.push_str("~0"),
            '/' => pointer.push_str("~1"),
            c => pointer.push(c),
        }
    }
}

/// The value at `at`, or the text from there on, cut to a bounded number of characters.
fn excerpt(text: &str, at: usize, code: Code) -> Cow<'static, str> {
    let rest = text.get(at..).unwrap_or_default();
    if rest.is_empty() {
        return Cow::Borrowed("the end of the text");
    }
    // room for one character more than is shown: that tells whether something is cut off
    let window = rest.get(..rest.floor_char_boundary(4 * (EXCERPT + 1))).unwrap_or(rest);
    let end = match code {
        Code::Syntax | Code::TrailingText => window.len(),
        _ => value_end(window),
    };
    let value = window.get(..end).unwrap_or(window);
    if value.len() > EXCERPT
        && let Some((cut, _)) = value.char_indices().nth(EXCERPT)
    {
        return Cow::Owned([value.get(..cut).unwrap_or(value), "…"].concat());
    }
    Cow::Owned(value.to_owned())
}

/// Where the value at the front of `window` ends, or the window does. Always a character boundary.
fn value_end(window: &str) -> usize {
    let bytes = window.as_bytes();
    let (mut at, mut depth) = (0, 0usize);
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'"' => at = string_end(bytes, at),
            b'[' | b'{' => {
                depth += 1;
                at += 1;
            }
            b']' | b'}' => {
                depth = depth.saturating_sub(1);
                at += 1;
            }
            b',' | b':' | b' ' | b'\n' | b'\r' | b'\t' => at += 1,
            _ => at = scalar_end(bytes, at),
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Where the string that opens at `at` ends, or the text does.
fn string_end(bytes: &[u8], at: usize) -> usize {
    let mut at = at + 1;
    loop {
        at = string_stop(bytes, at);
        match bytes.get(at) {
            Some(b'"') => return at + 1,
            Some(b'\\') => at += 2,
            Some(_) => at += 1,
            None => return bytes.len(),
        }
    }
}

/// Where a number or a literal ends: before the next mark of JSON's.
fn scalar_end(bytes: &[u8], at: usize) -> usize {
    let stop = |byte: &u8| matches!(byte, b',' | b']' | b'}' | b':' | b'"' | b' ' | b'\n' | b'\r' | b'\t');
    let rest = bytes.get(at..).unwrap_or_default();
    at + rest.iter().position(stop).unwrap_or(rest.len()).max(1)
}

/// A walk over the text that gives offsets the path they stand under. It trusts the text up to the last offset: the
/// reader has been there. Outside of strings it looks for brackets and commas alone; names are read when one is asked for.
struct Walk<'a> {
    text: &'a str,
    at: usize,
    levels: Vec<Level>,
}

/// An object or array that is open.
struct Level {
    is_object: bool,
    /// Where the member that the walk is in begins: behind the opening bracket, or a comma.
    member: usize,
    /// Where its name stands, quotation marks included, once the walk is behind it.
    name: Option<(usize, usize)>,
    /// How many members come before it.
    index: usize,
}

impl<'a> Walk<'a> {
    fn new(text: &'a str) -> Self {
        Walk { text, at: 0, levels: Vec::new() }
    }

    /// The JSON Pointer of the value at `target`, or around it. Targets must ascend.
    fn pointer(&mut self, target: usize) -> String {
        let bytes = self.text.as_bytes();
        while self.at < target
            && let Some(&byte) = bytes.get(self.at)
        {
            let mut behind = self.at + 1;
            match byte {
                b'"' => {
                    behind = string_end(bytes, self.at);
                    if behind > target {
                        break;
                    }
                    if let Some(level) = self.levels.last_mut()
                        && level.is_object
                    {
                        level.name.get_or_insert((self.at, behind));
                    }
                }
                b'{' | b'[' => {
                    self.levels.push(Level { is_object: byte == b'{', member: behind, name: None, index: 0 });
                }
                b'}' | b']' => {
                    self.levels.pop();
                }
                b',' => {
                    if let Some(level) = self.levels.last_mut() {
                        level.member = behind;
                        level.name = None;
                        level.index += 1;
                    }
                }
                _ => {}
            }
            self.at = behind;
        }
        // room for names of common lengths
        let mut pointer = String::with_capacity(16 * (self.levels.len() + 1));
        if let Some((innermost, around)) = self.levels.split_last() {
            for level in around {
                self.step(level, None, &mut pointer);
            }
            self.step(innermost, Some(target), &mut pointer);
        }
        pointer
    }

    /// Adds a level's step to the path, unless `target` stands outside of the level's present value: what stands there
    /// is said of the whole object or array.
    fn step(&self, level: &Level, target: Option<usize>, pointer: &mut String) {
        let bytes = self.text.as_bytes();
        let (mut start, mut name) = (level.member, None);
        if level.is_object {
            let Some((opens, end)) = level.name else { return };
            let colon = skip_white(bytes, end);
            if bytes.get(colon) != Some(&b':') || target.is_some_and(|target| target <= colon) {
                return;
            }
            name = Some(self.text.get(opens + 1..end - 1).unwrap_or_default());
            start = colon + 1;
        }
        let value = skip_white(bytes, start);
        if target.is_some_and(|target| value < target && self.value_end(value) <= target) {
            return;
        }
        match name {
            // as it mostly is: neither JSON nor a pointer would write it otherwise
            Some(name)
                if name.len() <= LONGEST_NAME && name.bytes().all(|byte| !matches!(byte, b'\\' | b'~' | b'/')) =>
            {
                pointer.push('/');
                pointer.push_str(name);
            }
            Some(name) => step(pointer, &unescape(name)),
            None => {
                pointer.push('/');
                pointer.push_str(itoa::Buffer::new().format(level.index));
            }
        }
    }

    /// Where the value that opens at `at` ends; one that is open at the walk's place would be a level of its own.
    fn value_end(&self, at: usize) -> usize {
        let bytes = self.text.as_bytes();
        match bytes.get(at) {
            Some(b'"') => string_end(bytes, at),
            Some(b'{' | b'[') => at,
            _ => scalar_end(bytes, at),
        }
    }
}
