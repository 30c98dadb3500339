//! Bugs that others met on these wires, one file each in `cases/`: what the server sends, and what it must come to.

use std::time::{Duration, Instant};

use bytes::Bytes;
use geode::adapter::{AdapterFault, ProviderError, ProviderErrorKind, openai_chat};
use geode::message::Message;
use geode::reply::{FinishReason, Reply};
use geode::request::Request;
use geode::transport::{ExchangeLimits, TransportErrorKind};
use serde_json::Value;

use crate::exchange::{Fault, LIMITS, exchange, read_pieces};
use crate::fixtures::tool;
use crate::support::cases::{adapter, answer, ids, is_stream, pieces};
use crate::support::server::{Piece, Server};

type Outcome = Result<Reply, Fault>;

macro_rules! cases {
    ($($name:ident $id:literal;)*) => {
        const IDS: &[&str] = &[$($id),*];

        $(#[tokio::test]
        async fn $name() {
            hold(include_str!(concat!("cases/", $id, ".json"))).await;
        })*
    };
}

cases! {
    b20b "B20b";
    b28b "B28b";
    b37e "B37e";
    b40b "B40b";
    b44 "B44";
    b44b "B44b";
    b44c "B44c";
    b46 "B46";
    b46b "B46b";
    b47 "B47";
    b47b "B47b";
    b48 "B48";
    b48b "B48b";
    b48c "B48c";
    b49 "B49";
    b49b "B49b";
    b50 "B50";
    b50b "B50b";
    b50c "B50c";
    b50d "B50d";
    b51 "B51";
    b51b "B51b";
    b51c "B51c";
    b52 "B52";
    b52b "B52b";
    b52c "B52c";
    b52d "B52d";
    b52e "B52e";
    b53 "B53";
    b53b "B53b";
    b53c "B53c";
    b54 "B54";
    b55 "B55";
    b55b "B55b";
    b56 "B56";
    b56b "B56b";
    b56c "B56c";
    b56d "B56d";
    b57 "B57";
    b57b "B57b";
    b57c "B57c";
    b57d "B57d";
    b58 "B58";
    b58b "B58b";
    b58c "B58c";
    b59 "B59";
    b59b "B59b";
    b60 "B60";
    b60b "B60b";
    b60c "B60c";
    b61 "B61";
    b61b "B61b";
    b61c "B61c";
    b61d "B61d";
    b63b "B63b";
}

#[test]
fn every_case_has_its_test() {
    assert_eq!(ids(), IDS);
}

async fn hold(case: &str) {
    let case: Value = serde_json::from_str(case).unwrap();
    let (outcome, took) = run(&case).await;
    let faults = judge(&case["expect"], &outcome, took);
    assert!(faults.is_empty(), "{} ({}): {}", case["id"], case["title"], faults.join("; "));
}

#[tokio::test]
async fn b54_every_byte_of_a_stream_may_come_alone() {
    let text = include_str!("cases/B54.json");
    let case: Value = serde_json::from_str(text).unwrap();
    let bytes: Vec<u8> = pieces(&case["input"]["chunks"]).into_iter().flat_map(bytes_of).collect();
    let adapter = openai_chat::openai("dummy");
    let alone = bytes.chunks(1).map(Bytes::copy_from_slice).collect();
    let (reply, _) = read_pieces(&adapter, &request(&case), "text/event-stream", alone).await.unwrap();
    assert_eq!(reply.text, r#"{"s":"那个😀"}"#);
}

async fn run(case: &Value) -> (Outcome, Duration) {
    let server = Server::start([answer(case)]).await;
    let adapter = adapter(case, &server.url);
    let max_bytes =
        case["expect"]["bytes_read_less_than"].as_u64().map_or(LIMITS.max_bytes, |bytes| bytes as usize - 1);
    let begun = Instant::now();
    let outcome = exchange(&*adapter, &request(case), ExchangeLimits { max_bytes, ..LIMITS }).await;
    (outcome, begun.elapsed())
}

fn request(case: &Value) -> Request {
    let takes_nothing = case["input"]["rust"].as_str().is_some_and(|source| source.contains("NoArgs {}"));
    let schema = match takes_nothing {
        true => r#"{"type":"object","properties":{},"required":[]}"#,
        false => r#"{"type":"object","properties":{"a":{"type":"integer"}},"required":["a"]}"#,
    };
    Request {
        messages: vec![Message::user("Question.")],
        tools: vec![tool("f", "A tool", schema)],
        stream: is_stream(case),
        ..Request::default()
    }
}

fn bytes_of(piece: Piece) -> Bytes {
    match piece {
        Piece::Bytes(bytes) => bytes,
        _ => panic!("not bytes"),
    }
}

/// What is wrong with an outcome; nothing where one of the alternatives of `either` holds.
fn judge(expect: &Value, outcome: &Outcome, took: Duration) -> Vec<String> {
    if let Some(either) = expect["either"].as_array() {
        let judged: Vec<_> = either.iter().map(|expect| judge(expect, outcome, took)).collect();
        return if judged.iter().any(Vec::is_empty) { Vec::new() } else { judged.concat() };
    }
    let mut faults = Vec::new();
    for (key, wanted) in expect.as_object().unwrap() {
        if let Err(found) = holds(key, wanted, outcome, took) {
            faults.push(format!("{key} should be {wanted}, found {found}"));
        }
    }
    faults
}

fn holds(key: &str, wanted: &Value, outcome: &Outcome, took: Duration) -> Result<(), String> {
    let check = |holds: bool, found: String| if holds { Ok(()) } else { Err(found) };
    let words = || wanted.as_array().unwrap().iter().map(|word| word.as_str().unwrap());
    match key {
        "error_class" => {
            let classes = classes(outcome);
            check(wanted.as_str().unwrap().split('|').any(|class| classes.contains(&class)), format!("{classes:?}"))
        }
        "retryable" => check(*wanted == is_retryable(outcome), is_retryable(outcome).to_string()),
        "retryable_if_nothing_yielded" => check(is_retryable(outcome), "a final error".to_owned()),
        "retry_after_ms" => {
            let wait = provider(outcome)?.retry_after.map(|wait| wait.as_millis() as u64);
            check(wanted.as_u64() == wait, format!("{wait:?}"))
        }
        "effective_status" => {
            let status = provider(outcome)?.status;
            check(wanted.as_u64() == status.map(u64::from), format!("{status:?}"))
        }
        "request_id" => {
            let id = provider(outcome)?.request_id.clone();
            check(wanted.as_str() == id.as_deref(), format!("{id:?}"))
        }
        "message_contains" => {
            let message = message(outcome);
            check(words().all(|word| message.contains(word)), message.clone())
        }
        "message_max_len" => {
            let length = message(outcome).len() as u64;
            check(length <= wanted.as_u64().unwrap(), length.to_string())
        }
        "category" => check(message(outcome).contains(wanted.as_str().unwrap()), message(outcome)),
        "text_contains" => {
            let refusal = reply(outcome)?.refusal.clone().unwrap_or_default();
            check(words().all(|word| refusal.contains(word)), refusal.clone())
        }
        "partial_contains" => {
            let text = &reply(outcome)?.text;
            check(text.contains(wanted.as_str().unwrap()), text.clone())
        }
        "stage" => check((wanted == "prompt") == outcome.is_err(), "the other stage".to_owned()),
        "parse" if wanted == "ok" => {
            let finish = &reply(outcome)?.finish;
            check(matches!(finish, Some(FinishReason::Stop | FinishReason::ToolUse)), format!("{finish:?}"))
        }
        // Missing arguments are handed on as they are: the parser says what is missing.
        "parse" => check(reply(outcome)?.tool_uses[0].input.is_empty(), "other arguments".to_owned()),
        "class" | "path" => Ok(()),
        "value" => {
            let found = value(reply(outcome)?);
            check(found.as_ref() == Some(wanted), format!("{found:?}"))
        }
        "tool_calls" => {
            let calls = &reply(outcome)?.tool_uses;
            let wanted = wanted.as_array().unwrap();
            let same = calls.len() == wanted.len()
                && calls.iter().zip(wanted).all(|(call, wanted)| {
                    let arguments = serde_json::from_str::<Value>(&call.input).ok();
                    wanted["id"] == *call.id && arguments.as_ref() == Some(&wanted["arguments"])
                });
            check(same, calls.iter().map(|call| format!("{}({})", call.id, call.input)).collect())
        }
        "within_ms" => check(took < Duration::from_millis(wanted.as_u64().unwrap()), format!("{took:?}")),
        // The limit was set to it.
        "bytes_read_less_than" => Ok(()),
        other => panic!("unknown expectation {other}"),
    }
}

fn classes(outcome: &Outcome) -> Vec<&'static str> {
    match outcome {
        Ok(reply) => match &reply.finish {
            None => vec!["StreamTruncated"],
            Some(FinishReason::TokenLimit) => vec!["Truncated"],
            Some(FinishReason::ContentFilter) => vec!["ContentFiltered"],
            Some(FinishReason::Refusal) => vec!["Refusal"],
            Some(_) => vec!["none"],
        },
        Err(Fault::Transport(error)) if error.kind == TransportErrorKind::TooLarge => vec!["Runaway"],
        Err(Fault::Adapter(AdapterFault::Malformed { .. })) => vec!["ProviderError", "StreamCorrupt"],
        Err(Fault::Adapter(AdapterFault::Provider(error))) => match error.kind {
            ProviderErrorKind::RateLimited => vec!["RateLimited"],
            ProviderErrorKind::QuotaExceeded => vec!["QuotaExceeded"],
            ProviderErrorKind::Overloaded => vec!["Overloaded", "ProviderError"],
            ProviderErrorKind::SchemaRejected => vec!["SchemaRejected"],
            ProviderErrorKind::ContentFiltered => vec!["ContentFiltered"],
            _ => vec!["ProviderError"],
        },
        Err(_) => vec!["another fault"],
    }
}

fn is_retryable(outcome: &Outcome) -> bool {
    match outcome {
        Err(Fault::Adapter(AdapterFault::Provider(error))) => error.is_retryable(),
        Err(Fault::Transport(error)) => error.kind.is_retryable(),
        _ => false,
    }
}

fn reply(outcome: &Outcome) -> Result<&Reply, String> {
    outcome.as_ref().map_err(|fault| format!("{fault:?}"))
}

fn provider(outcome: &Outcome) -> Result<&ProviderError, String> {
    match outcome {
        Err(Fault::Adapter(AdapterFault::Provider(error))) => Ok(error),
        _ => Err("no error of the provider's".to_owned()),
    }
}

/// What a person is told.
fn message(outcome: &Outcome) -> String {
    match outcome {
        Ok(reply) => reply.notes.join("; "),
        Err(Fault::Adapter(fault)) => fault.to_string(),
        Err(Fault::Transport(error)) => error.to_string(),
    }
}

/// The answer's value: its only call's arguments, or its text, a fence around it left out.
fn value(reply: &Reply) -> Option<Value> {
    let text = reply.tool_uses.first().map_or(&reply.text, |call| &call.input).trim();
    let text = text.strip_prefix("```json\n").and_then(|text| text.strip_suffix("\n```")).unwrap_or(text);
    serde_json::from_str(text).ok()
}
