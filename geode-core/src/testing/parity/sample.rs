//! Random choices, and texts that match patterns and formats.

use regex_syntax::hir::{Class, Hir, HirKind};

/// SplitMix64: small, fast, and the same on every machine.
#[derive(Debug, Clone)]
pub(super) struct Chance(pub(super) u64);

impl Chance {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number below `bound`; zero where there is none.
    pub(super) fn below(&mut self, bound: usize) -> usize {
        if bound == 0 { 0 } else { (self.next() % bound as u64) as usize }
    }

    pub(super) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    /// One of the elements.
    pub(super) fn pick<'e, T>(&mut self, elements: &'e [T]) -> Option<&'e T> {
        elements.get(self.below(elements.len()))
    }

    /// A text of so many characters.
    pub(super) fn text(&mut self, length: usize) -> String {
        const CHARACTERS: [char; 16] =
            ['a', 'b', 'Z', '0', '7', ' ', '-', '_', '.', '"', '\\', '\n', 'é', '語', '🙂', '\u{0}'];
        (0..length).filter_map(|_| self.pick(&CHARACTERS).copied()).collect()
    }

    /// A text that has the format.
    pub(super) fn formatted(&mut self, format: &str) -> Option<&'static str> {
        let texts: &[&str] = match format {
            "date-time" => &["2026-01-02T03:04:05Z", "1999-12-31T23:59:59.999+05:30", "2024-02-29T00:00:00-00:00"],
            "date" => &["2026-01-02", "2024-02-29", "0001-01-01"],
            "time" => &["03:04:05Z", "23:59:59.5+01:00", "00:00:00-12:00"],
            "duration" => &["P1D", "PT36H", "P1Y2M3DT4H5M6S", "P2W", "PT0S"],
            "email" => &["a@example.org", "first.last+tag@sub.example.com"],
            "hostname" => &["example.org", "a", "xn--bcher-kva.example"],
            "ipv4" => &["127.0.0.1", "255.255.255.255", "0.0.0.0"],
            "ipv6" => &["::1", "2001:db8::ff00:42:8329", "::ffff:192.0.2.1"],
            "uri" => &["https://example.org/a?b=c#d", "urn:isbn:0451450523", "mailto:a@example.org"],
            "uuid" => &["67e55044-10b1-426f-9247-bb680e5fe0c8", "00000000-0000-0000-0000-000000000000"],
            _ => return None,
        };
        self.pick(texts).copied()
    }

    /// A text that matches the pattern, where the pattern can be read.
    pub(super) fn matching(&mut self, pattern: &str) -> Option<String> {
        let mut text = String::new();
        self.spell(&regex_syntax::parse(pattern).ok()?, &mut text);
        Some(text)
    }

    fn spell(&mut self, expression: &Hir, out: &mut String) {
        match expression.kind() {
            HirKind::Empty | HirKind::Look(_) => {}
            HirKind::Literal(literal) => out.push_str(&String::from_utf8_lossy(&literal.0)),
            HirKind::Class(Class::Unicode(class)) => {
                if let Some(range) = self.pick(class.ranges()) {
                    let span = u32::from(range.end()) - u32::from(range.start());
                    let offset = self.below(span as usize + 1) as u32;
                    out.push(char::from_u32(u32::from(range.start()) + offset).unwrap_or(range.start()));
                }
            }
            HirKind::Class(Class::Bytes(class)) => {
                out.extend(self.pick(class.ranges()).map(|range| char::from(range.start())));
            }
            HirKind::Repetition(repetition) => {
                let most = repetition.max.unwrap_or(repetition.min.saturating_add(3));
                let count = repetition.min as usize + self.below((most - repetition.min) as usize + 1);
                for _ in 0..count.min(200) {
                    self.spell(&repetition.sub, out);
                }
            }
            HirKind::Capture(capture) => self.spell(&capture.sub, out),
            HirKind::Concat(parts) => parts.iter().for_each(|part| self.spell(part, out)),
            HirKind::Alternation(parts) => {
                if let Some(part) = self.pick(parts) {
                    self.spell(part, out);
                }
            }
        }
    }
}
