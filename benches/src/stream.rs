//! Part `stream`: a preview after every four bytes of a text that comes in pieces, against one whole parse of it.

use std::hint::black_box;

use geode::json::stream::PushParser;
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::inputs;
use crate::measure::{Case, medians, target};

/// Bytes of a piece: about a token.
const PIECE: usize = 4;

pub(crate) fn run() {
    println!("Ratios to one whole `serde_json::from_str::<T>`; pieces of {PIECE} bytes; a preview after each.\n");
    println!("| case | bytes | ratio | ns a piece |\n|---|---:|---:|---:|");
    let small = measure("ticket", &inputs::ticket(), 1);
    let medium = measure("invoice", &inputs::invoice(), 7);
    let large = measure("document", &inputs::document(), 997);
    println!();
    println!("No target stands for the ticket, which is at {small:.2}.");
    target("stream_preview_4kb", medium, 2.0);
    target("stream_preview_200kb", large, 2.0);
}

/// Returns the ratio of the push parser. Parsers that start anew with each piece run on every `stride`th prefix only.
fn measure<T: Serialize + DeserializeOwned>(name: &str, value: &T, stride: usize) -> f64 {
    let text = serde_json::to_string(value).expect("serialises");
    let pieces = pieces(&text);
    let bytes: Vec<&[u8]> = text.as_bytes().chunks(PIECE).collect();
    let prefixes: Vec<&str> = prefixes(&text, &pieces, stride);
    let mut cases = vec![
        Case::new("serde_json, whole, once", || {
            black_box(serde_json::from_str::<T>(&text).expect("valid"));
        }),
        Case::new("geode, text", || {
            let mut parser = PushParser::new();
            for piece in &pieces {
                parser.push_str(piece).expect("valid");
                black_box(parser.preview());
            }
            parser.finish().expect("valid");
        }),
        Case::new("geode, bytes", || {
            let mut parser = PushParser::new();
            for piece in &bytes {
                parser.push(piece).expect("valid");
                black_box(parser.preview());
            }
            parser.finish().expect("valid");
        }),
        Case::new("jiter, anew each time", || {
            for prefix in &prefixes {
                let mode = jiter::PartialMode::TrailingStrings;
                black_box(jiter::JsonValue::parse_with_config(prefix.as_bytes(), false, mode).expect("a prefix"));
            }
        }),
        Case::new("partial-json-fixer, anew each time", || {
            for prefix in &prefixes {
                black_box(partial_json_fixer::fix_json_parse(prefix).is_ok());
            }
        }),
    ];
    for case in &mut cases[3..] {
        case.scale = pieces.len() as f64 / prefixes.len() as f64;
    }
    let rounds = if text.len() > 100_000 { 9 } else { 31 };
    let times = medians(&mut cases, rounds);
    for (case, time) in cases.iter().zip(&times).skip(1) {
        let (ratio, each) = (time / times[0], time / pieces.len() as f64);
        println!("| {name}: {} | {} | {ratio:.2} | {each:.1} |", case.name, text.len());
    }
    times[1] / times[0]
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
