//! Servers that drip, flood, or send what nobody asked for, over real sockets.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use geode::adapter::openai_chat;
use geode::client::{Client, RetryPolicy};
use geode::outcome::{CallError, Failure, IncompleteReason};
use geode::transport::TransportErrorKind;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use crate::{FAST, Order};

const EVENTS: &str = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n";
const JSON: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n\r\n";
static BLANKS: [u8; 65_536] = [b' '; 65_536];
static LETTERS: [u8; 65_536] = [b'x'; 65_536];

/// Answers every connection with `head`, and then with `piece`, again and again, `pause` between two. Gives its URL, and
/// the number of bytes that it could send.
async fn endless(head: &'static str, piece: &'static [u8], pause: Duration) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let sent = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&sent);
    tokio::spawn(async move {
        while let Ok((connection, _)) = listener.accept().await {
            tokio::spawn(talk(connection, head, piece, pause, Arc::clone(&counted)));
        }
    });
    (url, sent)
}

/// Talks until the other side is gone, or 200 MB went through.
async fn talk(mut connection: TcpStream, head: &str, piece: &[u8], pause: Duration, sent: Arc<AtomicUsize>) {
    let _ = connection.read(&mut [0; 4096]).await;
    let mut next = head.as_bytes();
    while sent.load(Ordering::Relaxed) < 200_000_000 && connection.write_all(next).await.is_ok() {
        sent.fetch_add(next.len(), Ordering::Relaxed);
        next = piece;
        if !pause.is_zero() {
            tokio::time::sleep(pause).await;
        }
    }
}

/// Asks once for a whole answer and once for a stream. Both must end soon.
async fn asked(url: &str, timeout: Duration) -> [CallError; 2] {
    let adapter = openai_chat::openai("dummy").base_url(url);
    let client = Client::builder(adapter).retry(RetryPolicy::none()).timeout(timeout).idle_timeout(timeout / 2).build();
    let start = Instant::now();
    let whole = client.call::<Order>("?").await.unwrap_err();
    let streamed = client.stream::<Order>("?").finish().await.unwrap_err();
    assert!(start.elapsed() < FAST, "{:?}", start.elapsed());
    [whole, streamed]
}

#[tokio::test]
async fn a_drip_is_given_up_when_the_time_is_over() {
    let pause = Duration::from_millis(20);
    for (what, head, piece) in [
        ("a head", "HTTP/1.1 200 OK\r\nx: ", &b"y"[..]),
        ("a JSON answer", JSON, b" "),
        ("an event", EVENTS, b"x"),
        ("keep-alives", EVENTS, b": alive\n\n"),
        ("events that say nothing", EVENTS, b"data: {\"choices\":[]}\n\n"),
    ] {
        let (url, _) = endless(head, piece, pause).await;
        for error in asked(&url, Duration::from_millis(500)).await {
            let in_time = match error.failure() {
                Failure::Transport(fault) => {
                    matches!(fault.kind, TransportErrorKind::Timeout | TransportErrorKind::Idle)
                }
                Failure::DeadlineExceeded => true,
                _ => false,
            };
            assert!(in_time, "{what}: {error:?}");
        }
    }
}

#[tokio::test]
async fn two_hundred_megabytes_are_not_read_past_the_limit() {
    for (what, head, piece) in [
        ("blanks", JSON, &BLANKS[..]),
        ("an event without an end", EVENTS, &LETTERS),
        ("keep-alives", EVENTS, b": alive\n\n"),
        ("text", EVENTS, b"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"        \"}}]}\n\n"),
    ] {
        let (url, sent) = endless(head, piece, Duration::ZERO).await;
        for error in asked(&url, FAST).await {
            let stopped = match error.failure() {
                Failure::Transport(fault) => fault.kind == TransportErrorKind::TooLarge,
                Failure::Incomplete { reason } => *reason == IncompleteReason::TooLarge,
                _ => false,
            };
            assert!(stopped || what == "text", "{what}: {error:?}");
        }
        // Two exchanges of at most 8 MB each, and what the sockets hold.
        let sent = sent.load(Ordering::Relaxed);
        assert!(sent < 40_000_000, "{what}: {sent} bytes were taken");
    }
}

#[tokio::test]
async fn a_packed_answer_is_never_unpacked() {
    const PACKED: &str = "HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-encoding: gzip\r\n\r\n";
    // Nobody asked for it, and nobody looks what is in it: 8 MB are 8 MB.
    let (url, _) = endless(PACKED, &LETTERS, Duration::ZERO).await;
    for error in asked(&url, FAST).await {
        assert!(error.is_transport() || error.is_incomplete(), "{error:?}");
    }
}
