//! Looking for the next interesting byte, several at a time.

const ONES: u64 = u64::MAX / 255;

/// Eight bytes from `at` on, as a little-endian word; `None` where fewer are left.
#[inline(always)]
pub(crate) fn word(bytes: &[u8], at: usize) -> Option<u64> {
    bytes.get(at..).and_then(first_word)
}

/// The first eight bytes as a little-endian word; `None` where there are fewer.
#[inline(always)]
pub(crate) fn first_word(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().map(|chunk| u64::from_le_bytes(*chunk))
}

/// Position of the first `"`, `\` or control byte from `at` on, or the length.
#[inline(always)]
pub(crate) fn string_stop(bytes: &[u8], at: usize) -> usize {
    at + bytes.get(at..).map_or(0, plain_length)
}

/// Length of the plain text that `bytes` starts with. Most texts are short: what comes next waits for less than for a
/// vector.
#[inline(never)]
fn plain_length(bytes: &[u8]) -> usize {
    match bytes.split_first_chunk::<16>() {
        Some((chunk, behind)) => first_stop(chunk).unwrap_or_else(|| 16 + long_plain_length(behind)),
        None => last_plain_length(bytes),
    }
}

/// The same for the rest of a long text.
#[inline(never)]
fn long_plain_length(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((chunk, behind)) = rest.split_first_chunk::<16>() {
        // in this form it becomes a few vector instructions
        if chunk.iter().fold(false, |any, byte| any | stops(*byte)) {
            return bytes.len() - rest.len() + first_stop(chunk).unwrap_or(16);
        }
        rest = behind;
    }
    bytes.len() - rest.len() + last_plain_length(rest)
}

/// The same for the last few bytes.
fn last_plain_length(bytes: &[u8]) -> usize {
    bytes.iter().position(|byte| stops(*byte)).unwrap_or(bytes.len())
}

/// Place of the first byte that ends plain text.
#[inline(always)]
fn first_stop(chunk: &[u8; 16]) -> Option<usize> {
    let stops = |half: &[u8]| first_word(half).map_or(0, stops_in);
    let (low, high) = chunk.split_at(8);
    match (stops(low), stops(high)) {
        (0, 0) => None,
        (0, high) => Some(8 + (high.trailing_zeros() / 8) as usize),
        (low, _) => Some((low.trailing_zeros() / 8) as usize),
    }
}

/// The high bits of bytes that end plain text in a string; bits above the first may be false.
#[inline(always)]
fn stops_in(word: u64) -> u64 {
    let quotes_and_controls = (word ^ (ONES * 2)).wrapping_sub(ONES * 0x21);
    let backslashes = (word ^ (ONES * b'\\' as u64)).wrapping_sub(ONES);
    (quotes_and_controls | backslashes) & !word & (ONES << 7)
}

/// Whether a byte ends plain text in a string.
#[inline(always)]
fn stops(byte: u8) -> bool {
    // below 0x20 or a quote: with the second bit turned, just what is below 0x21
    byte ^ 2 < 0x21 || byte == b'\\'
}

/// Position of the first byte from `at` on that is no JSON white space, or the length.
#[inline(always)]
pub(crate) fn skip_white(bytes: &[u8], at: usize) -> usize {
    match bytes.get(at) {
        Some(&byte) if byte > b' ' => at,
        _ => skip_some_white(bytes, at),
    }
}

/// What a word looks like that is a line break and then spaces.
const LINE_BREAK_AND_SPACES: u64 = (ONES * 0x20) ^ (0x20 ^ 0x0a);

#[inline(never)]
fn skip_some_white(bytes: &[u8], mut at: usize) -> usize {
    // a space, or a line break and indentation
    if let Some(word) = word(bytes, at) {
        let line = ((word ^ LINE_BREAK_AND_SPACES).trailing_zeros() / 8) as usize;
        let white = if word as u8 == b' ' { 1 } else { line };
        at += white;
        if bytes.get(at).is_some_and(|&byte| byte > b' ') {
            return at;
        }
    }
    skip_any_white(bytes, at)
}

#[inline(never)]
fn skip_any_white(bytes: &[u8], mut at: usize) -> usize {
    loop {
        while let Some(word) = word(bytes, at) {
            let spaces = ((word ^ (ONES * 0x20)).trailing_zeros() / 8) as usize;
            at += spaces;
            if spaces < 8 {
                break;
            }
        }
        match bytes.get(at) {
            Some(b' ' | b'\n' | b'\r' | b'\t') => at += 1,
            _ => return at,
        }
    }
}
