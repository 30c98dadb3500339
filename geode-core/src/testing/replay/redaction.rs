//! What is removed from an exchange before it is kept.

use std::fmt;

use serde_json::Value;

use super::cassette::Body;

/// What stands in the place of a redacted field.
const REDACTED: &str = "redacted";

/// What is removed from an exchange before it is kept. Secret headers always are; so are the values of further headers
/// and of a URL's query whose names speak of keys, tokens, secrets, signatures or cookies.
#[must_use]
#[derive(Clone, Default)]
pub struct Redaction {
    pointers: Vec<String>,
    words: Vec<String>,
}

/// What is masked may be a secret, so the words are counted only.
impl fmt::Debug for Redaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redaction").field("pointers", &self.pointers).field("words", &self.words.len()).finish()
    }
}

impl Redaction {
    /// Replaces the value at this JSON Pointer: in bodies that are JSON, and in each event or line of a stream of text.
    pub fn pointer(mut self, pointer: impl Into<String>) -> Self {
        self.pointers.push(pointer.into());
        self
    }

    /// Masks this text wherever it stands, in streams too, with as many `*` as it has bytes.
    pub fn text(mut self, text: impl Into<String>) -> Self {
        self.words.push(text.into());
        self
    }

    /// The text with its words masked: as long as it was.
    pub(super) fn words(&self, text: &str) -> String {
        String::from_utf8_lossy(&self.masked(text.as_bytes())).into_owned()
    }

    pub(super) fn masked(&self, bytes: &[u8]) -> Vec<u8> {
        let mut masked = bytes.to_vec();
        for word in self.words.iter().map(String::as_bytes).filter(|word| !word.is_empty()) {
            let mut at = 0;
            while let Some(found) = masked.get(at..).and_then(|rest| rest.windows(word.len()).position(|of| of == word))
            {
                at += found;
                if let Some(place) = masked.get_mut(at..at + word.len()) {
                    place.fill(b'*');
                }
            }
        }
        masked
    }

    /// A header, its value removed where the name speaks of a secret.
    pub(super) fn header(&self, name: &str, value: &str) -> (String, String) {
        (name.to_owned(), if is_secret(name) { REDACTED.to_owned() } else { self.words(value) })
    }

    /// A path with a query, the values removed whose names speak of secrets.
    pub(super) fn query(&self, path: &str) -> String {
        let path = self.words(path);
        let Some((path, query)) = path.split_once('?') else { return path };
        let parameter = |parameter: &str| match parameter.split_once('=') {
            Some((name, _)) if is_secret(name) => format!("{name}={REDACTED}"),
            _ => parameter.to_owned(),
        };
        format!("{path}?{}", query.split('&').map(parameter).collect::<Vec<_>>().join("&"))
    }

    pub(super) fn body(&self, bytes: &[u8]) -> Body {
        let masked = self.masked(bytes);
        let Ok(text) = std::str::from_utf8(&masked) else {
            return Body::hex(&masked);
        };
        match serde_json::from_str::<Value>(text) {
            Ok(mut value) if value.is_object() || value.is_array() => {
                self.fields(&mut value);
                Body::Json(value)
            }
            _ => Body::Text(text.to_owned()),
        }
    }

    /// The text of a stream without the fields that are removed, and where it is cut: a cut within an event that changed
    /// moves to its end.
    pub(super) fn events(&self, text: &str, cuts: &mut [usize]) -> String {
        let (mut kept, mut begin) = (String::with_capacity(text.len()), 0);
        let mut cuts = cuts.iter_mut().peekable();
        for line in text.split_inclusive('\n') {
            let (end, changed) = (begin + line.len(), self.event(line));
            let start = kept.len();
            kept.push_str(changed.as_deref().unwrap_or(line));
            while let Some(cut) = cuts.next_if(|cut| **cut <= end) {
                *cut = if changed.is_some() { kept.len() } else { start + cut.saturating_sub(begin) };
            }
            begin = end;
        }
        kept
    }

    /// A line of a stream without the fields that are removed, where it has some.
    fn event(&self, line: &str) -> Option<String> {
        let (prefix, rest) = match line.strip_prefix("data:") {
            Some(rest) => ("data: ", rest),
            None => ("", line),
        };
        let mut value: Value = serde_json::from_str(rest).ok()?;
        let ending = if line.ends_with('\n') { "\n" } else { "" };
        self.fields(&mut value).then(|| format!("{prefix}{value}{ending}"))
    }

    /// Removes the fields; says whether there was one.
    fn fields(&self, value: &mut Value) -> bool {
        let mut any = false;
        for pointer in &self.pointers {
            if let Some(found) = value.pointer_mut(pointer) {
                *found = Value::String(REDACTED.to_owned());
                any = true;
            }
        }
        any
    }
}

fn is_secret(name: &str) -> bool {
    let name = name.to_ascii_lowercase();
    ["auth", "key", "token", "secret", "signature", "cookie", "credential"].iter().any(|word| name.contains(word))
}
