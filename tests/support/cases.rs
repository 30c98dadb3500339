//! What the files in `tests/wire/cases` say that a server sends.

use serde_json::Value;

use super::server::Piece;

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
