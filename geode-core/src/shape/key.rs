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
        let mut words = Words::EMPTY.then(b'"');
        let mut left = name.as_bytes();
        while let [byte, rest @ ..] = left {
            if matches!(byte, 0..0x20 | b'"' | b'\\') {
                return Key::absent(name);
            }
            words = words.then(*byte);
            left = rest;
        }
        let Words { front, last, length } = words.then(b'"').then(b':');
        let head_mask = if length < 7 { (1 << (8 * length)) - 1 } else { SEVEN };
        Key { name, head: front as u64 & SEVEN, head_mask, middle: (front >> 56) as u64, last }
    }

    /// A name that is never found by comparing words: one that JSON text would escape, or that of a field whose own
    /// fields stand in its place. No UTF-8 text has these bytes.
    pub(crate) const fn absent(name: &'static str) -> Self {
        Key { name, head: SEVEN, head_mask: SEVEN, middle: 0, last: 0 }
    }
}

/// The lower seven bytes of a word.
const SEVEN: u64 = u64::MAX >> 8;

/// Parts of a text that grows byte by byte: one step a byte, since each step of each name is one that the compiler has to
/// interpret.
struct Words {
    /// The first sixteen bytes.
    front: u128,
    /// The last eight.
    last: u64,
    length: u32,
}

impl Words {
    const EMPTY: Words = Words { front: 0, last: 0, length: 0 };

    const fn then(self, byte: u8) -> Self {
        let shift = 8 * self.length;
        Words {
            front: if shift < 128 { self.front | (byte as u128) << shift } else { self.front },
            last: self.last >> 8 | (byte as u64) << 56,
            length: self.length + 1,
        }
    }
}
