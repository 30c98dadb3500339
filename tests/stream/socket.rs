//! Streamed calls over a real socket: what the server notices of a slow reader, a dropped answer and an early end, and
//! what the caller gets from a server that stalls, floods, breaks off or fails.

use std::future::Future;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use geode::StructuredOutput;
use geode::adapter::{anthropic, openai_responses};
use geode::client::{Client, ClientBuilder, RetryPolicy, Update};
use geode::outcome::{CallError, Failure, IncompleteReason, Outcome};
use geode::transport::TransportErrorKind;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::fixtures::{ANSWER, Ticket, pieces, responses_events, ticket, wires};

/// A stream whose end is the connection's.
const OPEN_ENDED: &str =
    "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nx-request-id: r1\r\nconnection: close\r\n\r\n";

/// Serves one connection: reads its request and hands it to the script. Gives its address.
async fn serve<R: Send + 'static, F: Future<Output = R> + Send>(
    script: impl FnOnce(TcpStream) -> F + Send + 'static,
) -> (String, JoinHandle<R>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    (url, tokio::spawn(async move { script(asked(&listener).await).await }))
}

/// Serves these answers, one a connection, and counts how many were asked for.
async fn replies(answers: Vec<String>) -> (String, Arc<AtomicUsize>) {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let count = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&count);
    tokio::spawn(async move {
        for answer in answers {
            let mut socket = asked(&listener).await;
            counted.fetch_add(1, Ordering::Relaxed);
            socket.write_all(answer.as_bytes()).await.unwrap();
            socket.shutdown().await.unwrap();
        }
    });
    (url, count)
}

/// The next connection, its request read, if the client is still there.
async fn asked(listener: &TcpListener) -> TcpStream {
    let (mut socket, _) = listener.accept().await.unwrap();
    let mut request = Vec::new();
    loop {
        if socket.read_buf(&mut request).await.is_ok_and(|count| count == 0) {
            return socket;
        }
        let text = String::from_utf8_lossy(&request);
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.to_lowercase().strip_prefix("content-length: ")?.parse().ok());
        if body.len() >= length.unwrap_or(0) {
            return socket;
        }
    }
}

/// Whether the client closes the connection soon.
async fn is_closed(socket: &mut TcpStream) -> bool {
    let read = tokio::time::timeout(Duration::from_secs(10), socket.read(&mut [0; 16])).await;
    matches!(read, Ok(Ok(0) | Err(_)))
}

fn builder(url: &str) -> ClientBuilder {
    let quick = RetryPolicy::default().delays(Duration::from_millis(1), Duration::from_millis(2));
    Client::builder(openai_responses::payg("dummy").model("m").base_url(url)).retry(quick)
}

fn reply(status: &str, headers: &str, body: &str) -> String {
    let length = body.len();
    format!("HTTP/1.1 {status}\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}")
}

fn delta(text: &str) -> String {
    format!("data: {}\n\n", json!({"type": "response.output_text.delta", "output_index": 0, "delta": text}))
}

#[derive(Debug, StructuredOutput)]
struct Letter {
    text: String,
}

/// Writes text without end until it has written `most` bytes or the client is gone. Says how much had been written when
/// nothing more could be for a while. Gives how much it wrote.
async fn flood(socket: TcpStream, piece: String, most: usize, blocked: oneshot::Sender<usize>) -> usize {
    let (mut written, mut blocked) = (0, Some(blocked));
    let mut rest = [OPEN_ENDED, &delta(r#"{"text": ""#)].concat().into_bytes();
    while written < most {
        if tokio::time::timeout(Duration::from_millis(300), socket.writable()).await.is_err() {
            blocked.take().map(|blocked| blocked.send(written));
            let _ = socket.writable().await;
        }
        match socket.try_write(&rest) {
            Ok(count) => {
                written += count;
                rest.drain(..count);
            }
            Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {}
            Err(_) => break,
        }
        if rest.is_empty() {
            rest.extend_from_slice(piece.as_bytes());
        }
    }
    written
}

#[test]
fn a_slow_reader_slows_the_server_and_holds_little() {
    const OFFERED: usize = 256 << 20;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let mut figures = (0, 0);
    let held = allocation_counter::measure(|| {
        figures = runtime.block_on(async {
            let (sender, blocked) = oneshot::channel();
            let piece = delta(&"x".repeat(4_000));
            let (url, server) = serve(move |socket| flood(socket, piece, OFFERED, sender)).await;
            let mut answer = builder(&url).max_answer_bytes(OFFERED).build().stream::<Letter>("x");
            answer.next().await.unwrap();
            let written = blocked.await.unwrap();
            // Reading on lets the server write on.
            for _ in 0..500 {
                assert!(answer.next().await.is_some());
            }
            drop(answer);
            (written, server.await.unwrap())
        });
    });
    let (blocked_at, written) = figures;
    // What had been written then stood in the buffers of the two sockets: their largest, by default, hold 10 MiB.
    assert!(blocked_at < 32 << 20, "the server wrote {blocked_at} bytes for one that was read");
    assert!(written > blocked_at && written < OFFERED / 2, "{written} bytes after {blocked_at}");
    // 500 events are 2 MB of text, held once by the decoder and once by the preview.
    assert!(held.bytes_max < 16 << 20, "{} bytes were held", held.bytes_max);
}

#[tokio::test]
async fn a_flood_ends_at_the_size_limit_and_the_connection_with_it() {
    let (sender, _blocked) = oneshot::channel();
    let piece = delta(&"x".repeat(4_000));
    let (url, server) = serve(move |socket| flood(socket, piece, 256 << 20, sender)).await;
    let error = builder(&url).max_answer_bytes(1 << 20).build().stream::<Letter>("x").finish().await.unwrap_err();
    assert!(matches!(error.failure(), Failure::Incomplete { reason: IncompleteReason::TooLarge }), "{error:?}");
    assert!(server.await.unwrap() < 64 << 20);
}

#[tokio::test]
async fn whitespace_without_end_is_given_up() {
    let (sender, _blocked) = oneshot::channel();
    let blank = delta(&"\n".repeat(50));
    let piece = [&delta(r#"one", "#), &*blank.repeat(1_000)].concat();
    let (url, server) = serve(move |socket| flood(socket, piece, 256 << 20, sender)).await;
    let mut answer = builder(&url).build().stream::<Two>("x");
    let mut shown = 0;
    while answer.next().await.is_some() {
        shown += 1;
    }
    let error = answer.finish().await.unwrap_err();
    assert!(matches!(error.failure(), Failure::Incomplete { reason: IncompleteReason::Runaway }), "{error:?}");
    assert!(shown < 60, "{shown} events of blanks were read");
    assert!(server.await.unwrap() < 64 << 20);
}

#[derive(Debug, StructuredOutput)]
struct Two {
    text: String,
    more: u8,
}

#[tokio::test]
async fn a_silent_stream_is_given_up_and_its_connection_closed() {
    let (url, server) = serve(|mut socket| async move {
        let events = [OPEN_ENDED, &responses_events(&pieces(ANSWER, 20))[..4].concat()].concat();
        socket.write_all(events.as_bytes()).await.unwrap();
        is_closed(&mut socket).await
    })
    .await;
    let error = builder(&url).idle_timeout(Duration::from_millis(100)).build().stream::<Ticket>("x").finish().await;
    let error = error.unwrap_err();
    assert!(
        matches!(error.failure(), Failure::Transport(fault) if fault.kind == TransportErrorKind::Idle),
        "{error:?}"
    );
    assert!(error.account().raw_text().starts_with("{\"category\""), "what came is kept");
    assert!(server.await.unwrap());
}

#[tokio::test]
async fn a_stream_that_only_lives_ends_at_the_deadline() {
    let (url, server) = serve(|mut socket| async move {
        let mut written = socket.write_all(OPEN_ENDED.as_bytes()).await;
        while written.is_ok() {
            tokio::time::sleep(Duration::from_millis(10)).await;
            written = socket.write_all(b": alive\n\n").await;
        }
    })
    .await;
    let begun = Instant::now();
    let client = builder(&url).deadline(Duration::from_secs(1)).idle_timeout(Duration::from_secs(5)).build();
    let error = client.stream::<Ticket>("x").finish().await.unwrap_err();
    assert!(matches!(error.failure(), Failure::DeadlineExceeded), "{error:?}");
    assert!(begun.elapsed() < Duration::from_secs(4));
    server.await.unwrap();
}

/// Sends the first events of an answer, then waits for the client to hang up.
async fn unfinished(text: String) -> (String, JoinHandle<bool>) {
    serve(move |mut socket| async move {
        let events = responses_events(&pieces(&text, 5));
        let events = [OPEN_ENDED, &events[..events.len() - 2].concat()].concat();
        socket.write_all(events.as_bytes()).await.unwrap();
        is_closed(&mut socket).await
    })
    .await
}

#[tokio::test]
async fn dropping_the_answer_closes_the_connection() {
    let (url, server) = unfinished(ANSWER.to_owned()).await;
    let mut answer = builder(&url).build().stream::<Ticket>("x");
    assert!(matches!(answer.next().await, Some(Update::Answer(_))));
    drop(answer);
    assert!(server.await.unwrap());
}

#[tokio::test]
async fn a_prefix_that_cannot_be_mended_closes_the_connection() {
    let (url, server) = unfinished(ANSWER.replace("\"billing\"", "\"refunds\"")).await;
    let client = builder(&url).build();
    let error = client.stream::<Ticket>("x").finish().await.unwrap_err();
    assert_eq!(error.violations().unwrap().violations()[0].pointer(), "/category");
    assert_eq!(error.account().attempts.len(), 1);
    assert!(server.await.unwrap(), "though the client lives on");
    drop(client);
}

#[tokio::test]
async fn what_was_paid_for_is_kept_when_a_stream_is_stopped() {
    let wire = wires().into_iter().find(|wire| wire.name == "anthropic").unwrap();
    let text = ANSWER.replace("\"billing\"", "\"refunds\"");
    let events = (wire.events)(&pieces(&text, 5)).concat();
    let (url, _) = replies(vec![format!("{OPEN_ENDED}{events}")]).await;
    let client = Client::new(anthropic::payg("dummy").model("claude-sonnet-4-5").base_url(&url));
    let error = client.stream::<Ticket>("x").finish().await.unwrap_err();
    assert!(error.is_invalid_schema(), "{error}");
    assert_eq!((error.usage().input_tokens, error.account().attempts[0].usage.input_tokens), (11, 11));
    assert_eq!((error.request_id(), error.account().model.as_deref()), (Some("r1"), Some("m")));
}

#[tokio::test]
async fn a_stream_cut_after_any_event_is_incomplete_however_the_connection_ends() {
    let chunked = OPEN_ENDED.replace("connection: close", "transfer-encoding: chunked");
    let events = responses_events(&pieces(ANSWER, 40));
    for kept in 0..events.len() {
        let body = events[..kept].concat();
        // An end that looks like one, one within the HTTP message, and one within the next event.
        let within = events[kept].lines().next().unwrap();
        let chunk = format!("{:x}\r\n{body}\r\n", body.len());
        let cuts = [
            format!("{OPEN_ENDED}{body}"),
            format!("{chunked}{}", if body.is_empty() { "" } else { &chunk }),
            format!("{OPEN_ENDED}{body}{within}"),
        ];
        for (way, cut) in cuts.into_iter().enumerate() {
            let (url, _) = replies(vec![cut]).await;
            let client = builder(&url).retry(RetryPolicy::none()).build();
            let error = client.stream::<Ticket>("x").finish().await.unwrap_err();
            let cut = matches!(error.failure(), Failure::Incomplete { reason: IncompleteReason::StreamCut });
            assert!(cut, "after {kept} events, by {way}: {error:?}");
        }
    }
}

/// What a stream comes to from a server that gives these answers, and how often it was asked.
async fn streamed(answers: Vec<String>) -> (Result<Ticket, CallError>, usize) {
    let (url, count) = replies(answers).await;
    let client = builder(&url).build();
    let result = client.stream::<Ticket>("x").finish().await.map(|accepted| accepted.into_value());
    (result, count.load(Ordering::Relaxed))
}

fn good() -> String {
    format!("{OPEN_ENDED}{}", responses_events(&pieces(ANSWER, 9)).concat())
}

fn failure_event() -> String {
    format!("data: {}\n\n", json!({"type": "error", "code": "server_error", "message": "overloaded"}))
}

#[tokio::test]
async fn a_fault_before_there_is_anything_to_show_is_tried_again() {
    let json = "content-type: application/json\r\n";
    let limited = r#"{"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#;
    let broken =
        r#"{"id":"r","object":"response","status":"failed","output":[],"error":{"code":"server_error","message":"x"}}"#;
    let dated = "date: Wed, 21 Oct 2026 07:28:00 GMT\r\nretry-after: Wed, 21 Oct 2026 07:28:00 GMT\r\n";
    let begun = responses_events(&pieces(ANSWER, 9))[..2].concat();
    for (what, fault) in [
        ("500", reply("500 Internal Server Error", json, r#"{"error":{"message":"x"}}"#)),
        ("429 in seconds", reply("429 Too Many Requests", &format!("{json}retry-after: 0\r\n"), limited)),
        ("429 with a date", reply("429 Too Many Requests", &format!("{json}{dated}"), limited)),
        ("200 with an error", reply("200 OK", json, broken)),
        ("an error in the stream", format!("{OPEN_ENDED}{begun}{}", failure_event())),
        ("a cut before the answer", format!("{OPEN_ENDED}{begun}")),
        ("no HTTP at all", String::new()),
    ] {
        let (result, asked) = streamed(vec![fault, good()]).await;
        assert_eq!((result.unwrap_or_else(|error| panic!("{what}: {error:?}")), asked), (ticket(), 2), "{what}");
    }
}

#[tokio::test]
async fn a_fault_behind_something_that_was_shown_is_not() {
    let begun = responses_events(&pieces(ANSWER, 9))[..4].concat();
    let (result, asked) = streamed(vec![format!("{OPEN_ENDED}{begun}{}", failure_event()), good()]).await;
    let error = result.unwrap_err();
    assert_eq!((error.outcome(), asked), (Outcome::TransportError, 1));
    assert!(error.is_retryable(), "the caller may");
    assert_eq!(error.account().raw_text(), &ANSWER[..18]);
}

#[tokio::test]
async fn attempts_of_a_stream_are_counted_together() {
    let cut = format!("{OPEN_ENDED}{}", responses_events(&pieces(ANSWER, 9))[..2].concat());
    let failed = reply("500 Internal Server Error", "", "");
    let (result, asked) = streamed(vec![cut.clone(), failed, cut, good()]).await;
    let error = result.unwrap_err();
    let outcomes: Vec<_> = error.account().attempts.iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(outcomes, [Outcome::Incomplete, Outcome::TransportError, Outcome::Incomplete]);
    assert_eq!(asked, 3);
}
