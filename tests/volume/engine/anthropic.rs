//! Anthropic Message Batches. Facts: the API reference, and the types of anthropic-python 2.14.

use std::collections::BTreeSet;

use axum::http::HeaderMap;
use serde_json::{Value, json};

use super::{Batch, Reply, Stored, error, json_of, no_such, said, secret};

pub(super) fn answer(
    state: &mut Stored,
    polls: usize,
    method: &str,
    path: &str,
    headers: &HeaderMap,
    body: &[u8],
) -> Reply {
    // The adapter names the key as the API always took it, the newest SDK as a bearer's.
    if secret(headers, "x-api-key") != "sk-ant-dummy" && secret(headers, "authorization") != "Bearer sk-ant-dummy" {
        return json_of(401, error("authentication_error", "no such key"));
    }
    assert!(!secret(headers, "anthropic-version").is_empty(), "every request names the version of the API");
    let host = secret(headers, "host");
    let steps: Vec<&str> = path.split('/').skip(3).collect();
    match (method, &steps[..]) {
        ("POST", ["batches"]) => create(state, host, body),
        ("GET", ["batches", id]) => match state.poll(id, polls) {
            Some(batch) => json_of(200, object(host, &batch)),
            None => no_such("batch"),
        },
        ("POST", ["batches", id, "cancel"]) => match state.batches.get_mut(*id) {
            Some(batch) => {
                batch.cancelled = true;
                json_of(200, object(host, batch))
            }
            None => no_such("batch"),
        },
        ("GET", ["batches", id, "results"]) => match state.batches.get(*id).filter(|batch| batch.over) {
            Some(batch) => {
                let lines =
                    batch.items.iter().map(|(key, body)| line(batch.outcome(key), key, body).to_string() + "\n");
                (200, lines.collect::<String>().into_bytes())
            }
            None => no_such("results"),
        },
        _ => no_such("path"),
    }
}

fn create(state: &mut Stored, host: &str, body: &[u8]) -> Reply {
    let body: Value = serde_json::from_slice(body).expect("JSON");
    let (mut items, mut keys) = (Vec::new(), BTreeSet::new());
    for request in body["requests"].as_array().expect("a list") {
        let key = request["custom_id"].as_str().expect("a key").to_owned();
        assert!(keys.insert(key.clone()), "the key {key} stands twice");
        assert_eq!(request.as_object().unwrap().len(), 2, "{request}");
        assert!(request["params"]["max_tokens"].is_u64() && request["params"]["messages"].is_array(), "{request}");
        items.push((key, request["params"].clone()));
    }
    if items.iter().any(|(key, _)| key.starts_with("illegal")) {
        return json_of(400, error("invalid_request_error", "requests.0.params: not what the Messages API takes"));
    }
    let batch = state.keep("msgbatch_", items, String::new());
    json_of(200, object(host, &batch))
}

/// The batch object. Items stay counted as processing until the whole batch has ended.
fn object(host: &str, batch: &Batch) -> Value {
    let count = |kinds: &[&str]| if batch.over { batch.count(|of| kinds.contains(&of)) } else { 0 };
    let status = match (batch.over, batch.cancelled) {
        (true, _) => "ended",
        (false, true) => "canceling",
        (false, false) => "in_progress",
    };
    let time = "2026-11-30T07:00:00.123456Z";
    json!({
        "id": batch.id, "type": "message_batch", "processing_status": status,
        "created_at": time, "expires_at": "2026-12-01T07:00:00.123456Z", "archived_at": null,
        "ended_at": batch.over.then_some(time), "cancel_initiated_at": batch.cancelled.then_some(time),
        "request_counts": {
            "processing": if batch.over { 0 } else { batch.items.len() },
            "succeeded": count(&["good", "wrong", "cut", "refused"]), "errored": count(&["rate", "bad"]),
            "canceled": count(&["cancelled"]), "expired": count(&["expired"]),
        },
        "results_url": batch.over.then(|| format!("http://{host}/v1/messages/batches/{}/results", batch.id)),
    })
}

/// A line of the results.
fn line(outcome: &str, key: &str, body: &Value) -> Value {
    let failure = |kind: &str| {
        json!({"type": "errored", "error": {"type": "error", "request_id": format!("req_{key}"),
            "error": {"type": kind, "message": "not this one"}}})
    };
    let result = match outcome {
        "expired" => json!({"type": "expired"}),
        "cancelled" => json!({"type": "canceled"}),
        "rate" => failure("rate_limit_error"),
        "bad" => failure("invalid_request_error"),
        _ => json!({"type": "succeeded", "message": message(key, outcome, body)}),
    };
    json!({"custom_id": key, "result": result})
}

/// What the Messages API says to an item.
fn message(key: &str, outcome: &str, body: &Value) -> Value {
    let reason = match outcome {
        "cut" => "max_tokens",
        "refused" => "refusal",
        _ => "end_turn",
    };
    json!({
        "id": format!("msg_{key}"), "type": "message", "role": "assistant", "model": body["model"],
        "content": [{"type": "text", "text": said(outcome, body), "citations": null}],
        "stop_reason": reason, "stop_sequence": null, "usage": {"input_tokens": 3, "output_tokens": 2},
    })
}
