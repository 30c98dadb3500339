//! The known word that an unknown one was probably meant to be.
//!
//! Of our own, though `strsim` has the distance: a report asks for it once for each violation and name, and this one
//! allocates nothing and stops at the first row that is too far. The derive has a plain one, for messages at compile time.

/// The candidate closest to `word`, if one is close enough to be a slip of it.
///
/// Close enough is a distance (insertions, deletions, replacements and swaps of neighbours, case ignored) of at most a
/// third of the longer word's length.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word = Letters::of(word);
    let mut best = None;
    let mut below = usize::MAX;
    for candidate in candidates {
        let count = candidate.chars().count().min(LONGEST);
        let slip = (word.count.max(count) / 3).max(1);
        // no farther than a slip, nearer than the best so far, and something of the candidate must be there
        let Some(most) = below.min(slip + 1).min(count).checked_sub(1) else { continue };
        if word.count.abs_diff(count) > most {
            continue;
        }
        let candidate_letters = Letters::of(candidate);
        // each letter that only the one has costs a step of its own
        let (ours, theirs) = (word.set & !candidate_letters.set, candidate_letters.set & !word.set);
        if ours.count_ones().max(theirs.count_ones()) as usize > most {
            continue;
        }
        if let Some(distance) = distance(word.letters(), candidate_letters.letters(), most) {
            (best, below) = (Some(candidate), distance);
        }
    }
    best
}

/// Longer words are compared by this many first characters.
const LONGEST: usize = 64;

/// A word without regard to case.
struct Letters {
    all: [char; LONGEST],
    count: usize,
    /// A bit for each letter that is in it; several letters share one.
    set: u64,
}

impl Letters {
    fn of(word: &str) -> Self {
        let mut letters = Letters { all: ['\0'; LONGEST], count: 0, set: 0 };
        for letter in word.chars().take(LONGEST) {
            match letter {
                'A'..='Z' => letters.add(letter.to_ascii_lowercase()),
                '\0'..='\x7f' => letters.add(letter),
                _ => letter.to_lowercase().for_each(|letter| letters.add(letter)),
            }
        }
        letters
    }

    fn add(&mut self, letter: char) {
        if let Some(slot) = self.all.get_mut(self.count) {
            *slot = letter;
            self.count += 1;
            self.set |= 1 << (u32::from(letter) % 64);
        }
    }

    fn letters(&self) -> &[char] {
        self.all.get(..self.count).unwrap_or_default()
    }
}

/// Optimal string alignment distance, where it is at most `most`.
fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    // no distance is above the longer length, and bytes are soon filled
    let [before, last, row] = &mut [[0u8; LONGEST + 1]; 3];
    let (mut before, mut last, mut row) = (before, last, row);
    for (column, cell) in (0..).zip(last.iter_mut()) {
        *cell = column;
    }
    for (i, x) in a.iter().enumerate() {
        let [first, cells @ ..] = &mut *row;
        *first = i as u8 + 1;
        let (mut left, mut least) = (*first, *first);
        for (j, ((y, [corner, above]), cell)) in b.iter().zip(last.array_windows()).zip(cells).enumerate() {
            left = (corner + u8::from(x != y)).min(above + 1).min(left + 1);
            if i > 0
                && j > 0
                && a.get(i - 1) == Some(y)
                && b.get(j - 1) == Some(x)
                && let Some(swapped) = before.get(j - 1)
            {
                left = left.min(swapped + 1);
            }
            *cell = left;
            least = least.min(left);
        }
        // a row's least never falls from one row to the next
        if usize::from(least) > most {
            return None;
        }
        (before, last, row) = (last, row, before);
    }
    last.get(b.len()).map(|distance| usize::from(*distance)).filter(|distance| *distance <= most)
}

#[cfg(test)]
mod tests {
    use super::nearest;

    #[test]
    fn finds_a_slip_and_nothing_far_off() {
        let words = ["refund", "lookup_order", "search"];
        assert_eq!(nearest("refnud", words), Some("refund"));
        assert_eq!(nearest("Lookup-Order", words), Some("lookup_order"));
        assert_eq!(nearest("weather", words), None);
        assert_eq!(nearest("", words), None);
        assert_eq!(nearest("x", ["y"]), None);
    }

    #[test]
    fn takes_the_nearest_and_of_equals_the_first() {
        assert_eq!(nearest("categori", ["categories", "category", "categoric"]), Some("category"));
        assert_eq!(nearest("abxd", ["abcd", "abd", "abed"]), Some("abcd"));
    }

    #[test]
    fn looks_at_the_beginning_of_long_words_only() {
        let (long, longer) = ("a".repeat(64), "a".repeat(90));
        assert_eq!(nearest(&longer, [long.as_str()]), Some(long.as_str()));
    }
}
