//! Server-sent events: the same frames however the bytes are cut, or the same refusal.

use bytes::Bytes;
use futures_util::{FutureExt, StreamExt};
use geode::transport::{Frames, WireStream};

/// One round. The first bytes say where the rest is cut.
pub fn run(data: &[u8]) {
    let Some((cuts, body)) = data.split_at_checked(3) else { return };
    let whole = read(vec![Bytes::copy_from_slice(body)]);
    let mut pieces = Vec::new();
    let mut rest = body;
    let mut sizes = cuts.iter().cycle();
    while !rest.is_empty() {
        let size = usize::from(sizes.next().map_or(1, |cut| cut % 7)).max(1).min(rest.len());
        let (piece, behind) = rest.split_at(size);
        pieces.push(Bytes::copy_from_slice(piece));
        rest = behind;
    }
    assert_eq!(whole, read(pieces), "cut otherwise");
}

/// The frames before the first error, and whether there was one.
fn read(pieces: Vec<Bytes>) -> (Vec<(Option<String>, String)>, bool) {
    let body = Box::pin(futures_util::stream::iter(pieces.into_iter().map(Ok)));
    let stream = WireStream { status: 200, headers: Vec::new(), body };
    let results = Frames::new(stream, usize::MAX).collect::<Vec<_>>().now_or_never().expect("nothing is waited for");
    let broke = results.last().is_some_and(Result::is_err);
    (results.into_iter().filter_map(Result::ok).map(|frame| (frame.name, frame.data)).collect(), broke)
}
