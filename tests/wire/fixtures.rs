//! Every file of `fixtures/`, through a real socket, and every stream under every cut.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bytes::Bytes;
use geode::adapter::{Adapter, Codec, HttpAdapter};
use geode::message::{Message, ToolSpec};
use geode::request::Request;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::exchange::{LIMITS, exchange, is_accepted, line, read_pieces};
use crate::support::server::{Answer, Piece, Server};

/// The person of the fixtures as the model wrote it.
pub(crate) const ADA: &str = r#"{"name":"Ada Lovelace","age":36,"nick":null}"#;

/// Runs every fixture of a folder against what it should come to. The table must name every file. `{ada}` stands for
/// [`ADA`].
pub(crate) async fn check<C: Codec + Clone + 'static>(
    folder: &str,
    adapter: HttpAdapter<C>,
    expected: &[(&str, &str)],
) {
    let expected: BTreeMap<&str, String> =
        expected.iter().map(|(file, line)| (*file, line.replace("{ada}", ADA))).collect();
    let files = files(folder);
    let names: Vec<&str> = files.keys().map(String::as_str).collect();
    assert_eq!(names, expected.keys().copied().collect::<Vec<_>>(), "the table must name every file of {folder}");
    let mut wrong = Vec::new();
    for (name, bytes) in &files {
        let wanted = &expected[name.as_str()];
        let is_stream = name.ends_with(".sse");
        let server = Server::start([answer(name, bytes)]).await;
        let adapter = adapter.clone().base_url(&server.url);
        let outcome = exchange(&adapter, &request(is_stream), LIMITS).await;
        if line(&outcome) != *wanted {
            wrong.push(format!("{folder}/{name}\n  wanted {wanted}\n  got    {}", line(&outcome)));
        }
        if is_stream {
            every_split(&adapter, name, bytes, wanted).await;
            every_cut(&adapter, name, bytes).await;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A request with the tools that the fixtures call.
pub(crate) fn request(stream: bool) -> Request {
    Request {
        messages: vec![Message::user("Ada Lovelace was 36.")],
        tools: vec![
            weather(),
            tool("now", "The time", r#"{"type":"object","properties":{},"required":[],"additionalProperties":false}"#),
        ],
        stream,
        ..Request::default()
    }
}

pub(crate) fn weather() -> ToolSpec {
    let schema = r#"{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city","unit"],"additionalProperties":false}"#;
    tool("get_weather", "Weather for a city", schema)
}

pub(crate) fn tool(name: &str, description: &str, schema: &str) -> ToolSpec {
    ToolSpec {
        name: name.to_owned(),
        description: description.to_owned(),
        input_schema: RawValue::from_string(schema.to_owned()).unwrap(),
    }
}

fn files(folder: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire/fixtures").join(folder);
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let entry = entry.unwrap();
            (entry.file_name().into_string().unwrap(), std::fs::read(entry.path()).unwrap())
        })
        .collect()
}

/// A stream byte by byte, an error with its head, anything else as it is.
fn answer(name: &str, bytes: &[u8]) -> Answer {
    if name.ends_with(".sse") {
        return Answer::events(bytes.chunks(1).map(Bytes::copy_from_slice));
    }
    if !name.starts_with("error_") {
        return Answer::json(200, bytes.to_vec());
    }
    let error: Value = serde_json::from_slice(bytes).unwrap();
    let headers = error["headers"].as_object().unwrap().iter();
    Answer {
        status: u16::try_from(error["status"].as_u64().unwrap()).unwrap(),
        headers: headers.map(|(name, value)| (name.clone(), value.as_str().unwrap().to_owned())).collect(),
        pieces: vec![Piece::Bytes(error["body"].to_string().into())],
    }
}

/// The same outcome and the same preview, wherever the bytes are cut in two, and cut into single bytes.
async fn every_split(adapter: &dyn Adapter, name: &str, bytes: &[u8], wanted: &str) {
    let request = request(true);
    let whole = read_pieces(adapter, &request, vec![Bytes::copy_from_slice(bytes)]).await;
    let preview = whole.as_ref().map(|(_, preview)| preview.clone()).ok();
    assert_eq!(line(&whole.map(|(reply, _)| reply)), wanted, "{name} in one piece");
    let two = (1..bytes.len()).map(|at| vec![&bytes[..at], &bytes[at..]]);
    for pieces in two.chain([bytes.chunks(1).collect()]) {
        let first = pieces[0].len();
        let split = read_pieces(adapter, &request, pieces.into_iter().map(Bytes::copy_from_slice).collect()).await;
        assert_eq!(split.as_ref().map(|(_, preview)| preview.clone()).ok(), preview, "{name} split at {first}");
        assert_eq!(line(&split.map(|(reply, _)| reply)), wanted, "{name} split at {first}");
    }
}

/// A stream that ends early is never taken for a finished answer. It may end early behind the frame that finishes it.
async fn every_cut(adapter: &dyn Adapter, name: &str, bytes: &[u8]) {
    let request = request(true);
    let finished = finishing_frame(bytes);
    for end in 0..finished {
        let cut = read_pieces(adapter, &request, vec![Bytes::copy_from_slice(&bytes[..end])]).await;
        assert!(!is_accepted(&cut), "{name} cut at {end} of {} was accepted", bytes.len());
    }
}

/// End of the frame that makes the answer complete; the whole length where there is none.
fn finishing_frame(bytes: &[u8]) -> usize {
    let text = std::str::from_utf8(bytes).unwrap();
    let mut end = 0;
    for frame in text.split_inclusive("\n\n") {
        end += frame.len();
        let chat_finish = frame.contains(r#""finish_reason":""#);
        let gemini_finish = frame.contains(r#""finishReason":""#);
        if chat_finish
            || gemini_finish
            || frame.contains(r#""type":"message_stop""#)
            || frame.contains(r#""type":"response.completed""#)
        {
            return end;
        }
    }
    bytes.len()
}
