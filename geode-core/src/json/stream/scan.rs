//! Finding the end of plain text in a JSON string.

/// Offset of the first byte from `from` on that is a quote, a backslash or a control character; else the length.
#[inline]
pub(super) fn string_run(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return at + (special.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    if let Some(half) = bytes.get(at..).and_then(|rest| rest.first_chunk::<4>()) {
        let special = special_bytes(u64::from(u32::from_le_bytes(*half)) | SPACES << 32);
        if special != 0 {
            return at + (special.trailing_zeros() / 8) as usize;
        }
        at += 4;
    }
    while let Some(&byte) = bytes.get(at) {
        if byte < 0x20 || byte == b'"' || byte == b'\\' {
            break;
        }
        at += 1;
    }
    at
}

/// Four bytes that are nothing special.
const SPACES: u64 = 0x2020_2020;

/// The high bit of each byte that is a quote, a backslash or a control character. Bits above the lowest may be false.
#[inline]
fn special_bytes(word: u64) -> u64 {
    const ONES: u64 = u64::MAX / 255;
    const HIGH: u64 = ONES << 7;
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * limit as u64) & !word;
    let equal = |byte: u8| below(word ^ (ONES * byte as u64), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & HIGH
}
