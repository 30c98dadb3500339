//! The known word that an unknown one was probably meant to be.

/// The candidate closest to `word`, if one is close enough to be a slip of it.
///
/// Close enough is a distance (insertions, deletions, replacements and swaps of neighbours, case ignored) of at most a
/// third of the longer word's length.
pub(crate) fn nearest<'a>(word: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let word: Vec<char> = word.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
    candidates
        .into_iter()
        .filter_map(|candidate| {
            let letters: Vec<char> = candidate.chars().take(LONGEST).flat_map(char::to_lowercase).collect();
            let allowed = (word.len().max(letters.len()) / 3).max(1);
            let distance = distance(&word, &letters);
            (distance <= allowed && distance < letters.len()).then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Longer words are compared by this many first characters.
const LONGEST: usize = 64;

/// Optimal string alignment distance.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut left = i + 1;
        let mut row = vec![left];
        for (j, (y, [corner, above])) in b.iter().zip(last.array_windows()).enumerate() {
            left = (corner + usize::from(x != y)).min(above + 1).min(left + 1);
            if i > 0
                && j > 0
                && a.get(i - 1) == Some(y)
                && b.get(j - 1) == Some(x)
                && let Some(swapped) = before.get(j - 1)
            {
                left = left.min(swapped + 1);
            }
            row.push(left);
        }
        before = std::mem::replace(&mut last, row);
    }
    last.last().copied().unwrap_or_default()
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
}
