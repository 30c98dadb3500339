//! A property name, prepared so that the reader can tell in a few instructions whether it comes next.

/// A property name as it stands in JSON text, with its first bytes as machine words.
///
/// `head` and `tail` hold the first sixteen bytes of `"name":` in little-endian order, masked to its length, so that
/// one or two comparisons of words decide about most names.
#[derive(Debug, Clone, Copy)]
pub struct Key {
    /// The name itself.
    pub name: &'static str,
    pub(crate) head: u64,
    pub(crate) head_mask: u64,
    pub(crate) tail: u64,
    pub(crate) tail_mask: u64,
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
        // a name that JSON text would escape is never found by comparing bytes: no text has this head
        let (head, head_mask) = if plain { word(bytes, 0) } else { (0, u64::MAX) };
        let (tail, tail_mask) = word(bytes, 8);
        Key { name, head, head_mask, tail, tail_mask }
    }

    /// A name that is never found by comparing bytes: that of a field whose own fields stand in its place.
    pub(crate) const fn absent(name: &'static str) -> Self {
        Key { head: 0, head_mask: u64::MAX, ..Key::new(name) }
    }
}

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
