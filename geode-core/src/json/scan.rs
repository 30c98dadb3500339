//! Looking for the next interesting byte, eight at a time.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// Eight bytes from `at` on, as a little-endian word; `None` where fewer are left.
#[inline(always)]
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..)?.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// Position of the first `"`, `\` or control byte from `at` on, or the length.
#[inline(always)]
pub(crate) fn string_stop(bytes: &[u8], mut at: usize) -> usize {
    while let Some(word) = word(bytes, at) {
        let quote = word ^ (ONES * b'"' as u64);
        let escape = word ^ (ONES * b'\\' as u64);
        let hit = (quote.wrapping_sub(ONES) & !quote
            | escape.wrapping_sub(ONES) & !escape
            | word.wrapping_sub(ONES * 0x20) & !word)
            & HIGH;
        if hit != 0 {
            return at + (hit.trailing_zeros() / 8) as usize;
        }
        at += 8;
    }
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' || byte == b'\\' || byte < 0x20 {
            break;
        }
        at += 1;
    }
    at
}

/// Position of the first byte from `at` on that is no JSON white space, or the length.
#[inline(never)]
pub(crate) fn skip_white(bytes: &[u8], mut at: usize) -> usize {
    loop {
        match bytes.get(at) {
            Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
            _ => return at,
        }
        if bytes.get(at).is_some_and(|&byte| byte > b' ') {
            return at;
        }
        // indentation
        while let Some(word) = word(bytes, at) {
            let spaces = ((word ^ (ONES * 0x20)).trailing_zeros() / 8) as usize;
            at += spaces;
            if spaces < 8 {
                break;
            }
        }
    }
}
