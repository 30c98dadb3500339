//! The files in `tests/wire/cases`: what a server sends, and who reads it.

use std::path::PathBuf;
use std::sync::Arc;

use geode::adapter::{Adapter, anthropic, openai_chat, openai_responses};
use serde_json::Value;

use super::server::{Answer, Piece};

/// Ids of all cases, in order.
pub(crate) fn ids() -> Vec<String> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire/cases");
    let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let mut ids: Vec<String> = files.map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned()).collect();
    ids.sort();
    ids
}

/// Whether the answer of a case is a stream.
pub(crate) fn is_stream(case: &Value) -> bool {
    case["kind"] == "stream"
}

/// What the server of a case answers.
pub(crate) fn answer(case: &Value) -> Answer {
    let input = &case["input"];
    if is_stream(case) {
        return Answer { pieces: pieces(&input["chunks"]), ..Answer::events([]) };
    }
    let headers = input["headers"].as_object().unwrap().iter();
    Answer {
        status: u16::try_from(input["status"].as_u64().unwrap()).unwrap(),
        headers: headers.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect(),
        pieces: vec![Piece::Bytes(input["body"].as_str().unwrap().to_owned().into())],
    }
}

/// The adapter that a case is about, at the server's address.
pub(crate) fn adapter(case: &Value, url: &str) -> Arc<dyn Adapter> {
    match case["input"]["provider"].as_str().unwrap() {
        "openai" | "openai-chat" => Arc::new(openai_chat::openai("dummy").base_url(url)),
        "openai-responses" => Arc::new(openai_responses::payg("dummy").base_url(url)),
        "anthropic" => Arc::new(anthropic::payg("dummy").base_url(url)),
        "glm" => Arc::new(openai_chat::glm_payg("dummy").base_url(url)),
        other => panic!("no adapter for {other}"),
    }
}

/// The pieces of a streamed body.
pub(crate) fn pieces(chunks: &Value) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for chunk in chunks.as_array().unwrap() {
        if let Some(text) = chunk.as_str() {
            pieces.push(Piece::Bytes(text.to_owned().into()));
        } else if let Some(text) = chunk["b64"].as_str() {
            pieces.push(Piece::Bytes(base64(text).into()));
        } else if let Some(text) = chunk["repeat"].as_str() {
            let times = chunk["times"].as_u64().unwrap();
            pieces.extend((0..times).map(|_| Piece::Bytes(text.to_owned().into())));
        } else {
            assert!(chunk["hang_s"].is_u64(), "{chunk}");
            pieces.push(Piece::Hang);
        }
    }
    pieces
}

fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let (mut bits, mut count) = (0u32, 0);
    for digit in text.bytes().filter(|byte| *byte != b'=') {
        bits = bits << 6 | DIGITS.iter().position(|known| *known == digit).unwrap() as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}
