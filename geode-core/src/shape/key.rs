//! A property name, prepared so that the reader can tell in a few instructions whether it comes next.

/// A property name as it stands in JSON text, with some of its bytes as machine words.
///
/// The words are little-endian parts of `"name":`: the first seven bytes, which leave room for a comma in front, the
/// eight after those, and the last eight. One to three comparisons of words decide about every name of up to 20 bytes.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The name itself.
    pub name: &'static str,
    pub(crate) head: u64,
    /// The bytes of `head` that exist.
    pub(crate) head_mask: u64,
    pub(crate) middle: u64,
    pub(crate) last: u64,
}

impl Key {
    /// Prepares a name.
    pub const fn new(name: &'static str) -> Self {
        let bytes = name.as_bytes();
        let mut plain = true;
        let mut left = bytes;
        while let [first, rest @ ..] = left {
            if matches!(first, 0..0x20 | b'"' | b'\\') {
                plain = false;
            }
            left = rest;
        }
        if !plain {
            return Key::absent(name);
        }
        let quoted = bytes.len() + 3;
        let (head, head_mask) = word(bytes, 0);
        let (middle, _) = word(bytes, 7);
        let (last, _) = word(bytes, quoted.saturating_sub(8));
        Key { name, head: head & SEVEN, head_mask: head_mask & SEVEN, middle, last }
    }

    /// A name that is never found by comparing words: one that JSON text would escape, or that of a field whose own
    /// fields stand in its place. No UTF-8 text has these bytes.
    pub(crate) const fn absent(name: &'static str) -> Self {
        Key { name, head: SEVEN, head_mask: SEVEN, middle: 0, last: 0 }
    }
}

/// The lower seven bytes of a word.
const SEVEN: u64 = u64::MAX >> 8;

/// Eight bytes of `"name":` from `start` on, and a mask of those that exist.
const fn word(name: &[u8], start: usize) -> (u64, u64) {
    let quoted = name.len() + 3;
    let (mut value, mut mask) = (0u64, 0u64);
    let mut i = 0;
    while i < 8 && start + i < quoted {
        let at = start + i;
        let byte = if at == 0 {
            b'"'
        } else if at == name.len() + 2 {
            b':'
        } else {
            match name.split_at_checked(at - 1) {
                Some((_, [byte, ..])) => *byte,
                _ => b'"',
            }
        };
        value |= (byte as u64) << (8 * i);
        mask |= 0xff << (8 * i);
        i += 1;
    }
    (value, mask)
}
