use super::Arriving;
use crate::engine::{Reading, json_in, read_in};
use crate::json::stream::PreviewKind;
use crate::json::{ReadOptions, Reader};
use crate::outcome::{Failure, IncompleteReason};
use crate::output::StructuredOutput;
use proptest::prelude::*;

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
        "```\n\u{feff}[1]",
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

#[test]
fn shows_the_same_however_the_text_is_cut() {
    let texts = [
        (Reading::Strict, "\u{feff} \n{\"a\": \"é\"}\r\n"),
        (Reading::Fenced, "{\"a\": \"é\"}"),
        (Reading::Fenced, "\n```json\n{\"a\": \"é\"}\n```\n"),
        (Reading::Fenced, "```\n{\"a\": \"é\"}```"),
        (Reading::Prose, "{\"a\": \"é\"}\nas you asked"),
        (Reading::Prose, "```json\n{\"a\": \"é\"}\n```\nSee {above}."),
    ];
    for (reading, text) in texts {
        let characters: Vec<char> = text.chars().collect();
        for size in 1..=characters.len() {
            let mut arriving = Arriving::new(None, &ReadOptions::default(), reading, 10_000);
            characters.chunks(size).for_each(|piece| arriving.push(&String::from_iter(piece)).unwrap());
            let value = arriving.preview().unwrap();
            assert!(value.is_done(), "{text:?} by {size}");
            assert_eq!(value.get("/a").unwrap().as_str(), Some("é"), "{text:?} by {size}");
        }
    }
}

#[test]
fn unwraps_the_root() {
    let options = ReadOptions { wrapped_root: true, ..ReadOptions::default() };
    let mut arriving = Arriving::new(Some(<Vec<u8>>::SHAPE), &options, Reading::Strict, 100);
    arriving.push("{").unwrap();
    assert!(arriving.preview().is_none());
    arriving.push("\"value\": [1, 2").unwrap();
    let value = arriving.preview().unwrap();
    assert_eq!((value.kind(), value.elements().count()), (PreviewKind::Array, 1));
}

#[test]
fn stops_at_what_no_value_of_the_shape_can_begin_with() {
    for (reading, text) in [(Reading::Strict, "[1, {"), (Reading::Fenced, "```json\n[1, {")] {
        match arriving(reading).push(text) {
            Err(Failure::InvalidSchema(report)) => assert_eq!(report.violations()[0].pointer(), "/1"),
            other => panic!("{other:?}"),
        }
    }
    // amid prose another value may follow
    arriving(Reading::Prose).push("[1, {").unwrap();
}

#[test]
fn stops_at_the_size_limit() {
    let mut arriving = Arriving::new(None, &ReadOptions::default(), Reading::Strict, 8);
    arriving.push("\"1234567").unwrap();
    let failure = arriving.push("89").unwrap_err();
    assert!(matches!(failure, Failure::Incomplete { reason: IncompleteReason::TooLarge }));
}

proptest! {
    #[test]
    fn no_text_that_would_be_accepted_is_stopped(
        parts in proptest::collection::vec(
            proptest::sample::select(vec![
                "```", "`", "json", "\n", " ", "[", "]", "1", ",", "[1]", "\"", "{", "}", "<think>", "</think>", "word",
                "\u{feff}",
            ]),
            0..10,
        ),
        reading in proptest::sample::select(READINGS.to_vec()),
    ) {
        let mut arriving = arriving(reading);
        let stopped = parts.iter().any(|part| arriving.push(part).is_err());
        prop_assert!(!(stopped && accepted(&parts.concat(), reading)), "{:?}, {:?}", parts, reading);
    }
}
