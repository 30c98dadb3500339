//! Every file of `fixtures/`, through a real socket, and every stream under every cut.

use std::collections::BTreeMap;
use std::path::PathBuf;

use bytes::Bytes;
use geode::adapter::{Adapter, Codec, HttpAdapter};
use geode::message::{Message, ToolSpec};
use geode::request::Request;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::aws_messages::{self, messages};
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
        let stream = Stream::of(name, bytes);
        let is_stream = stream.is_some();
        let server = Server::start([stream.as_ref().map_or_else(|| answer(name, bytes), Stream::answer)]).await;
        let adapter = adapter.clone().base_url(&server.url);
        let outcome = exchange(&adapter, &request(is_stream), LIMITS).await;
        if line(&outcome) != *wanted {
            wrong.push(format!("{folder}/{name}\n  wanted {wanted}\n  got    {}", line(&outcome)));
        }
        if let Some(stream) = stream {
            every_split(&adapter, name, &stream, wanted).await;
            every_cut(&adapter, name, &stream).await;
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A streamed fixture as a server sends it.
pub(crate) fn streamed(folder: &str, name: &str) -> Answer {
    Stream::of(name, &files(folder)[name]).unwrap().answer()
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

/// A streamed fixture as its bytes go over the wire.
struct Stream {
    content_type: &'static str,
    bytes: Vec<u8>,
    /// End of the frame that makes the answer complete; the whole length where there is none.
    finished: usize,
}

impl Stream {
    /// Server-sent events, or lines of events for AWS's event stream; `None` for a fixture that is no stream.
    fn of(name: &str, bytes: &[u8]) -> Option<Self> {
        let text = || std::str::from_utf8(bytes).unwrap();
        let (content_type, frames): (_, Vec<(bool, Vec<u8>)>) = match name.rsplit_once('.')?.1 {
            "sse" => {
                let frames = text().split_inclusive("\n\n");
                ("text/event-stream; charset=utf-8", frames.map(|frame| (finishes(frame), frame.into())).collect())
            }
            "events" => {
                let finishes = text().lines().map(|line| line.starts_with("messageStop "));
                (aws_messages::CONTENT_TYPE, finishes.zip(messages(text())).collect())
            }
            _ => return None,
        };
        let finishing = frames.iter().position(|(finishes, _)| *finishes).unwrap_or(frames.len());
        let finished = frames.iter().take(finishing + 1).map(|(_, frame)| frame.len()).sum();
        let bytes = frames.into_iter().flat_map(|(_, frame)| frame).collect();
        Some(Stream { content_type, bytes, finished })
    }

    /// Byte by byte.
    fn answer(&self) -> Answer {
        let pieces = self.bytes.chunks(1).map(|piece| Piece::Bytes(Bytes::copy_from_slice(piece)));
        let headers = vec![("content-type".to_owned(), self.content_type.to_owned())];
        Answer { status: 200, headers, pieces: pieces.collect() }
    }
}

/// Whether an event makes the answer complete.
fn finishes(event: &str) -> bool {
    let signs =
        [r#""finish_reason":""#, r#""finishReason":""#, r#""type":"message_stop""#, r#""type":"response.completed""#];
    signs.iter().any(|sign| event.contains(sign))
}

/// An error with its head, anything else as it is.
fn answer(name: &str, bytes: &[u8]) -> Answer {
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
async fn every_split(adapter: &dyn Adapter, name: &str, stream: &Stream, wanted: &str) {
    let request = request(true);
    let read = async |pieces: Vec<&[u8]>| {
        let pieces = pieces.into_iter().map(Bytes::copy_from_slice).collect();
        read_pieces(adapter, &request, stream.content_type, pieces).await
    };
    let bytes = stream.bytes.as_slice();
    let whole = read(vec![bytes]).await;
    let preview = whole.as_ref().map(|(_, preview)| preview.clone()).ok();
    assert_eq!(line(&whole.map(|(reply, _)| reply)), wanted, "{name} in one piece");
    let two = (1..bytes.len()).map(|at| vec![&bytes[..at], &bytes[at..]]);
    for pieces in two.chain([bytes.chunks(1).collect()]) {
        let first = pieces[0].len();
        let split = read(pieces).await;
        assert_eq!(split.as_ref().map(|(_, preview)| preview.clone()).ok(), preview, "{name} split at {first}");
        assert_eq!(line(&split.map(|(reply, _)| reply)), wanted, "{name} split at {first}");
    }
}

/// A stream that ends early is never taken for a finished answer. It may end early behind the frame that finishes it.
async fn every_cut(adapter: &dyn Adapter, name: &str, stream: &Stream) {
    let request = request(true);
    for end in 0..stream.finished {
        let piece = Bytes::copy_from_slice(&stream.bytes[..end]);
        let cut = read_pieces(adapter, &request, stream.content_type, vec![piece]).await;
        assert!(!is_accepted(&cut), "{name} cut at {end} of {} was accepted", stream.bytes.len());
    }
}
