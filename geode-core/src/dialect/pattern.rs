//! What a pattern uses that a provider may not take.

use super::facts::PatternLimits;

impl PatternLimits {
    /// What `pattern` uses that is not taken, if anything, in words.
    pub fn breach(&self, pattern: &str) -> Option<&'static str> {
        let bytes = pattern.as_bytes();
        let mut in_class = false;
        let mut position = 0;
        while let Some(&byte) = bytes.get(position) {
            let rest = bytes.get(position + 1..).unwrap_or_default();
            match byte {
                b'\\' => {
                    match rest.first() {
                        Some(b'b' | b'B') if !in_class && !self.word_boundaries => return Some("word boundaries"),
                        Some(b'1'..=b'9' | b'k') if !in_class && !self.backreferences => return Some("backreferences"),
                        _ => {}
                    }
                    position += 1;
                }
                b'[' => in_class = true,
                b']' => in_class = false,
                b'(' if !in_class && !self.lookaround && is_lookaround(rest) => return Some("lookaround"),
                b'{' if !in_class && self.repetition.is_some_and(|limit| largest_count(rest) > limit) => {
                    return Some("large repetition counts");
                }
                _ => {}
            }
            position += 1;
        }
        None
    }
}

fn is_lookaround(rest: &[u8]) -> bool {
    [b"?=".as_slice(), b"?!", b"?<=", b"?<!"].iter().any(|start| rest.starts_with(start))
}

/// The larger number of `n,m}`, or zero where none stands there.
fn largest_count(text: &[u8]) -> u32 {
    let end = text.iter().position(|byte| *byte == b'}').unwrap_or(0);
    let counts = text.get(..end).unwrap_or_default();
    counts
        .split(|byte| *byte == b',')
        .filter_map(|digits| std::str::from_utf8(digits).ok()?.parse().ok())
        .max()
        .unwrap_or(0)
}
