//! From the shared subset to the `regex` crate's syntax.

/// ECMA-262's white space and line terminators.
const SPACE: &str = r"\t\n\x0B\x0C\r \u{a0}\u{1680}\u{2000}-\u{200a}\u{2028}\u{2029}\u{202f}\u{205f}\u{3000}\u{feff}";

/// The expression, which is in the subset, as the `regex` crate writes it.
pub(super) fn translate(source: &str) -> String {
    let mut out = String::with_capacity(source.len() + 16);
    let mut chars = source.chars();
    let mut class = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' => escape(&mut chars, class, &mut out),
            '.' if !class => out.push_str(r"[^\n\r\u{2028}\u{2029}]"),
            '[' => {
                class = true;
                out.push('[');
            }
            ']' => {
                class = false;
                out.push(']');
            }
            // set operations of the regex crate that ECMA-262 doesn't have
            '&' | '~' if class => out.extend(['\\', c]),
            c => out.push(c),
        }
    }
    out
}

/// Behind `\`.
fn escape(chars: &mut std::str::Chars<'_>, class: bool, out: &mut String) {
    let set = |out: &mut String, negated: bool, members: &str| {
        out.push_str(if negated { "[^" } else { "[" });
        out.push_str(members);
        out.push(']');
    };
    match chars.next() {
        Some('d') => set(out, false, "0-9"),
        Some('D') => set(out, true, "0-9"),
        Some('w') => set(out, false, "A-Za-z0-9_"),
        Some('W') => set(out, true, "A-Za-z0-9_"),
        Some('s') => set(out, false, SPACE),
        Some('S') => set(out, true, SPACE),
        Some('b') if !class => out.push_str(r"(?-u:\b)"),
        Some('v') => out.push_str(r"\x0B"),
        Some('f') => out.push_str(r"\x0C"),
        Some('/') => out.push('/'),
        Some('u') => {
            out.push_str(r"\u{");
            out.extend(chars.take(4));
            out.push('}');
        }
        Some(c) => out.extend(['\\', c]),
        None => {}
    }
}
