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

/// Length of the plain text that `bytes` starts with.
#[inline(never)]
fn plain_length(bytes: &[u8]) -> usize {
    let mut rest = bytes;
    while let Some((chunk, behind)) = rest.split_first_chunk::<16>() {
        // in this form each of the two becomes a few vector instructions
        if chunk.iter().fold(false, |any, byte| any | stops(*byte)) {
            let stops = u128::from_le_bytes(chunk.map(|byte| if stops(byte) { 0xff } else { 0 }));
            return bytes.len() - rest.len() + (stops.trailing_zeros() / 8) as usize;
        }
        rest = behind;
    }
    while let [byte, behind @ ..] = rest
        && !stops(*byte)
    {
        rest = behind;
    }
    bytes.len() - rest.len()
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
