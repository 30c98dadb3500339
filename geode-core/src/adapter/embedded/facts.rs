//! What a text plainly holds: its words, sentences, quotes, numbers and dates.

use std::collections::BTreeSet;

/// What a text plainly holds.
pub(super) struct Facts<'t> {
    /// The stems of its words.
    pub(super) stems: BTreeSet<String>,
    /// Its sentences, in order.
    pub(super) sentences: Vec<&'t str>,
    /// What stands in quotation marks, in order.
    pub(super) quotes: Vec<&'t str>,
    /// Everything between spaces, punctuation around it left off, in order.
    pub(super) tokens: Vec<&'t str>,
    /// Its numbers, in order, each with the stems of the words around it.
    pub(super) numbers: Vec<Number>,
}

/// A number, and what stands around it.
pub(super) struct Number {
    pub(super) value: f64,
    pub(super) around: Vec<String>,
}

/// How many words on each side of a number say what it counts.
const AROUND: usize = 3;

impl<'t> Facts<'t> {
    pub(super) fn of(text: &'t str) -> Self {
        let tokens: Vec<&str> =
            text.split_whitespace().map(trim_punctuation).filter(|token| !token.is_empty()).collect();
        let numbers = tokens
            .iter()
            .enumerate()
            .filter_map(|(at, token)| {
                let value = number(token)?;
                let around =
                    tokens.iter().enumerate().filter(|(other, _)| at.abs_diff(*other).wrapping_sub(1) < AROUND);
                Some(Number { value, around: around.flat_map(|(_, token)| stems(token)).collect() })
            })
            .collect();
        Facts { stems: stems(text).collect(), sentences: sentences(text), quotes: quotes(text), tokens, numbers }
    }

    /// How many of these stems the text has.
    pub(super) fn overlap(&self, of: &BTreeSet<String>) -> usize {
        of.intersection(&self.stems).count()
    }
}

/// The stems of a text's words, those left out that say nothing.
pub(super) fn stems(text: &str) -> impl Iterator<Item = String> + '_ {
    text.split(|c: char| !c.is_alphanumeric())
        .flat_map(split_case)
        .filter(|word| word.chars().count() > 1)
        .map(str::to_lowercase)
        .filter(|word| !SILENT.contains(&word.as_str()))
        .map(|word| stem(&word).to_owned())
}

/// English words that say nothing about a text's subject.
const SILENT: [&str; 72] = [
    "about", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "been", "but", "by", "can", "do",
    "does", "for", "from", "had", "has", "have", "her", "his", "how", "if", "in", "into", "is", "it", "its", "just",
    "may", "me", "more", "my", "no", "not", "of", "on", "one", "only", "or", "other", "our", "out", "over", "she",
    "so", "some", "such", "than", "that", "the", "their", "them", "then", "there", "they", "this", "to", "up", "us",
    "was", "we", "what", "when", "which", "who", "will", "with", "you",
];

/// The words of a name in camel case.
fn split_case(word: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let (mut start, mut lower) = (0, false);
    for (at, c) in word.char_indices() {
        if c.is_uppercase() && lower {
            words.extend(word.get(start..at));
            start = at;
        }
        lower = c.is_lowercase();
    }
    words.extend(word.get(start..));
    words
}

/// A word without the endings that don't change what it speaks of. Rough, and the same for both sides.
fn stem(word: &str) -> &str {
    for ending in ["ations", "ation", "ings", "ing", "ies", "ied", "ed", "es", "ly", "er", "s", "e", "y"] {
        if let Some(stem) = word.strip_suffix(ending)
            && stem.chars().count() >= 3
        {
            return stem;
        }
    }
    word
}

fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let mut start = 0;
    let mut chars = text.char_indices().peekable();
    while let Some((at, c)) = chars.next() {
        let ends = match c {
            '.' | '!' | '?' => chars.peek().is_none_or(|(_, next)| next.is_whitespace()),
            '\n' => true,
            _ => false,
        };
        if ends {
            sentences.extend(text.get(start..at + c.len_utf8()));
            start = at + c.len_utf8();
        }
    }
    sentences.extend(text.get(start..));
    sentences.into_iter().map(str::trim).filter(|sentence| !sentence.is_empty()).collect()
}

fn quotes(text: &str) -> Vec<&str> {
    let mut quotes = Vec::new();
    for (open, close) in [('"', '"'), ('“', '”'), ('«', '»')] {
        let mut rest = text;
        while let Some((_, behind)) = rest.split_once(open) {
            let Some((quote, behind)) = behind.split_once(close) else { break };
            if !quote.trim().is_empty() {
                quotes.push(quote.trim());
            }
            rest = behind;
        }
    }
    quotes
}

/// A number with an optional currency sign, thousands separators and percent sign.
fn number(token: &str) -> Option<f64> {
    let bare = token.trim_start_matches(['$', '€', '£', '#']).trim_end_matches(['%', '€', '$', '£']);
    let digits = bare.replace(',', "");
    let plain = digits.strip_prefix('-').unwrap_or(&digits);
    let well_formed = plain.starts_with(|c: char| c.is_ascii_digit())
        && plain.chars().all(|c| c.is_ascii_digit() || c == '.')
        && plain.len() <= 18;
    if well_formed { digits.parse().ok() } else { None }
}

fn trim_punctuation(token: &str) -> &str {
    token.trim_matches(|c: char| !c.is_alphanumeric() && !matches!(c, '$' | '€' | '£' | '#' | '%' | '-' | '/'))
}
