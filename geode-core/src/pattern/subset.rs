//! The subset of ECMA-262's expressions that is accepted, as a `const` check.

/// The most that an expression may weigh, a plain character weighing one: a bound on what compiling it costs.
const MOST_WEIGHT: usize = 20_000;
/// The most repetitions that a counted quantifier may ask for.
const MOST_REPETITIONS: usize = 1_000;
const CLASS_WEIGHT: usize = 20;
const PROPERTY_WEIGHT: usize = 1_000;
const MOST_GROUPS: usize = 32;

/// General categories that `\p{…}` may name.
const CATEGORIES: [&str; 30] = [
    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No", "P", "Pc", "Pd", "Ps", "Pe", "Pi",
    "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z", "Zs", "Zl",
];
/// Scripts that `\p{Script=…}` may name.
const SCRIPTS: [&str; 11] =
    ["Latin", "Greek", "Cyrillic", "Han", "Hiragana", "Katakana", "Hangul", "Arabic", "Hebrew", "Thai", "Devanagari"];

/// Checks that an expression lies in the subset that ECMA-262 (with its `u` flag), JSON Schema's validators and the
/// providers all read alike.
///
/// # Errors
///
/// Says what is not in the subset.
pub const fn validate(source: &str) -> Result<(), &'static str> {
    let check = match alternatives(source.as_bytes(), 0, 0) {
        Ok(check) => check,
        Err(error) => return Err(error),
    };
    if check.at < source.len() {
        return Err("a `)` has no `(` before it");
    }
    if check.weight > MOST_WEIGHT {
        return Err("the expression is too large when its repetitions are written out");
    }
    Ok(())
}

/// Where a part of the expression ends, and what it weighs.
#[derive(Clone, Copy)]
struct Part {
    at: usize,
    weight: usize,
}

const fn part(at: usize, weight: usize) -> Result<Part, &'static str> {
    Ok(Part { at, weight })
}

/// The byte at a place; 0 behind the end.
const fn byte(source: &[u8], at: usize) -> u8 {
    match source.split_at_checked(at) {
        Some((_, [byte, ..])) => *byte,
        _ => 0,
    }
}

/// `a|b|c`, up to the end or an unmatched `)`.
const fn alternatives(source: &[u8], mut at: usize, depth: usize) -> Result<Part, &'static str> {
    let mut weight: usize = 1;
    if depth > MOST_GROUPS {
        return Err("groups are nested too deeply");
    }
    while at < source.len() && byte(source, at) != b')' {
        if byte(source, at) == b'|' {
            at += 1;
            continue;
        }
        let term = match term(source, at, depth) {
            Ok(term) => term,
            Err(error) => return Err(error),
        };
        weight = weight.saturating_add(term.weight);
        at = term.at;
    }
    part(at, weight)
}

/// One atom or assertion, with its quantifier.
const fn term(source: &[u8], at: usize, depth: usize) -> Result<Part, &'static str> {
    let atom = match byte(source, at) {
        b'^' | b'$' => {
            if matches!(byte(source, at + 1), b'*' | b'+' | b'?' | b'{') {
                return Err("`^` and `$` can't be repeated");
            }
            return part(at + 1, 1);
        }
        b'(' => group(source, at + 1, depth),
        b'[' => class(source, at + 1),
        b'\\' => escape(source, at + 1),
        b'*' | b'+' | b'?' => Err("a quantifier has nothing before it to repeat"),
        b'{' => Err("a `{` that is meant as a character is written `\\{`"),
        b'}' => Err("a `}` that is meant as a character is written `\\}`"),
        b']' => Err("a `]` that is meant as a character is written `\\]`"),
        b'.' => part(at + 1, CLASS_WEIGHT),
        _ => part(at + 1, 1),
    };
    match atom {
        Ok(atom) => quantifier(source, atom),
        Err(error) => Err(error),
    }
}

/// Behind `(`.
const fn group(source: &[u8], mut at: usize, depth: usize) -> Result<Part, &'static str> {
    if byte(source, at) == b'?' {
        match (byte(source, at + 1), byte(source, at + 2)) {
            (b':', _) => at += 2,
            (b'=' | b'!', _) | (b'<', b'=' | b'!') => {
                return Err("look-around is not in the subset that all engines share: check it by `check = path`");
            }
            (b'<' | b'P', _) => return Err("named groups are not in the subset that all engines share: write `(?:…)`"),
            _ => return Err("inline flags are not in the subset that all engines share: write both letters, `[aA]`"),
        }
    }
    if byte(source, at) == b')' {
        return Err("a group is empty");
    }
    match alternatives(source, at, depth + 1) {
        Ok(inner) if byte(source, inner.at) == b')' => part(inner.at + 1, inner.weight),
        Ok(_) => Err("a `(` is never closed"),
        Err(error) => Err(error),
    }
}

/// What follows an atom: `*`, `+`, `?`, `{n}`, `{n,}`, `{n,m}`, each with an optional `?`.
const fn quantifier(source: &[u8], atom: Part) -> Result<Part, &'static str> {
    let mut at = atom.at;
    let mut weight = atom.weight;
    match byte(source, at) {
        b'*' | b'+' | b'?' => {
            at += 1;
            weight = weight.saturating_mul(2);
        }
        b'{' => {
            let Some((least, behind)) = number(source, at + 1) else {
                return Err("a `{` that is meant as a character is written `\\{`");
            };
            let (mut most, mut behind) = (least, behind);
            if byte(source, behind) == b',' {
                behind += 1;
                if let Some((number, end)) = number(source, behind) {
                    (most, behind) = (number, end);
                }
            }
            if byte(source, behind) != b'}' {
                return Err("a counted quantifier is written `{2}`, `{2,}` or `{2,5}`");
            }
            if most < least {
                return Err("a counted quantifier's numbers are out of order");
            }
            if most > MOST_REPETITIONS {
                return Err("a counted quantifier asks for more than 1000 repetitions");
            }
            at = behind + 1;
            weight = weight.saturating_mul(most + 1);
        }
        _ => return Ok(atom),
    }
    if byte(source, at) == b'?' {
        at += 1;
    }
    if matches!(byte(source, at), b'*' | b'+' | b'?' | b'{') {
        return Err("a quantifier follows another one");
    }
    part(at, weight)
}

/// Digits from `at` on: their value, capped, and where they end.
const fn number(source: &[u8], mut at: usize) -> Option<(usize, usize)> {
    let (start, mut value) = (at, 0);
    while byte(source, at).is_ascii_digit() {
        value = value * 10 + (byte(source, at) - b'0') as usize;
        if value > 1_000_000 {
            value = 1_000_000;
        }
        at += 1;
    }
    if at == start { None } else { Some((value, at)) }
}

/// Behind `\`, outside of a class.
const fn escape(source: &[u8], at: usize) -> Result<Part, &'static str> {
    match byte(source, at) {
        b'1'..=b'9' | b'k' => {
            Err("back-references are not in the subset that all engines share: check it by `check = path`")
        }
        b'b' | b'B' => Err(
            "`\\b` and `\\B` are not in the subset that all engines share: engines differ over letters beyond ASCII",
        ),
        b'-' => Err("outside of a class, `-` needs no escape"),
        _ => match class_escape(source, at) {
            Ok(escape) => part(escape.at, if escape.code == SET { CLASS_WEIGHT + escape.weight } else { 1 }),
            Err(error) => Err(error),
        },
    }
}

/// A character of a class: its code, or [`SET`] for an escape that stands for several.
struct Member {
    at: usize,
    code: u32,
    weight: usize,
}

const SET: u32 = u32::MAX;

const fn member(at: usize, code: u32) -> Result<Member, &'static str> {
    Ok(Member { at, code, weight: 0 })
}

/// Behind `\`, as it may stand in a class.
const fn class_escape(source: &[u8], at: usize) -> Result<Member, &'static str> {
    match byte(source, at) {
        b'd' | b'D' | b'w' | b'W' | b's' | b'S' => member(at + 1, SET),
        b'p' | b'P' => property(source, at + 1),
        b'n' => member(at + 1, 0x0a),
        b'r' => member(at + 1, 0x0d),
        b't' => member(at + 1, 0x09),
        b'f' => member(at + 1, 0x0c),
        b'v' => member(at + 1, 0x0b),
        b'x' => hex(source, at + 1, 2),
        b'u' if byte(source, at + 1) == b'{' => {
            Err("`\\u{…}` is not in the subset that all engines share: write `\\uXXXX`")
        }
        b'u' => hex(source, at + 1, 4),
        symbol @ (b'^' | b'$' | b'\\' | b'.' | b'*' | b'+' | b'?' | b'(' | b')' | b'[' | b']' | b'{' | b'}' | b'|'
        | b'/' | b'-') => member(at + 1, symbol as u32),
        0 if at >= source.len() => Err("the expression ends in a lone `\\`"),
        _ => Err("this escape is not in the subset that all engines share"),
    }
}

const fn hex(source: &[u8], at: usize, count: usize) -> Result<Member, &'static str> {
    let (mut code, mut i) = (0, 0);
    while i < count {
        let digit = match byte(source, at + i) {
            digit @ b'0'..=b'9' => digit - b'0',
            digit @ b'a'..=b'f' => digit - b'a' + 10,
            digit @ b'A'..=b'F' => digit - b'A' + 10,
            _ => return Err("`\\x` takes two hexadecimal digits, `\\u` four"),
        };
        code = code * 16 + digit as u32;
        i += 1;
    }
    if code >= 0xd800 && code < 0xe000 {
        return Err("a surrogate is no character");
    }
    member(at + count, code)
}

/// Behind `\p` or `\P`.
const fn property(source: &[u8], at: usize) -> Result<Member, &'static str> {
    const UNKNOWN: &str = "`\\p{…}` takes a general category, such as `Lu`, or a common script, such as `Script=Greek`";
    if byte(source, at) != b'{' {
        return Err(UNKNOWN);
    }
    let at = match comes(source, at + 1, "Script=") {
        Some(at) => one_of(source, at, &SCRIPTS),
        None => one_of(source, at + 1, &CATEGORIES),
    };
    match at {
        Some(at) => Ok(Member { at, code: SET, weight: PROPERTY_WEIGHT }),
        None => Err(UNKNOWN),
    }
}

/// Where the `}` behind one of the names ends.
const fn one_of(source: &[u8], at: usize, mut names: &[&str]) -> Option<usize> {
    while let [name, rest @ ..] = names {
        if let Some(end) = comes(source, at, name)
            && byte(source, end) == b'}'
        {
            return Some(end + 1);
        }
        names = rest;
    }
    None
}

/// Where a text ends, if it stands here.
const fn comes(source: &[u8], mut at: usize, text: &str) -> Option<usize> {
    let mut left = text.as_bytes();
    while let [first, rest @ ..] = left {
        if byte(source, at) != *first {
            return None;
        }
        (left, at) = (rest, at + 1);
    }
    Some(at)
}

/// Behind `[`.
const fn class(source: &[u8], mut at: usize) -> Result<Part, &'static str> {
    if byte(source, at) == b'^' {
        at += 1;
    }
    if byte(source, at) == b']' {
        return Err("a class is empty");
    }
    let mut weight = CLASS_WEIGHT;
    while at < source.len() && byte(source, at) != b']' {
        let first = match class_member(source, at) {
            Ok(member) => member,
            Err(error) => return Err(error),
        };
        weight += first.weight + 2;
        at = first.at;
        if byte(source, at) != b'-' || byte(source, at + 1) == b']' {
            continue;
        }
        let last = match class_member(source, at + 1) {
            Ok(member) => member,
            Err(error) => return Err(error),
        };
        if first.code == SET || last.code == SET {
            return Err("a range in a class goes from one character to another");
        }
        if last.code < first.code {
            return Err("a range in a class is out of order");
        }
        at = last.at;
    }
    if at >= source.len() {
        return Err("a `[` is never closed");
    }
    part(at + 1, weight)
}

const fn class_member(source: &[u8], at: usize) -> Result<Member, &'static str> {
    if at >= source.len() {
        return Err("a `[` is never closed");
    }
    match byte(source, at) {
        b'\\' => class_escape(source, at + 1),
        b'[' => Err("a `[` inside of a class is written `\\[`"),
        ascii @ 0..0x80 => member(at + 1, ascii as u32),
        lead => {
            // the source is UTF-8, so its continuation bytes are there
            let (length, mut code) = match lead {
                0xf0.. => (4, (lead & 0x07) as u32),
                0xe0.. => (3, (lead & 0x0f) as u32),
                _ => (2, (lead & 0x1f) as u32),
            };
            let mut i = 1;
            while i < length {
                code = code << 6 | (byte(source, at + i) & 0x3f) as u32;
                i += 1;
            }
            member(at + length, code)
        }
    }
}
