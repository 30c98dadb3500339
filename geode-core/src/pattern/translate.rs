//! From the shared subset to the `regex` crate's syntax.

use std::str::Chars;

/// ECMA-262's white space and line terminators.
const SPACE: &str = r"\t\n\x0B\x0C\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";

/// The expression, which is in the subset, as the `regex` crate writes it.
pub(super) fn translate(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 16);
    let mut rest = source.chars();
    while let Some(c) = rest.next() {
        match c {
            '\\' => out.push_str(&escape(&mut rest)),
            '.' => out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            '[' => class(&mut rest, &mut out),
            c => out.push(c),
        }
    }
    out
}

/// Behind `[`. Its members are written by their codes, since some stand for set operations there that ECMA-262 doesn't
/// have.
fn class(rest: &mut Chars<'_>, out: &mut String) {
    out.push('[');
    if rest.as_str().starts_with('^') {
        rest.next();
        out.push('^');
    }
    while let Some(c) = rest.next() {
        match c {
            ']' => break,
            '\\' => out.push_str(&escape(rest)),
            // between two members it makes a range, first or last it is one
            '-' if !out.ends_with(['[', '^']) && !rest.as_str().starts_with(']') => {
                out.push('-');
                match rest.next() {
                    Some('\\') => out.push_str(&escape(rest)),
                    Some(last) => out.push_str(&code(last)),
                    None => {}
                }
                // a hyphen behind a range can't make another one
                if rest.as_str().starts_with('-') {
                    rest.next();
                    out.push_str(&code('-'));
                }
            }
            c => out.push_str(&code(c)),
        }
    }
    out.push(']');
}

fn code(c: char) -> String {
    format!(r"\u{{{:x}}}", u32::from(c))
}

/// Behind `\`.
fn escape(rest: &mut Chars<'_>) -> String {
    match rest.next() {
        Some('d') => "[0-9]".to_owned(),
        Some('D') => "[^0-9]".to_owned(),
        Some('w') => "[A-Za-z0-9_]".to_owned(),
        Some('W') => "[^A-Za-z0-9_]".to_owned(),
        Some('s') => format!("[{SPACE}]"),
        Some('S') => format!("[^{SPACE}]"),
        Some('v') => code('\u{b}'),
        Some('f') => code('\u{c}'),
        Some('u') => format!(r"\u{{{}}}", rest.by_ref().take(4).collect::<String>()),
        Some('x') => format!(r"\x{}", rest.by_ref().take(2).collect::<String>()),
        Some('p') => format!(r"\p{}", braces(rest)),
        Some('P') => format!(r"\P{}", braces(rest)),
        Some(letter @ ('n' | 'r' | 't')) => format!(r"\{letter}"),
        Some(symbol) => code(symbol),
        None => String::new(),
    }
}

/// A name in braces.
fn braces(rest: &mut Chars<'_>) -> String {
    let end = rest.as_str().find('}').map_or(0, |end| end + 1);
    let mut name = String::with_capacity(end);
    while name.len() < end
        && let Some(c) = rest.next()
    {
        name.push(c);
    }
    name
}
