use super::Arriving;
use crate::engine::{Reading, json_in, read_in};
use crate::json::{ReadOptions, Reader};
use crate::output::StructuredOutput;

const READINGS: [Reading; 4] = [Reading::Strict, Reading::Fenced, Reading::Prose, Reading::Lenient];

fn arriving(reading: Reading) -> Arriving {
    Arriving::new(Some(<Vec<u8>>::SHAPE), &ReadOptions::default(), reading, 10_000)
}

/// Whether the whole text is accepted.
fn accepted(text: &str, reading: Reading) -> bool {
    let mut notes = Vec::new();
    let read = |json: &str| Reader::read::<Vec<u8>>(json, &ReadOptions::default());
    json_in(text, reading, &mut notes).and_then(|json| read_in(json, reading, &mut notes, read)).is_ok()
}

#[test]
fn no_text_that_would_be_accepted_is_stopped_wherever_it_is_cut() {
    let texts = [
        "[1, 2]",
        "\u{feff}\n [1]\n",
        "```json\n[1, 2]\n```\n",
        "```\n[1]```",
        "```json\n[1]\n",
        "<think>[x]</think>\n[1]",
        "<thinking>?</thinking>```json\n[1]\n```",
        "[\"1\", 2]",
        "\"[1]\"",
        "\"[\n1]\"",
        "[1] and more",
        "[\"x\"]",
        "",
    ];
    for (text, reading) in texts.iter().flat_map(|text| READINGS.map(|reading| (*text, reading))) {
        for size in 1..=text.len() {
            let mut arriving = arriving(reading);
            let characters: Vec<char> = text.chars().collect();
            let stopped = characters.chunks(size).any(|piece| arriving.push(&String::from_iter(piece)).is_err());
            assert!(!(stopped && accepted(text, reading)), "{text:?} by {size}, {reading:?}");
        }
    }
}

#[test]
fn whitespace_without_end_is_stopped_but_not_within_a_string() {
    for begun in ["", "\u{feff}", "[", "[1,", "[1]", "```json\n[1"] {
        let mut arriving = arriving(Reading::Fenced);
        arriving.push(begun).unwrap();
        let pushed = (0..100).position(|_| arriving.push(&"\n ".repeat(50)).is_err());
        assert_eq!(pushed, Some(20), "{begun:?}");
    }
    let mut text = Arriving::new(Some(String::SHAPE), &ReadOptions::default(), Reading::Strict, 1 << 20);
    text.push("\"").unwrap();
    (0..100).for_each(|_| text.push(&" ".repeat(100)).unwrap());
}

#[test]
fn a_head_that_never_ends_is_no_answer_to_preview() {
    for text in ["```never a line", "prose ", "<think>"] {
        let mut arriving = arriving(Reading::Fenced);
        (0..1_000).for_each(|_| arriving.push(text).unwrap());
        assert!(arriving.preview().is_none() && arriving.head.is_empty(), "{text}");
    }
}
