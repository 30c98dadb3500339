//! Part `stream`: a preview after every four bytes of a text that comes in pieces, against one whole parse of it.

use std::hint::black_box;

use geode::json::stream::PushParser;
use serde::de::DeserializeOwned;

use crate::callgrind::{self, Counter};
use crate::inputs;
use crate::measure::{Case, medians, target};

/// Bytes of a piece: about a token.
const PIECE: usize = 4;

const SHAPES: [&str; 3] = ["ticket", "invoice", "document"];

pub(crate) fn run() {
    println!("Ratios to one whole `serde_json::from_str::<T>`; pieces of {PIECE} bytes; a preview after each.\n");
    println!("| case | bytes | ratio | ns a piece |\n|---|---:|---:|---:|");
    let [small, medium, large] = SHAPES.map(measure);
    println!();
    println!("No target stands for the ticket, which is at {small:.2}.");
    target("stream_preview_4kb", medium, 2.0);
    target("stream_preview_200kb", large, 2.0);
}

/// Parsers that start anew with each piece run on every `stride`th prefix only.
struct Input {
    shape: &'static str,
    text: String,
    stride: usize,
}

fn input(shape: &'static str) -> Input {
    let (text, stride) = match shape {
        "ticket" => (serde_json::to_string(&inputs::ticket()), 1),
        "invoice" => (serde_json::to_string(&inputs::invoice()), 7),
        _ => (serde_json::to_string(&inputs::document()), 997),
    };
    Input { shape, text: text.expect("serialises"), stride }
}

fn cases_of(input: &Input) -> Vec<Case<'_>> {
    match input.shape {
        "ticket" => cases::<inputs::Ticket>(input),
        "invoice" => cases::<inputs::Invoice>(input),
        _ => cases::<inputs::Document>(input),
    }
}

/// All cases on one text. Their names are `shape way`.
fn cases<T: DeserializeOwned>(input: &Input) -> Vec<Case<'_>> {
    let (text, stride) = (&*input.text, input.stride);
    let name = |way: &str| format!("{} {way}", input.shape);
    let pieces = pieces(text);
    let bytes: Vec<&[u8]> = text.as_bytes().chunks(PIECE).collect();
    let prefixes: Vec<&str> = prefixes(text, &pieces, stride);
    let scale = pieces.len() as f64 / prefixes.len() as f64;
    let of_fixer = prefixes.clone();
    let mut cases = vec![
        Case::new(name("serde_json, whole, once"), move || {
            black_box(serde_json::from_str::<T>(text).expect("valid"));
        }),
        Case::new(name("geode, text"), move || {
            let mut parser = PushParser::new();
            for piece in &pieces {
                parser.push_str(piece).expect("valid");
                black_box(parser.preview());
            }
            parser.finish().expect("valid");
        }),
        Case::new(name("geode, bytes"), move || {
            let mut parser = PushParser::new();
            for piece in &bytes {
                parser.push(piece).expect("valid");
                black_box(parser.preview());
            }
            parser.finish().expect("valid");
        }),
        Case::new(name("jiter, anew each time"), move || {
            for prefix in &prefixes {
                let mode = jiter::PartialMode::TrailingStrings;
                black_box(jiter::JsonValue::parse_with_config(prefix.as_bytes(), false, mode).expect("a prefix"));
            }
        }),
        Case::new(name("partial-json-fixer, anew each time"), move || {
            for prefix in &of_fixer {
                black_box(partial_json_fixer::fix_json_parse(prefix).is_ok());
            }
        }),
    ];
    for case in &mut cases[3..] {
        case.scale = scale;
    }
    cases
}

/// Returns the ratio of the push parser.
fn measure(shape: &'static str) -> f64 {
    let input = input(shape);
    let rounds = if input.text.len() > 100_000 { 9 } else { 31 };
    let mut cases = cases_of(&input);
    let times = medians(&mut cases, rounds);
    for (case, time) in cases.iter().zip(&times).skip(1) {
        let (ratio, each) = (time / times[0], time / input.text.len().div_ceil(PIECE) as f64);
        println!("| {} | {} | {ratio:.2} | {each:.1} |", case.name, input.text.len());
    }
    times[1] / times[0]
}

pub(crate) fn once(name: &str) {
    let shape = SHAPES.into_iter().find(|shape| name.starts_with(shape)).expect("a shape of that name");
    callgrind::once(&mut cases_of(&input(shape)), name);
}

pub(crate) fn instructions(counter: &mut Counter) {
    println!("Ratios of instructions.\n");
    for shape in SHAPES {
        let ratio = counter.ratio(&format!("{shape} geode, text"), &format!("{shape} serde_json, whole, once"));
        target(&format!("stream_preview_instructions_{shape}"), ratio, 2.0);
    }
}

/// The text in pieces that end between characters.
fn pieces(text: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = (PIECE..rest.len()).find(|&end| rest.is_char_boundary(end)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// What has come after every `stride`th piece.
fn prefixes<'a>(text: &'a str, pieces: &[&str], stride: usize) -> Vec<&'a str> {
    let mut end = 0;
    let ends = pieces.iter().map(|piece| {
        end += piece.len();
        end
    });
    ends.skip(stride / 2).step_by(stride).map(|end| &text[..end]).collect()
}
