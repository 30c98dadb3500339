//! The HTTP transport and the event stream under faults.

use std::time::Duration;

use bytes::Bytes;
use geode::adapter::{Adapter, Credential, anthropic, openai_chat, openai_responses};
use geode::message::ToolChoice;
use geode::request::Request;
use geode::transport::{
    ExchangeLimits, Frames, HeaderMap, HttpTransport, Transport, TransportErrorKind, WireRequest, WireStream,
};

use crate::exchange::{Fault, LIMITS, exchange, is_transport, line};
use crate::requests::with_tool;
use crate::support::server::{Answer, Piece, Server};

const COMPLETION: &str = r#"{"id":"c1","choices":[{"message":{"content":"hello"},"finish_reason":"stop"}]}"#;
const CHUNK: &str = "data: {\"choices\":[{\"delta\":{\"content\":\"hel\"}}]}\n\n";

fn plain(stream: bool) -> Request {
    Request { stream, ..with_tool(ToolChoice::Auto) }
}

fn in_pieces(content_type: &str, pieces: Vec<Piece>) -> Answer {
    Answer { status: 200, headers: vec![("content-type".to_owned(), content_type.to_owned())], pieces }
}

fn piece(text: &'static str) -> Piece {
    Piece::Bytes(Bytes::from_static(text.as_bytes()))
}

#[tokio::test]
async fn a_request_arrives_as_the_adapter_wrote_it() {
    let server = Server::start([Answer::json(200, COMPLETION)]).await;
    let adapter = openai_chat::openai("dummy-key").base_url(format!("{}/v1/", server.url)).header("X-Team", "blue");
    exchange(&adapter, &plain(false), LIMITS).await.unwrap();
    let asked = server.asked().remove(0);
    assert_eq!(asked.path, "/v1/chat/completions");
    assert_eq!(asked.headers["authorization"], "Bearer dummy-key");
    assert_eq!(asked.headers["content-type"], "application/json");
    assert_eq!(asked.headers["x-team"], "blue");
    assert!(asked.headers["user-agent"].to_str().unwrap().starts_with("geode/"));
    assert_eq!(asked.body, crate::requests::body(&adapter, &plain(false)));
}

#[tokio::test]
async fn each_provider_gets_its_own_headers() {
    let anthropic_answer = r#"{"content":[{"type":"text","text":"hi"}],"stop_reason":"end_turn"}"#;
    let script = [anthropic_answer, anthropic_answer, r#"{"status":"completed","output":[]}"#];
    let server = Server::start(script.map(|body| Answer::json(200, body))).await;
    exchange(&anthropic::payg("key").base_url(&server.url), &plain(false), LIMITS).await.unwrap();
    exchange(&anthropic::oauth("token").base_url(&server.url), &plain(false), LIMITS).await.unwrap();
    exchange(&openai_responses::codex_oauth("token", "account").base_url(&server.url), &plain(false), LIMITS)
        .await
        .unwrap();
    let asked = server.asked();
    assert_eq!(asked[0].headers["x-api-key"], "key");
    assert_eq!(asked[0].headers["anthropic-version"], "2023-06-01");
    assert_eq!(asked[1].headers["authorization"], "Bearer token");
    assert_eq!(asked[1].headers["anthropic-beta"], "oauth-2025-04-20");
    assert_eq!(asked[2].headers["chatgpt-account-id"], "account");
    assert_eq!(asked[2].headers["accept"], "text/event-stream");
}

#[tokio::test]
async fn a_key_from_a_function_is_asked_for_each_request() {
    let server = Server::start([Answer::json(200, COMPLETION), Answer::json(200, COMPLETION)]).await;
    let count = std::sync::atomic::AtomicUsize::new(0);
    let key = Credential::from_fn(move || {
        let count = count.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        format!("token-{count}").into()
    });
    let adapter = openai_chat::openai(key).base_url(&server.url);
    exchange(&adapter, &plain(false), LIMITS).await.unwrap();
    exchange(&adapter, &plain(false), LIMITS).await.unwrap();
    let asked = server.asked();
    assert_eq!(asked[0].headers["authorization"], "Bearer token-0");
    assert_eq!(asked[1].headers["authorization"], "Bearer token-1");
}

#[tokio::test]
async fn a_connection_is_used_again() {
    let server = Server::start([Answer::json(200, COMPLETION), Answer::json(200, COMPLETION)]).await;
    let adapter = openai_chat::openai("dummy").base_url(&server.url);
    let transport = HttpTransport::new().unwrap();
    for _ in 0..2 {
        transport.send(adapter.encode(&plain(false)).unwrap(), LIMITS).await.unwrap();
    }
    let asked = server.asked();
    assert_eq!(asked[0].peer, asked[1].peer);
}

#[tokio::test]
async fn a_redirect_is_not_followed() {
    let elsewhere = Server::start([]).await;
    let headers = vec![("location".to_owned(), format!("{}/v1", elsewhere.url))];
    for status in [301, 302, 303, 307, 308] {
        let redirect = Answer { status, headers: headers.clone(), pieces: Vec::new() };
        let server = Server::start([redirect.clone(), redirect]).await;
        let adapter = openai_chat::openai("dummy").base_url(&server.url);
        for stream in [false, true] {
            let outcome = exchange(&adapter, &plain(stream), LIMITS).await;
            assert_eq!(line(&outcome), format!("error Other {status}"));
        }
    }
    assert!(elsewhere.asked().is_empty());
}

#[tokio::test]
async fn a_failure_is_not_tried_again_by_the_transport() {
    let server = Server::start([Answer::json(503, "")]).await;
    let outcome = exchange(&openai_chat::openai("dummy").base_url(&server.url), &plain(false), LIMITS).await;
    assert_eq!(line(&outcome), "error Overloaded 503 retryable");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn a_silent_server_is_given_up() {
    let hang = || in_pieces("text/event-stream", vec![piece(CHUNK), Piece::Hang]);
    let server = Server::start([hang(), hang(), hang()]).await;
    let adapter = openai_chat::openai("dummy").base_url(&server.url);
    let short = Duration::from_millis(80);
    let idle = exchange(&adapter, &plain(true), ExchangeLimits { idle: short, ..LIMITS }).await;
    assert!(is_transport(&idle, TransportErrorKind::Idle), "{idle:?}");
    let timeout = exchange(&adapter, &plain(true), ExchangeLimits { timeout: short, ..LIMITS }).await;
    assert!(is_transport(&timeout, TransportErrorKind::Timeout), "{timeout:?}");
    let timeout = exchange(&adapter, &plain(false), ExchangeLimits { timeout: short, ..LIMITS }).await;
    assert!(is_transport(&timeout, TransportErrorKind::Timeout), "{timeout:?}");
}

#[tokio::test]
async fn a_broken_connection_is_no_end_of_an_answer() {
    let broken = |text| in_pieces("application/json", vec![piece(text), Piece::Break]);
    let stream = in_pieces("text/event-stream", vec![piece(CHUNK), Piece::Break]);
    let server = Server::start([broken(COMPLETION), stream]).await;
    let adapter = openai_chat::openai("dummy").base_url(&server.url);
    for stream in [false, true] {
        let outcome = exchange(&adapter, &plain(stream), LIMITS).await;
        assert!(is_transport(&outcome, TransportErrorKind::Interrupted), "{outcome:?}");
    }
}

#[tokio::test]
async fn an_answer_over_the_limit_is_not_read_on() {
    let flood = |content_type| {
        let pieces = std::iter::repeat_n(piece(CHUNK), 100).chain([Piece::Hang]);
        in_pieces(content_type, pieces.collect())
    };
    let server = Server::start([flood("application/json"), flood("text/event-stream")]).await;
    let adapter = openai_chat::openai("dummy").base_url(&server.url);
    for stream in [false, true] {
        let outcome = exchange(&adapter, &plain(stream), ExchangeLimits { max_bytes: 1_000, ..LIMITS }).await;
        assert!(is_transport(&outcome, TransportErrorKind::TooLarge), "{outcome:?}");
    }
}

#[tokio::test]
async fn a_server_that_is_not_there_is_named_in_no_error() {
    let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let address = listener.local_addr().unwrap();
    drop(listener);
    let adapter = openai_chat::openai("dummy").base_url(format!("http://{address}/secret-path"));
    let outcome = exchange(&adapter, &plain(false), LIMITS).await;
    assert!(is_transport(&outcome, TransportErrorKind::Connect), "{outcome:?}");
    assert!(!format!("{outcome:?}").contains("secret-path"));
}

#[tokio::test]
async fn a_key_that_no_header_can_hold_stays_out_of_the_error() {
    let adapter = openai_chat::openai("two\nlines");
    let outcome = exchange(&adapter, &plain(false), LIMITS).await;
    assert!(is_transport(&outcome, TransportErrorKind::Unsupported), "{outcome:?}");
    let Err(Fault::Transport(error)) = outcome else { unreachable!() };
    assert!(error.to_string().contains("authorization"), "{error}");
    assert!(!format!("{error:?} {error}").contains("lines\""), "{error:?}");
    assert!(!format!("{adapter:?}").contains("two"));
}

#[tokio::test]
async fn another_kind_of_request_is_refused() {
    let transport = HttpTransport::new().unwrap();
    let error = transport.send(WireRequest::Loopback(Bytes::new()), LIMITS).await.err().unwrap();
    assert_eq!(error.kind, TransportErrorKind::Unsupported);
}

#[tokio::test]
async fn a_whole_answer_to_a_request_for_a_stream_is_read_as_one() {
    let page = in_pieces("text/html", vec![piece("<html><title>Log in</title></html>")]);
    let mut refused = Answer::json(429, r#"{"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#);
    refused.headers.push(("x-request-id".to_owned(), "r1".to_owned()));
    let server = Server::start([Answer::json(200, COMPLETION), page, refused]).await;
    let adapter = openai_chat::openai("dummy").base_url(&server.url);
    assert_eq!(line(&exchange(&adapter, &plain(true), LIMITS).await), "stop hello 0/0");
    let page = exchange(&adapter, &plain(true), LIMITS).await;
    assert_eq!(line(&page), "malformed Some(200)");
    let Err(Fault::Adapter(fault)) = page else { unreachable!() };
    assert!(fault.to_string().contains("Log in"), "{fault}");
    assert_eq!(
        line(&exchange(&adapter, &plain(true), LIMITS).await),
        "error RateLimited 429 rate_limit_exceeded id=r1 retryable"
    );
}

#[tokio::test]
async fn a_stream_carries_the_id_of_its_request() {
    let mut answer =
        in_pieces("text/event-stream", vec![piece("data: {\"choices\":[{\"finish_reason\":\"stop\"}]}\n\n")]);
    answer.headers.push(("x-request-id".to_owned(), "r2".to_owned()));
    let server = Server::start([answer]).await;
    let reply = exchange(&openai_chat::openai("dummy").base_url(&server.url), &plain(true), LIMITS).await.unwrap();
    assert_eq!(reply.request_id.as_deref(), Some("r2"));
}

async fn frames(
    pieces: &[&[u8]],
    max_event_bytes: usize,
) -> (Vec<(Option<String>, String)>, Option<TransportErrorKind>) {
    let pieces: Vec<_> = pieces.iter().map(|piece| Ok(Bytes::copy_from_slice(piece))).collect();
    let body = Box::pin(futures_util::stream::iter(pieces));
    let mut frames = Frames::new(WireStream { status: 200, headers: HeaderMap::new(), body }, max_event_bytes);
    let mut seen = Vec::new();
    while let Some(frame) = frames.next().await {
        match frame {
            Ok(frame) => seen.push((frame.name, frame.data)),
            Err(error) => {
                assert!(frames.next().await.is_none(), "a stream ends with its first error");
                return (seen, Some(error.kind));
            }
        }
    }
    (seen, None)
}

#[tokio::test]
async fn frames_are_the_same_wherever_the_bytes_are_cut() {
    let text = "\u{feff}: hello\r\nevent: a\rdata: 那\r\ndata:x\n\n:\n\ndata:  two\n\r\ndata\n\nid: 1\n\ndata: : alive\n\nevent: b\ndata: 😀\r\r";
    let bytes = text.as_bytes();
    let wanted = vec![
        (Some("a".to_owned()), "那\nx".to_owned()),
        (None, " two".to_owned()),
        (Some("b".to_owned()), "😀".to_owned()),
    ];
    for first in 0..=bytes.len() {
        for second in first..=bytes.len() {
            let pieces = [&bytes[..first], &bytes[first..second], &bytes[second..]];
            assert_eq!(frames(&pieces, 1_000).await, (wanted.clone(), None), "cut at {first} and {second}");
        }
    }
}

#[tokio::test]
async fn an_event_that_the_end_cuts_is_dropped() {
    assert_eq!(frames(&[b"data: a\n\ndata: b\n"], 100).await, (vec![(None, "a".to_owned())], None));
}

#[tokio::test]
async fn bytes_that_are_no_text_end_the_stream() {
    let (seen, error) = frames(&[b"data: a\n\ndata: \xff\n\ndata: b\n\n"], 100).await;
    assert_eq!((seen.len(), error), (1, Some(TransportErrorKind::Corrupt)));
}

#[tokio::test]
async fn an_event_without_end_is_given_up() {
    let flood: Vec<&[u8]> =
        std::iter::once(&b"data: a\n\ndata: "[..]).chain(std::iter::repeat_n(&b"xxxxxxxx"[..], 1_000)).collect();
    let (seen, error) = frames(&flood, 256).await;
    assert_eq!((seen.len(), error), (1, Some(TransportErrorKind::TooLarge)));
}
