//! Server-sent events and AWS's event stream: the same frames however the bytes are cut, or the same refusal.

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};
use geode::transport::{Frames, HeaderMap, WireStream};

/// One round. The first bytes say where the rest is cut.
pub fn run(data: &[u8]) {
    let Some((cuts, body)) = data.split_at_checked(3) else { return };
    same("text/event-stream", cuts, body);
    same(AWS, cuts, body);
    same(AWS, cuts, &sealed(body));
}

const AWS: &str = "application/vnd.amazon.eventstream";

fn same(content_type: &str, cuts: &[u8], body: &[u8]) {
    let whole = read(content_type, vec![Bytes::copy_from_slice(body)]);
    let mut pieces = Vec::new();
    let mut rest = body;
    let mut sizes = cuts.iter().cycle();
    while !rest.is_empty() {
        let size = usize::from(sizes.next().map_or(1, |cut| cut % 7)).max(1).min(rest.len());
        let (piece, behind) = rest.split_at(size);
        pieces.push(Bytes::copy_from_slice(piece));
        rest = behind;
    }
    assert_eq!(whole, read(content_type, pieces), "{content_type} cut otherwise");
}

/// Messages of AWS's stream with the checksums that a fuzzer can't guess: of each, the first byte is the length of its
/// headers, the second that of its payload.
fn sealed(mut rest: &[u8]) -> Vec<u8> {
    let mut stream = Vec::new();
    while let [headers, payload, behind @ ..] = rest {
        let headers = usize::from(*headers).min(behind.len());
        let payload = usize::from(*payload).min(behind.len() - headers);
        let (content, behind) = behind.split_at(headers + payload);
        let lengths = [content.len() + 16, headers].map(|length| u32::try_from(length).expect("it is small"));
        let mut message = lengths.map(u32::to_be_bytes).concat();
        message.extend(crc32fast::hash(&message).to_be_bytes());
        message.extend(content);
        message.extend(crc32fast::hash(&message).to_be_bytes());
        stream.extend(message);
        rest = behind;
    }
    stream
}

/// The frames before the first error, and whether there was one.
fn read(content_type: &str, pieces: Vec<Bytes>) -> (Vec<(Option<String>, String)>, bool) {
    let body = Box::pin(futures_util::stream::iter(pieces.into_iter().map(Ok)));
    let mut headers = HeaderMap::new();
    headers.insert("content-type", content_type.parse().expect("a header's value"));
    let stream = WireStream { status: 200, headers, body };
    let results = Frames::new(stream, usize::MAX).collect::<Vec<_>>().now_or_never().expect("nothing is waited for");
    let broke = results.last().is_some_and(Result::is_err);
    (results.into_iter().filter_map(Result::ok).map(|frame| (frame.name, frame.data)).collect(), broke)
}
