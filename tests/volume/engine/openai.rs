//! The OpenAI Batch API. Facts: the API reference, and the types of openai-python 3.57.

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
    if secret(headers, "authorization") != "Bearer sk-dummy" {
        return json_of(401, error("invalid_request_error", "no such key"));
    }
    let steps: Vec<&str> = path.split('/').skip(2).collect();
    match (method, &steps[..]) {
        ("POST", ["files"]) => upload(state, headers, body),
        ("GET", ["files", id, "content"]) => match state.files.get(*id) {
            Some(content) => (200, content.clone()),
            None => no_such("file"),
        },
        ("POST", ["batches"]) => create(state, body),
        ("GET", ["batches", id]) => match state.poll(id, polls) {
            Some(batch) => json_of(200, object(state, &batch)),
            None => no_such("batch"),
        },
        ("POST", ["batches", id, "cancel"]) => match state.batches.get_mut(*id) {
            Some(batch) => {
                batch.cancelled = true;
                let batch = batch.clone();
                json_of(200, object(state, &batch))
            }
            None => no_such("batch"),
        },
        _ => no_such("path"),
    }
}

/// Takes a form apart, as a server does: by the boundary that its header names.
fn upload(state: &mut Stored, headers: &HeaderMap, body: &[u8]) -> Reply {
    let kind = secret(headers, "content-type");
    let boundary = kind.strip_prefix("multipart/form-data; boundary=").expect("a form").trim_matches('"');
    let text = std::str::from_utf8(body).expect("the items are text");
    let (mut purpose, mut file) = (None, None);
    for part in text.split(&format!("--{boundary}")).filter(|part| part.starts_with("\r\n")) {
        let (head, content) = part.trim_start().split_once("\r\n\r\n").expect("a part has a head");
        let content = content.strip_suffix("\r\n").expect("a part ends with a line break");
        let head = head.to_ascii_lowercase();
        match () {
            () if head.contains("name=\"purpose\"") => purpose = Some(content),
            () if head.contains("name=\"file\"") => file = Some((content, head)),
            () => panic!("a part that the API doesn't know: {head}"),
        }
    }
    let (content, head) = file.expect("the file");
    assert!(head.contains("filename=\""), "a file has a name: {head}");
    assert_eq!(purpose, Some("batch"));
    let id = format!("file-{}", state.files.len() + 1);
    state.files.insert(id.clone(), content.as_bytes().to_vec());
    json_of(
        200,
        json!({
            "id": id, "object": "file", "bytes": content.len(), "created_at": 1_796_000_000, "expires_at": null,
            "filename": "batch.jsonl", "purpose": "batch", "status": "processed", "status_details": null,
        }),
    )
}

fn create(state: &mut Stored, body: &[u8]) -> Reply {
    let body: Value = serde_json::from_slice(body).expect("JSON");
    assert_eq!((&body["endpoint"], &body["completion_window"]), (&json!("/v1/responses"), &json!("24h")));
    let file = body["input_file_id"].as_str().expect("a file's id").to_owned();
    let Some(content) = state.files.get(&file) else { return no_such("file") };
    let mut items = Vec::new();
    for line in String::from_utf8(content.clone()).expect("text").lines() {
        let line: Value = serde_json::from_str(line).expect("a line is JSON");
        assert_eq!((&line["method"], &line["url"]), (&json!("POST"), &json!("/v1/responses")));
        assert_eq!(line.as_object().unwrap().len(), 4, "{line}");
        items.push((line["custom_id"].as_str().expect("a key").to_owned(), line["body"].clone()));
    }
    let refused = items.iter().find(|(key, _)| key.starts_with("illegal"));
    let refused = refused.map(|(key, _)| format!("The item {key} is not what the endpoint takes."));
    let mut batch = state.keep("batch_", items, file);
    batch.refused = refused;
    state.batches.insert(batch.id.clone(), batch.clone());
    json_of(200, object(state, &batch))
}

/// The batch object. Results are files of their own: one of answers, one of errors.
fn object(state: &mut Stored, batch: &Batch) -> Value {
    let good = ["good", "wrong", "cut", "refused"];
    let (completed, cancelled) = (batch.count(|of| good.contains(&of)), batch.count(|of| of == "cancelled"));
    let failed = batch.items.len() - completed - cancelled;
    let expired = batch.count(|of| of == "expired") > 0;
    let status = match () {
        () if batch.refused.is_some() && batch.over => "failed",
        () if batch.polls == 0 && !batch.cancelled => "validating",
        () if batch.cancelled && !batch.over => "cancelling",
        () if batch.cancelled => "cancelled",
        () if !batch.over && batch.polls % 2 == 1 => "in_progress",
        () if !batch.over => "finalizing",
        () if expired => "expired",
        () => "completed",
    };
    let is_over = batch.over && batch.refused.is_none();
    let mut file = |name: &str, kinds: &dyn Fn(&str) -> bool| {
        let lines: Vec<String> = batch
            .items
            .iter()
            .filter(|(key, _)| kinds(batch.outcome(key)))
            .enumerate()
            .map(|(index, (key, body))| line(index, batch.outcome(key), key, body).to_string() + "\n")
            .collect();
        let id = format!("file-{}-{name}", batch.id);
        (is_over && !lines.is_empty()).then(|| {
            state.files.insert(id.clone(), lines.concat().into_bytes());
            id
        })
    };
    let output = file("output", &|of| good.contains(&of));
    let errors = file("error", &|of| !good.contains(&of) && of != "cancelled");
    let refusal = batch.refused.as_ref().filter(|_| batch.over);
    json!({
        "id": batch.id, "object": "batch", "endpoint": "/v1/responses", "input_file_id": batch.file,
        "completion_window": "24h", "created_at": 1_796_000_000, "expires_at": 1_796_086_400, "status": status,
        "in_progress_at": null, "finalizing_at": null, "completed_at": null, "failed_at": null, "expired_at": null,
        "cancelling_at": null, "cancelled_at": null, "metadata": null, "usage": null,
        "output_file_id": output, "error_file_id": errors,
        // A list without data is what a batch without faults has.
        "errors": match refusal {
            Some(why) => json!({"object": "list",
                "data": [{"code": "invalid_request", "line": 1, "message": why, "param": "body"}]}),
            None => json!({"object": "list", "data": null}),
        },
        "request_counts": match (is_over, batch.polls) {
            (true, _) => json!({"total": batch.items.len(), "completed": completed, "failed": failed}),
            (false, 0) => json!({"total": 0, "completed": 0, "failed": 0}),
            (false, _) => json!({"total": batch.items.len(), "completed": 0, "failed": 0}),
        },
    })
}

/// A line of a result file.
fn line(index: usize, outcome: &str, key: &str, body: &Value) -> Value {
    let failure = |status: u16, code: &str| {
        json!({"status_code": status, "request_id": format!("req_{key}"),
            "body": {"error": {"message": "not this one", "type": "requests", "param": null, "code": code}}})
    };
    let (response, error) = match outcome {
        "expired" => {
            let message = "This request could not be executed before the completion window expired.";
            (Value::Null, json!({"code": "batch_expired", "message": message}))
        }
        "rate" => (failure(429, "rate_limit_exceeded"), Value::Null),
        "bad" => (failure(400, "invalid_value"), Value::Null),
        _ => {
            let response = response(key, outcome, body);
            (json!({"status_code": 200, "request_id": format!("req_{key}"), "body": response}), Value::Null)
        }
    };
    json!({"id": format!("batch_req_{index}"), "custom_id": key, "response": response, "error": error})
}

/// What the Responses API says to an item.
fn response(key: &str, outcome: &str, body: &Value) -> Value {
    let content = match outcome {
        "refused" => json!({"type": "refusal", "refusal": said(outcome, body)}),
        _ => json!({"type": "output_text", "text": said(outcome, body), "annotations": [], "logprobs": []}),
    };
    let is_cut = outcome == "cut";
    json!({
        "id": format!("resp_{key}"), "object": "response", "created_at": 1_796_000_000, "model": body["model"],
        "status": if is_cut { "incomplete" } else { "completed" }, "error": null,
        "incomplete_details": if is_cut { json!({"reason": "max_output_tokens"}) } else { Value::Null },
        "instructions": null, "metadata": {}, "parallel_tool_calls": true, "tool_choice": "auto", "tools": [],
        "output": [{"id": format!("msg_{key}"), "type": "message", "role": "assistant",
            "status": if is_cut { "incomplete" } else { "completed" }, "content": [content]}],
        "usage": {"input_tokens": 3, "output_tokens": 2, "total_tokens": 5,
            "input_tokens_details": {"cached_tokens": 0, "cache_write_tokens": 0}, "output_tokens_details": {"reasoning_tokens": 0}},
    })
}
