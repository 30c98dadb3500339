//! Strings: borrowed from the text where nothing is escaped.

use super::Reader;
use crate::json::scan::string_stop;
use std::borrow::Cow;

impl<'a> Reader<'a> {
    /// Reads a string, borrowed from the text where nothing in it is escaped.
    #[inline]
    pub fn string(&mut self) -> Option<Cow<'a, str>> {
        if self.peek() == b'"' {
            return self.quoted();
        }
        self.mismatch("a string");
        None
    }

    /// Reads a string as one of its own.
    #[inline]
    pub(crate) fn text(&mut self) -> Option<String> {
        if self.peek() == b'"' {
            return self.owned();
        }
        self.mismatch("a string");
        None
    }

    /// Reads the string that opens here.
    #[inline(always)]
    pub(super) fn quoted(&mut self) -> Option<Cow<'a, str>> {
        match self.plain() {
            Ok(text) => Some(Cow::Borrowed(text)),
            Err((start, stop)) => self.escaped(start, stop).map(Cow::Owned),
        }
    }

    /// Reads the string that opens here as one of its own.
    #[inline(always)]
    pub(super) fn owned(&mut self) -> Option<String> {
        match self.plain() {
            Ok(text) => Some(text.to_owned()),
            Err((start, stop)) => self.escaped(start, stop),
        }
    }

    /// Reads the string that opens here if nothing in it is escaped; else where its content starts, and where it stops
    /// being plain.
    #[inline(always)]
    fn plain(&mut self) -> Result<&'a str, (usize, usize)> {
        let (text, start) = (self.text, self.at + 1);
        let stop = string_stop(text.as_bytes(), start);
        if text.as_bytes().get(stop) == Some(&b'"')
            && let Some(text) = text.get(start..stop)
        {
            self.at = stop + 1;
            return Ok(text);
        }
        Err((start, stop))
    }

    /// Decodes the string whose content opens at `start` and is plain up to `stop`.
    #[inline(never)]
    pub(super) fn escaped(&mut self, start: usize, stop: usize) -> Option<String> {
        let bytes = self.text.as_bytes();
        // finding the closing mark first makes one allocation do; what was found on the way is not looked for again
        let mut stops = [stop; STOPS];
        let mut count = 0;
        let mut end = stop;
        while bytes.get(end) == Some(&b'\\') {
            end = string_stop(bytes, (end + 2).min(bytes.len()));
            count += 1;
            if let Some(stop) = stops.get_mut(count) {
                *stop = end;
            }
        }
        let mut decoded = String::with_capacity(end - start);
        let known = stops.get(..=count).unwrap_or(&stops);
        match decode(self.text, start, known, &mut decoded) {
            Ok(behind) => {
                self.at = behind;
                Some(decoded)
            }
            Err((at, expected)) => {
                self.broken(at, expected);
                None
            }
        }
    }

    /// Skips the string that opens here, checking it all the same.
    pub(super) fn skip_string(&mut self) {
        let start = self.at + 1;
        let stop = string_stop(self.text.as_bytes(), start);
        if self.text.as_bytes().get(stop) == Some(&b'"') {
            self.at = stop + 1;
        } else {
            self.escaped(start, stop);
        }
    }
}

/// How many ends of plain text are kept at hand.
const STOPS: usize = 8;

/// Decodes string content from `start` to its closing mark into `out`; the offset behind that mark. `known` is where
/// plain text stops, in order, as far as that is known.
fn decode(text: &str, mut start: usize, known: &[usize], out: &mut String) -> Result<usize, (usize, &'static str)> {
    let bytes = text.as_bytes();
    let mut known = known.iter();
    let mut from = start;
    loop {
        let stop = match known.find(|stop| **stop >= from) {
            Some(stop) => *stop,
            None => string_stop(bytes, from),
        };
        out.push_str(text.get(start..stop).unwrap_or_default());
        match bytes.get(stop) {
            Some(b'"') => return Ok(stop + 1),
            Some(b'\\') => {}
            Some(_) => return Err((stop, "control characters in strings to be escaped")),
            None => return Err((bytes.len(), "the string's closing quotation mark")),
        }
        (start, from) = (stop + 2, stop + 2);
        out.push(match bytes.get(stop + 1) {
            Some(b'"' | b'\\' | b'/') => {
                // stands for itself, in front of the plain text behind it
                start = stop + 1;
                continue;
            }
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let (c, behind) = code_point(bytes, start).map_err(|expected| (stop, expected))?;
                (start, from) = (behind, behind);
                c
            }
            _ => return Err((stop, "a JSON escape")),
        });
    }
}

/// Reads the four hex digits at `at`, and the second half of a surrogate pair where they are the first.
fn code_point(bytes: &[u8], at: usize) -> Result<(char, usize), &'static str> {
    let unit = |at: usize| -> Option<u32> {
        let digits = bytes.get(at..)?.first_chunk::<4>()?;
        digits.iter().try_fold(0, |unit, &byte| Some(unit << 4 | char::from(byte).to_digit(16)?))
    };
    let first = unit(at).ok_or("four hexadecimal digits behind `\\u`")?;
    let mut behind = at + 4;
    let mut point = first;
    if (0xd800..0xdc00).contains(&first)
        && bytes.get(behind..).is_some_and(|rest| rest.starts_with(b"\\u"))
        && let Some(second @ 0xdc00..0xe000) = unit(behind + 2)
    {
        point = 0x10000 + ((first - 0xd800) << 10) + (second - 0xdc00);
        behind += 6;
    }
    char::from_u32(point).map(|c| (c, behind)).ok_or("surrogates in pairs")
}

/// Decodes the content of a string that has been read before; what can't be decoded stands as it is.
pub(crate) fn unescape(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    let quoted = format!("{raw}\"");
    let mut out = String::with_capacity(raw.len());
    match decode(&quoted, 0, &[], &mut out) {
        Ok(_) => Cow::Owned(out),
        Err(_) => Cow::Borrowed(raw),
    }
}
