//! Expressions so plain that no engine is needed: `^[A-Z]{3}-[0-9]{4}$` and the like.

/// A fixed number of ASCII classes, anchored: for each byte, the characters allowed, one bit each.
#[derive(Debug)]
pub(super) struct Steps(Vec<[u64; 2]>);

/// Longest text that is matched this way.
const MOST: usize = 256;

impl Steps {
    /// Compiles an expression of the subset; `None` where it takes an engine.
    pub(super) fn new(source: &str) -> Option<Self> {
        let body = source.strip_prefix('^')?.strip_suffix('$')?;
        let mut rest = body.as_bytes();
        let mut steps = Vec::new();
        while let Some((&byte, behind)) = rest.split_first() {
            rest = behind;
            let set: u128 = match byte {
                b'[' => class(&mut rest)?,
                b'\\' => escape(&mut rest)?,
                b'.' | b'(' | b')' | b'|' | b'*' | b'+' | b'?' | b'{' | b'}' | b'^' | b'$' => return None,
                0..0x80 => 1 << byte,
                _ => return None,
            };
            let count = count(&mut rest)?;
            if count > MOST - steps.len() {
                return None;
            }
            steps.resize(steps.len() + count, [set as u64, (set >> 64) as u64]);
        }
        Some(Steps(steps))
    }

    /// Whether the whole text matches.
    pub(super) fn is_match(&self, text: &str) -> bool {
        let allows = |(set, &byte): (&[u64; 2], &u8)| {
            set.get(usize::from(byte / 64)).is_some_and(|half| half >> (byte % 64) & 1 != 0)
        };
        text.len() == self.0.len() && self.0.iter().zip(text.as_bytes()).all(allows)
    }
}

/// A count in braces, or one.
fn count(rest: &mut &[u8]) -> Option<usize> {
    match rest.first() {
        Some(b'*' | b'+' | b'?') => None,
        Some(b'{') => {
            let end = rest.iter().position(|&byte| byte == b'}')?;
            let count = std::str::from_utf8(rest.get(1..end)?).ok()?.parse().ok()?;
            *rest = rest.get(end + 1..)?;
            if rest.first() == Some(&b'?') { None } else { Some(count) }
        }
        _ => Some(1),
    }
}

const DIGITS: u128 = range(b'0', b'9');
const WORD: u128 = DIGITS | range(b'A', b'Z') | range(b'a', b'z') | 1 << b'_';

const fn range(first: u8, last: u8) -> u128 {
    (u128::MAX >> (127 - last)) & (u128::MAX << first)
}

/// Behind `\`.
fn escape(rest: &mut &[u8]) -> Option<u128> {
    let (&byte, behind) = rest.split_first()?;
    *rest = behind;
    match byte {
        b'd' => Some(DIGITS),
        b'w' => Some(WORD),
        b'0'..=b'9' | b'a'..=b'z' | b'A'..=b'Z' => None,
        0..0x80 => Some(1 << byte),
        _ => None,
    }
}

/// Behind `[`.
fn class(rest: &mut &[u8]) -> Option<u128> {
    let mut set = 0;
    let mut first = true;
    loop {
        let (&byte, behind) = rest.split_first()?;
        *rest = behind;
        let from = match byte {
            b'^' if first => return None,
            b']' => return Some(set),
            b'\\' => {
                set |= escape(rest)?;
                // `[\--a]` is a range; it's for the engine
                if rest.first() == Some(&b'-') && rest.get(1) != Some(&b']') {
                    return None;
                }
                first = false;
                continue;
            }
            0..0x80 => byte,
            _ => return None,
        };
        first = false;
        match *rest {
            [b'-', last, ..] if *last != b']' => {
                if *last == b'\\' || *last >= 0x80 {
                    return None;
                }
                set |= range(from, *last);
                *rest = rest.get(2..)?;
            }
            _ => set |= 1 << from,
        }
    }
}
