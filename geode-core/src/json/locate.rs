//! From offsets to JSON Pointers and words: one more scan of the text, made only when there is something to report.

use super::fault::Fault;
use super::held::held_json;
use super::reader::unescape;
use super::scan::{skip_white, string_stop};
use crate::report::{Code, Note, Violation};

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
    let mut offsets: Vec<usize> = faults.iter().map(|(at, _)| *at).chain(notes.iter().map(|(at, _)| *at)).collect();
    offsets.sort_unstable();
    offsets.dedup();
    let mut walk =
        Walk { text, at: 0, steps: Vec::new(), offsets: &offsets, places: Vec::with_capacity(offsets.len()) };
    walk.run();
    let places = walk.places;
    let pointer = |at: usize| match offsets.binary_search(&at) {
        Ok(index) => places.get(index).cloned().unwrap_or_default(),
        Err(_) => String::new(),
    };
    let violations = faults.into_iter().map(|(at, fault)| violation(text, at, pointer(at), fault)).collect();
    let notes = notes.into_iter().map(|(at, message)| Note { pointer: pointer(at), message }).collect();
    (violations, notes)
}

fn violation(text: &str, at: usize, mut pointer: String, fault: Fault) -> Violation {
    let (mut found, mut suggestion) = (excerpt(text, at, fault.code()), None);
    match &fault {
        Fault::Missing(name) => {
            step(&mut pointer, name);
            found = "nothing".to_owned();
        }
        Fault::Unknown(_) => {
            let name = pointer.rsplit('/').next().unwrap_or_default().replace("~1", "/").replace("~0", "~");
            suggestion = fault.suggestion(&name);
        }
        Fault::Value(_) | Fault::Tag(_) => {
            let start = at + 1;
            let found = text.get(start..string_stop(text.as_bytes(), start)).unwrap_or_default();
            suggestion = fault.suggestion(found);
        }
        #[cfg(feature = "schemars")]
        Fault::Within(violation) => {
            pointer.push_str(&violation.pointer);
            found = violation.found.clone();
        }
        Fault::Refused(_, _, reason) => found = format!("{found} ({reason})"),
        Fault::Plain(Code::Type, _) if text.get(at..).is_some_and(|value| held_json(value).is_some()) => {
            found.push_str(" (a string that holds JSON)");
        }
        _ => {}
    }
    Violation {
        pointer,
        code: fault.code(),
        expected: fault.expected(),
        found,
        suggestion: suggestion.map(str::to_owned),
        offset: at,
    }
}

/// Most characters of a name in a JSON Pointer: a name of megabytes would stand in each violation below it.
const LONGEST_NAME: usize = 200;

/// Adds one reference token to a JSON Pointer. A name over the limit is cut, which `…` tells.
fn step(pointer: &mut String, name: &str) {
    pointer.push('/');
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
fn excerpt(text: &str, at: usize, code: Code) -> String {
    let rest = text.get(at..).unwrap_or_default();
    if rest.is_empty() {
        return "the end of the text".to_owned();
    }
    // one character more than is shown tells whether something was cut off
    let window = match rest.char_indices().nth(EXCERPT + 1) {
        Some((end, _)) => rest.get(..end).unwrap_or(rest),
        None => rest,
    };
    let end = match code {
        Code::Syntax | Code::TrailingText => window.len(),
        _ => value_end(window),
    };
    let value = window.get(..end).unwrap_or(window);
    match value.char_indices().nth(EXCERPT) {
        Some((cut, _)) => format!("{}…", value.get(..cut).unwrap_or(value)),
        None => value.to_owned(),
    }
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

/// One step of the path to where the walk is.
enum Step {
    /// In an array, at this index.
    Index(usize),
    /// In an object, at the property whose name opens at this offset; `None` before the first.
    Name(Option<usize>),
}

/// A walk over the text that gives each of the offsets the path it stands under. It trusts the text up to the last
/// offset: the reader has been there.
struct Walk<'a> {
    text: &'a str,
    at: usize,
    steps: Vec<Step>,
    /// In ascending order.
    offsets: &'a [usize],
    /// One a served offset.
    places: Vec<String>,
}

impl Walk<'_> {
    fn run(&mut self) {
        if self.text.starts_with('\u{feff}') {
            self.at = '\u{feff}'.len_utf8();
        }
        while self.places.len() < self.offsets.len() {
            if !self.value() {
                break;
            }
        }
        // what is left lies where the text broke off, or behind the value
        self.serve(usize::MAX);
    }

    /// Gives all offsets below `end` the present path.
    fn serve(&mut self, end: usize) {
        let mut path = None;
        while self.offsets.get(self.places.len()).is_some_and(|offset| *offset < end) {
            let path = path.get_or_insert_with(|| self.path());
            self.places.push(path.clone());
        }
    }

    fn white(&mut self) -> Option<u8> {
        self.at = skip_white(self.text.as_bytes(), self.at);
        self.text.as_bytes().get(self.at).copied()
    }

    /// Takes one value, or the opening of one, and then whatever closes behind it. `false` when the text ends.
    fn value(&mut self) -> bool {
        let Some(byte) = self.white() else { return false };
        let bytes = self.text.as_bytes();
        self.serve(self.at + 1);
        match byte {
            b'{' | b'[' => {
                self.at += 1;
                self.steps.push(if byte == b'{' { Step::Name(None) } else { Step::Index(0) });
                if !matches!(self.white(), Some(b'}' | b']')) {
                    return self.name();
                }
            }
            b'"' => {
                let end = string_end(bytes, self.at);
                self.serve(end);
                self.at = end;
            }
            _ => {
                let end = scalar_end(bytes, self.at);
                self.serve(end);
                self.at = end;
            }
        }
        self.close()
    }

    /// After a value: closes what closes, and moves to the next value.
    fn close(&mut self) -> bool {
        loop {
            match self.white() {
                Some(b',') if !self.steps.is_empty() => {
                    self.at += 1;
                    if let Some(Step::Index(index)) = self.steps.last_mut() {
                        *index += 1;
                    }
                    return self.name();
                }
                Some(b'}' | b']') if !self.steps.is_empty() => {
                    self.at += 1;
                    self.steps.pop();
                    self.serve(self.at);
                }
                _ => {
                    // what follows is said of the container as a whole
                    self.steps.pop();
                    return false;
                }
            }
        }
    }

    /// Before a property or an element: takes the name, if there is to be one.
    fn name(&mut self) -> bool {
        let Some(Step::Name(name)) = self.steps.last_mut() else { return true };
        *name = None;
        if self.white() != Some(b'"') {
            return false;
        }
        let opens = self.at;
        let end = string_end(self.text.as_bytes(), opens);
        self.serve(end);
        self.at = end;
        if self.white() != Some(b':') {
            return false;
        }
        self.at += 1;
        if let Some(Step::Name(name)) = self.steps.last_mut() {
            *name = Some(opens);
        }
        true
    }

    /// The present path as a JSON Pointer.
    fn path(&self) -> String {
        let mut pointer = String::new();
        for part in &self.steps {
            match part {
                Step::Index(index) => {
                    pointer.push('/');
                    pointer.push_str(&index.to_string());
                }
                Step::Name(Some(opens)) => {
                    let end = string_end(self.text.as_bytes(), *opens);
                    let raw = self.text.get(opens + 1..end.saturating_sub(1)).unwrap_or_default();
                    step(&mut pointer, &unescape(raw));
                }
                Step::Name(None) => {}
            }
        }
        pointer
    }
}
