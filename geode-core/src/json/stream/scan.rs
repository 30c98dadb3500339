//! Finding the end of plain text in a JSON string.

/// Offset of the first byte from `from` on that is a quote, a backslash or a control character; else the length.
///
/// Made for pieces of a few bytes: what is left of one is looked at in one go, without a branch on where it ends.
#[inline(always)]
pub(super) fn string_run(bytes: &[u8], from: usize) -> usize {
    let left = bytes.len().wrapping_sub(from);
    match bytes.last_chunk() {
        Some(last) if left <= 4 => {
            let special = u64::from(special_bytes(u32::from_le_bytes(*last)));
            let stop = special >> (32 - 8 * left) | 1 << (8 * left);
            from + (stop.trailing_zeros() / 8) as usize
        }
        _ => long_run(bytes, from),
    }
}

#[inline(never)]
fn long_run(bytes: &[u8], from: usize) -> usize {
    let mut at = from;
    while let Some(word) = bytes.get(at..).and_then(|rest| rest.first_chunk()) {
        let special = special_bytes(u32::from_le_bytes(*word));
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

/// The high bit of each byte that is a quote, a backslash or a control character.
#[inline(always)]
fn special_bytes(word: u32) -> u32 {
    const ONES: u32 = u32::MAX / 255;
    const LOW: u32 = ONES * 0x7f;
    // the high bit of each byte that is at least `limit`, or not ASCII
    let reaches = |word: u32, limit: u32| ((word & LOW) + ONES * (0x80 - limit)) | word;
    // below 0x20 or a quote: with the second bit turned, just what is below 0x21
    !(reaches(word ^ (ONES * 2), 0x21) & reaches(word ^ (ONES * b'\\' as u32), 1)) & !LOW
}
