use super::Lines;
use crate::transport::{HeaderMap, TransportError, TransportErrorKind, WireStream};
use bytes::Bytes;
use futures_util::FutureExt;

/// Lines of a body that comes in these pieces; the limit of a line is ten bytes.
fn lines(pieces: impl IntoIterator<Item = Result<&'static [u8], TransportError>>) -> Lines {
    let pieces: Vec<_> = pieces.into_iter().map(|piece| piece.map(Bytes::from_static)).collect();
    let body = Box::pin(futures_util::stream::iter(pieces));
    Lines::new(WireStream { status: 0, headers: HeaderMap::new(), body }, 10)
}

/// All lines, and the error that ends them.
fn read(mut lines: Lines) -> (Vec<String>, Option<TransportErrorKind>) {
    let mut read = Vec::new();
    while let Some(line) = lines.next().now_or_never().expect("nothing is waited for") {
        match line {
            Ok(line) => read.push(line),
            Err(error) => {
                assert!(lines.next().now_or_never().unwrap().is_none(), "goes on behind its error");
                return (read, Some(error.kind));
            }
        }
    }
    (read, None)
}

#[test]
fn lines_are_the_same_however_the_body_is_cut() {
    let body: &[u8] = "one\ntwo\r\n\ndré\r\rx\nlast".as_bytes();
    let expected = ["one", "two", "", "dré\r\rx", "last"];
    for at in 0..=body.len() {
        let (head, tail) = body.split_at(at);
        assert_eq!(read(lines([Ok(head), Ok(tail)])), (expected.map(String::from).to_vec(), None), "cut at {at}");
    }
    assert_eq!(read(lines(body.chunks(1).map(Ok))), (expected.map(String::from).to_vec(), None));
}

#[test]
fn an_end_of_line_at_the_end_begins_no_line() {
    assert_eq!(read(lines([Ok(&b"one\n"[..])])), (vec!["one".to_owned()], None));
    assert_eq!(read(lines([])), (vec![], None));
}

#[test]
fn a_line_over_the_limit_ends_the_body() {
    let (read_lines, error) = read(lines([Ok(&b"one\n0123"[..]), Ok(b"45678"), Ok(b"9a"), Ok(b"\ntwo\n")]));
    assert_eq!((read_lines, error), (vec!["one".to_owned()], Some(TransportErrorKind::TooLarge)));
    // its end counts, so the longest line has nine bytes
    assert_eq!(read(lines([Ok(&b"012345678\n"[..])])).1, None);
}

#[test]
fn bytes_that_are_no_text_end_the_body() {
    let (read_lines, error) = read(lines([Ok(&b"one\n\xff\ntwo\n"[..])]));
    assert_eq!((read_lines, error), (vec!["one".to_owned()], Some(TransportErrorKind::Corrupt)));
    assert_eq!(read(lines([Ok(&b"\xc3"[..])])).1, Some(TransportErrorKind::Corrupt));
}

#[test]
fn a_broken_body_ends_with_its_error_and_without_the_unfinished_line() {
    let broken = TransportError::new(TransportErrorKind::Interrupted, "gone");
    let (read_lines, error) = read(lines([Ok(&b"one\ntw"[..]), Err(broken), Ok(b"o\n")]));
    assert_eq!((read_lines, error), (vec!["one".to_owned()], Some(TransportErrorKind::Interrupted)));
}
