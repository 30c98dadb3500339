//! Finding the end of plain text in a JSON string.

/// Offset of the first byte from `from` on that is a quote, a backslash or a control character; else the length.
#[inline]
pub(super) fn string_run(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk::<8>()) {
        let special = special_bytes(u64::from_le_bytes(*word));
        if special != 0 {
            return at + first_byte(special);
        }
        at += 8;
    }
    let Some(rest) = bytes.get(at..) else { return at };
    let special = special_bytes(last_bytes(rest) | SPACES.checked_shl(8 * rest.len() as u32).unwrap_or(0));
    if special == 0 { bytes.len() } else { at + first_byte(special) }
}

/// Up to seven bytes in little-endian order, without a branch for each.
#[inline]
fn last_bytes(rest: &[u8]) -> u64 {
    if let (Some(head), Some(tail)) = (rest.first_chunk::<4>(), rest.last_chunk::<4>()) {
        let (head, tail) = (u32::from_le_bytes(*head), u32::from_le_bytes(*tail));
        return u64::from(head) | u64::from(tail) << (8 * (rest.len() - 4));
    }
    let byte = |at: usize| rest.get(at).map_or(0, |byte| u64::from(*byte) << (8 * at));
    byte(0) | byte(1) | byte(2)
}

const SPACES: u64 = ONES * b' ' as u64;
const ONES: u64 = u64::MAX / 255;

/// The high bit of each byte that is a quote, a backslash or a control character. Bits above the lowest may be false.
#[inline]
fn special_bytes(word: u64) -> u64 {
    const HIGH: u64 = ONES << 7;
    let below = |word: u64, limit: u8| word.wrapping_sub(ONES * limit as u64) & !word;
    let equal = |byte: u8| below(word ^ (ONES * byte as u64), 1);
    (below(word, 0x20) | equal(b'"') | equal(b'\\')) & HIGH
}

#[inline]
fn first_byte(special: u64) -> usize {
    (special.trailing_zeros() / 8) as usize
}
