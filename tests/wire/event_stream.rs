//! AWS's binary event stream, read.

use axum::http::header;
use bytes::Bytes;
use futures_util::FutureExt;
use geode::transport::{Frames, HeaderMap, TransportErrorKind, WireStream};
use proptest::prelude::*;

use crate::aws_messages::{CONTENT_TYPE, checksum, framed, messages};

/// The frames that come of these pieces, and the error that ended them.
async fn frames(pieces: &[&[u8]], max_event_bytes: usize) -> (Vec<(String, String)>, Option<TransportErrorKind>) {
    let pieces: Vec<_> = pieces.iter().map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, CONTENT_TYPE.parse().unwrap())]);
    let body = Box::pin(futures_util::stream::iter(pieces));
    let mut frames = Frames::new(WireStream { status: 200, headers, body }, max_event_bytes);
    let mut seen = Vec::new();
    while let Some(frame) = frames.next().await {
        match frame {
            Ok(frame) => seen.push((frame.name.unwrap(), frame.data)),
            Err(error) => {
                assert!(frames.next().await.is_none(), "a stream ends with its first error");
                return (seen, Some(error.kind));
            }
        }
    }
    (seen, None)
}

fn frame(name: &str, data: &str) -> (String, String) {
    (name.to_owned(), data.to_owned())
}

const LIMIT: usize = 1 << 16;

/// Messages that AWS publishes for those who write such a reader.
#[test]
fn messages_are_written_as_aws_publishes_them() {
    let hex = |bytes: Vec<u8>| bytes.iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    assert_eq!(hex(framed(b"", b"")), "000000100000000005c248eb7d98c8ff");
    assert_eq!(hex(framed(b"", b"{'foo':'bar'}")), "0000001d00000000fd528c5a7b27666f6f273a27626172277dc3653936");
    let number = b"\x0aevent-type\x04\x00\x00\xa0\x0c";
    assert_eq!(
        hex(framed(number, b"{'foo':'bar'}")),
        "0000002d0000001041c424b80a6576656e742d74797065040000a00c7b27666f6f273a27626172277d36f480a0"
    );
}

#[tokio::test]
async fn each_kind_of_message_has_its_name() {
    let bytes = messages("a {\"x\":\"那\"}\nexception:b {}\nerror:C {\"message\":\"said\"}").concat();
    let wanted =
        vec![frame("a", r#"{"x":"那"}"#), frame("exception:b", "{}"), frame("error:C", r#"{"message":"said"}"#)];
    assert_eq!(frames(&[&bytes], LIMIT).await, (wanted, None));
}

#[tokio::test]
async fn headers_of_every_type_are_passed_over() {
    let mut headers = Vec::new();
    let values: [&[u8]; 10] = [
        b"\x00",
        b"\x01",
        b"\x02\x07",
        b"\x03\x00\x07",
        b"\x04\x00\x00\x00\x07",
        b"\x05\x00\x00\x00\x00\x00\x00\x00\x07",
        b"\x06\x00\x02\xff\xfe",
        b"\x07\x00\x01x",
        b"\x08\x00\x00\x00\x00\x00\x00\x00\x07",
        b"\x09\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x07",
    ];
    for value in values {
        headers.extend(b"\x01h");
        headers.extend(value);
    }
    headers.extend(b"\x0d:message-type\x07\x00\x05event\x0b:event-type\x07\x00\x01a");
    assert_eq!(frames(&[&framed(&headers, b"")], LIMIT).await, (vec![frame("a", "{}")], None));
    // Cut anywhere, or with a byte too many, they are no headers.
    for end in 1..headers.len() {
        let (seen, error) = frames(&[&framed(&headers[..end], b"")], LIMIT).await;
        assert!(seen.is_empty() && error == Some(TransportErrorKind::Corrupt), "{end}: {seen:?} {error:?}");
    }
    for wrong in [&b"\x01h\x0a"[..], b"\x0d:message-type\x04\x00\x00\x00\x01", b"\x0d:message-type\x07\x00\x01\xff"] {
        let bytes = framed(&[&headers, wrong].concat(), b"");
        assert_eq!(frames(&[&bytes], LIMIT).await, (vec![], Some(TransportErrorKind::Corrupt)), "{wrong:?}");
    }
}

#[tokio::test]
async fn frames_are_the_same_wherever_the_bytes_are_cut() {
    let bytes = messages("a {\"x\":1}\nb {\"y\":\"😀\"}").concat();
    let wanted = (vec![frame("a", r#"{"x":1}"#), frame("b", r#"{"y":"😀"}"#)], None);
    for first in 0..=bytes.len() {
        for second in first..=bytes.len() {
            let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            assert_eq!(frames(&pieces, LIMIT).await, wanted, "cut at {first} and {second}");
        }
    }
    assert_eq!(frames(&bytes.chunks(1).collect::<Vec<_>>(), LIMIT).await, wanted);
}

/// A message that the end cuts is dropped; what came before it stands.
#[tokio::test]
async fn a_cut_message_is_none() {
    let messages = messages("a {\"x\":1}\nb {\"y\":2}");
    let bytes = messages.concat();
    for end in 0..bytes.len() {
        let whole = if end < messages[0].len() { vec![] } else { vec![frame("a", r#"{"x":1}"#)] };
        assert_eq!(frames(&[&bytes[..end]], LIMIT).await, (whole, None), "cut at {end}");
    }
}

/// Whichever bit is wrong, nothing of the message is believed.
#[tokio::test]
async fn a_wrong_bit_ends_the_stream() {
    let messages = messages("a {\"x\":1}\nb {\"y\":2}\nc {}");
    let bytes = messages.concat();
    let second = messages[0].len()..messages[0].len() + messages[1].len();
    for at in second {
        for bit in 0..8 {
            let mut wrong = bytes.clone();
            wrong[at] ^= 1 << bit;
            let found = frames(&[&wrong], LIMIT).await;
            assert_eq!(found, (vec![frame("a", r#"{"x":1}"#)], Some(TransportErrorKind::Corrupt)), "{at}, {bit}");
        }
    }
}

#[tokio::test]
async fn what_is_no_message_ends_the_stream() {
    let prelude = |message: u32, headers: u32| {
        let mut bytes = [message.to_be_bytes(), headers.to_be_bytes()].concat();
        bytes.extend(checksum(&bytes));
        bytes
    };
    let event = b"\x0d:message-type\x07\x00\x05event\x0b:event-type\x07\x00\x01a";
    let unknown = b"\x0d:message-type\x07\x00\x05other";
    for wrong in [
        prelude(0, 0),
        prelude(15, 0),
        prelude(16, 1),
        prelude(40, 25),
        prelude(40, u32::MAX),
        b"HTTP/1.1 502 Bad Gateway".to_vec(),
        framed(event, b"\xff"),
        framed(unknown, b"{}"),
        framed(b"", b"{}"),
    ] {
        assert_eq!(frames(&[&wrong], LIMIT).await, (vec![], Some(TransportErrorKind::Corrupt)), "{wrong:?}");
    }
}

/// The length is known from the first twelve bytes: nothing is waited for, and nothing kept.
#[tokio::test]
async fn a_message_over_the_limit_is_given_up() {
    let message = messages("a {\"x\":1}").remove(0);
    assert_eq!(frames(&[&message], message.len()).await.1, None);
    let found = frames(&[&message[..12]], message.len() - 1).await;
    assert_eq!(found, (vec![], Some(TransportErrorKind::TooLarge)));
}

/// Something between a message and noise: whole messages, headers of any bytes under right checksums, any bytes.
fn piece_of_stream() -> impl Strategy<Value = Vec<u8>> {
    let bytes = |most| prop::collection::vec(any::<u8>(), 0..most);
    prop_oneof![
        4 => "[a-z]{1,8}".prop_map(|name| messages(&format!("{name} {{\"x\":1}}")).remove(0)),
        3 => (bytes(40), bytes(20)).prop_map(|(headers, payload)| framed(&headers, &payload)),
        1 => bytes(40),
    ]
}

proptest! {
    /// Whatever comes, the same comes of it however it is cut.
    #[test]
    fn any_bytes_give_the_same_wherever_they_are_cut(
        stream in prop::collection::vec(piece_of_stream(), 0..5),
        size in 1usize..9,
    ) {
        let bytes = stream.concat();
        let whole = frames(&[&bytes], LIMIT).now_or_never();
        let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
        prop_assert!(whole.is_some());
        prop_assert_eq!(whole, frames(&pieces, LIMIT).now_or_never());
    }
}
