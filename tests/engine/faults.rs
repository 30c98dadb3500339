//! Faults of a real server: each gives the right state within the deadline.

use std::time::{Duration, Instant};

use bytes::Bytes;
use geode::StructuredOutput;
use geode::adapter::openai_responses;
use geode::client::{Client, ClientBuilder, RetryPolicy};
use geode::outcome::{CallError, Failure, IncompleteReason};

use crate::support::server::{Answer, Piece, Server};

const KEY: &str = "sk-never-shown";

#[derive(Debug, StructuredOutput)]
struct Verdict {
    ok: bool,
}

fn builder(server: &Server) -> ClientBuilder {
    let quick = RetryPolicy::default().delays(Duration::from_millis(1), Duration::from_millis(2));
    Client::builder(openai_responses::payg(KEY).base_url(&server.url))
        .retry(quick)
        .timeout(Duration::from_millis(300))
        .deadline(Duration::from_secs(5))
}

fn completed(text: &str) -> Answer {
    let body = serde_json::json!({
        "id": "resp_1", "object": "response", "status": "completed", "model": "m",
        "output": [{ "type": "message", "role": "assistant", "status": "completed",
            "content": [{ "type": "output_text", "text": text, "annotations": [] }] }],
        "usage": { "input_tokens": 3, "output_tokens": 2, "total_tokens": 5 },
    });
    Answer::json(200, body.to_string())
}

fn good() -> Answer {
    completed(r#"{"ok":true}"#)
}

fn failing(status: u16) -> Answer {
    Answer::json(status, r#"{"error":{"message":"try later","type":"server_error","code":null}}"#)
}

fn with(mut answer: Answer, name: &str, value: &str) -> Answer {
    answer.headers.push((name.to_owned(), value.to_owned()));
    answer
}

fn pieces(pieces: impl IntoIterator<Item = Piece>) -> Answer {
    Answer { pieces: pieces.into_iter().collect(), ..Answer::json(200, Bytes::new()) }
}

/// Makes one call. Returns what it came to, and how often the server was asked.
async fn call(script: impl IntoIterator<Item = Answer>) -> (Result<bool, CallError>, usize) {
    let server = Server::start(script).await;
    let result = builder(&server).build().call::<Verdict>("x").await.map(|accepted| accepted.ok);
    (result, server.asked().len())
}

#[tokio::test]
async fn a_failing_server_that_recovers() {
    for status in [500, 502, 503, 529, 408] {
        let (result, asked) = call([failing(status), good()]).await;
        assert_eq!((result.ok(), asked), (Some(true), 2), "{status}");
    }
    let (result, asked) = call([failing(500), failing(500), failing(500)]).await;
    let error = result.unwrap_err();
    assert!(error.is_retryable());
    assert_eq!((error.to_string().as_str(), asked), ("the provider failed (500)", 3));
}

#[tokio::test]
async fn a_wrong_key_is_asked_for_once_and_never_shown() {
    let (result, asked) =
        call([Answer::json(401, r#"{"error":{"message":"Incorrect API key","code":"invalid_api_key"}}"#)]).await;
    let error = result.unwrap_err();
    assert!(!error.is_retryable() && error.is_transport());
    assert_eq!(asked, 1);
    assert_eq!(error.to_string(), "the provider refused the key (401)");
    let said = std::error::Error::source(&error).map(ToString::to_string);
    assert_eq!(said.as_deref(), Some("the provider says (401): Incorrect API key"));
    let mut shown = format!("{error} {error:?}");
    let mut cause = std::error::Error::source(&error);
    while let Some(error) = cause {
        shown.push_str(&format!("{error} {error:?}"));
        cause = error.source();
    }
    assert!(shown.contains("Incorrect API key"));
    assert!(!shown.contains(KEY));
}

#[tokio::test]
async fn a_rate_limit_that_passes() {
    let begun = Instant::now();
    let (result, asked) = call([with(failing(429), "retry-after-ms", "40"), good()]).await;
    assert_eq!((result.ok(), asked), (Some(true), 2));
    assert!(begun.elapsed() >= Duration::from_millis(40));
}

#[tokio::test]
async fn a_rate_limit_in_seconds_or_with_a_date_is_waited_for() {
    let seconds = with(failing(429), "retry-after", "1");
    let date = with(failing(429), "retry-after", "Wed, 21 Oct 2026 07:28:01 GMT");
    let date = with(date, "date", "Wed, 21 Oct 2026 07:28:00 GMT");
    // Both at once, so that the test waits one second only.
    let begun = Instant::now();
    let (by_seconds, by_date) = tokio::join!(call([seconds, good()]), call([date, good()]));
    for (result, asked) in [by_seconds, by_date] {
        assert_eq!((result.ok(), asked), (Some(true), 2));
    }
    assert!(begun.elapsed() >= Duration::from_secs(1));
}

#[tokio::test]
async fn a_rate_limit_beyond_the_deadline_ends_the_call_at_once() {
    let date = with(failing(429), "retry-after", "Thu, 01 Jan 2099 00:00:00 GMT");
    for answer in [with(failing(429), "retry-after", "3600"), with(date, "date", "Wed, 31 Dec 2098 23:00:00 GMT")] {
        let begun = Instant::now();
        let (result, asked) = call([answer]).await;
        let error = result.unwrap_err();
        assert_eq!(error.retry_after(), Some(Duration::from_secs(3600)));
        assert!(error.is_retryable());
        assert_eq!(asked, 1);
        assert!(begun.elapsed() < Duration::from_secs(2));
    }
}

#[tokio::test]
async fn a_stall_costs_one_attempt() {
    for stall in [pieces([Piece::Hang]), pieces([Piece::Bytes(Bytes::from_static(b"{\"id\":")), Piece::Hang])] {
        let (result, asked) = call([stall, good()]).await;
        assert_eq!((result.ok(), asked), (Some(true), 2));
    }
}

#[tokio::test]
async fn a_broken_connection_costs_one_attempt() {
    let half = pieces([Piece::Bytes(Bytes::from_static(b"{\"id\":\"resp_1\",")), Piece::Break]);
    let (result, asked) = call([half, good()]).await;
    assert_eq!((result.ok(), asked), (Some(true), 2));
}

#[tokio::test]
async fn nobody_listens() {
    let server = Server::start([]).await;
    let url = "http://127.0.0.1:9".to_owned();
    let adapter = openai_responses::payg(KEY).base_url(url);
    let error = Client::builder(adapter).retry(RetryPolicy::none()).build().call::<Verdict>("x").await.unwrap_err();
    assert!(matches!(error.failure(), Failure::Transport(_)) && error.is_retryable());
    assert_eq!(error.to_string(), "the provider can't be reached");
    drop(server);
}

#[tokio::test]
async fn an_error_in_the_body_of_a_200() {
    let failed = r#"{"id":"resp_1","object":"response","status":"failed","model":"m","output":[],
        "error":{"code":"server_error","message":"the model failed"}}"#;
    let (result, asked) = call([Answer::json(200, failed), good()]).await;
    assert_eq!((result.ok(), asked), (Some(true), 2));
}

#[tokio::test]
async fn a_body_that_is_not_what_the_wire_promises() {
    for (status, body, asked_for) in
        [(200, "<html>proxy</html>", 1), (200, "", 1), (502, "<html>bad gateway</html>", 3)]
    {
        let answer = || with(Answer::json(status, body), "content-type", "text/html");
        let (result, asked) = call([answer(), answer(), answer()]).await;
        let error = result.unwrap_err();
        assert!(error.is_transport(), "{error}");
        assert_eq!(asked, asked_for, "{status} {body:?}");
        assert!(!error.to_string().contains("html"));
    }
}

#[tokio::test]
async fn a_flood_stops_at_the_size_limit() {
    let flood = pieces(std::iter::repeat_n(Piece::Bytes(Bytes::from(vec![b' '; 64 * 1024])), 100));
    let server = Server::start([flood]).await;
    let client = builder(&server).max_answer_bytes(100_000).build();
    let error = client.call::<Verdict>("x").await.unwrap_err();
    assert!(matches!(error.failure(), Failure::Incomplete { reason: IncompleteReason::TooLarge }), "{error:?}");
    assert_eq!(server.asked().len(), 1);
}

#[tokio::test]
async fn the_account_tells_what_happened() {
    let server =
        Server::start([with(failing(500), "x-request-id", "req_1"), with(good(), "x-request-id", "req_2")]).await;
    let accepted = builder(&server).build().call::<Verdict>("x").await.unwrap();
    let account = accepted.account();
    assert_eq!((account.adapter, account.model.as_deref()), ("openai-payg", Some("m")));
    assert_eq!((account.usage.input_tokens, account.usage.output_tokens), (3, 2));
    let ids: Vec<_> = account.attempts.iter().map(|attempt| attempt.request_id.as_deref()).collect();
    assert_eq!(ids, [Some("req_1"), Some("req_2")]);
    assert_eq!(accepted.request_id(), Some("req_2"));
    assert!(account.attempts[1].delay >= Duration::from_millis(1));
}
