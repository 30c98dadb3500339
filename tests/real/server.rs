//! A model server on the loopback interface that speaks the wires of the two programs: Messages and Responses.

use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{StatusCode, Uri};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use crate::Script;

/// What the server answers.
pub(crate) enum Answer {
    /// Server-sent events: their names and data.
    Events(Vec<Value>),
    /// An error.
    Error(u16, Value),
}

/// A running server. Dropping it stops it.
pub(crate) struct ModelServer {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Value>>>,
    task: tokio::task::JoinHandle<()>,
}

#[derive(Clone)]
struct Shared {
    script: Script,
    seen: Arc<Mutex<Vec<Value>>>,
}

impl ModelServer {
    pub(crate) async fn start(script: impl Fn(&Value, usize) -> Answer + Send + Sync + 'static) -> Self {
        let seen = Arc::new(Mutex::new(Vec::new()));
        let shared = Shared { script: Arc::new(script), seen: Arc::clone(&seen) };
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a loopback port");
        let address = listener.local_addr().expect("its address");
        let router = Router::new().fallback(answer).with_state(shared);
        let task = tokio::spawn(async move { axum::serve(listener, router).await.expect("the server runs") });
        ModelServer { address, seen, task }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Bodies of the model requests so far.
    pub(crate) fn seen(&self) -> Vec<Value> {
        self.seen.lock().expect("no thread panicked").clone()
    }
}

impl Drop for ModelServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(State(shared): State<Shared>, uri: Uri, body: Bytes) -> Response {
    let is_model_request = uri.path().ends_with("/messages") || uri.path().ends_with("/responses");
    let Some(body) = serde_json::from_slice::<Value>(&body).ok().filter(|_| is_model_request) else {
        return StatusCode::NOT_FOUND.into_response();
    };
    let count = {
        let mut seen = shared.seen.lock().expect("no thread panicked");
        seen.push(body.clone());
        seen.len()
    };
    match (shared.script)(&body, count) {
        Answer::Events(events) => {
            let frame = |event: &Value| format!("event: {}\ndata: {event}\n\n", event["type"].as_str().unwrap_or(""));
            let text: String = events.iter().map(frame).collect();
            ([("content-type", "text/event-stream")], text).into_response()
        }
        Answer::Error(status, body) => {
            (StatusCode::from_u16(status).expect("a status"), [("content-type", "application/json")], body.to_string())
                .into_response()
        }
    }
}

/// A message of the Messages API: its blocks, and why it stopped. `None` cuts the stream before it says so.
pub(crate) fn message(request: &Value, blocks: Vec<Value>, stop: Option<&str>) -> Answer {
    let usage = json!({"input_tokens": 10, "output_tokens": 1});
    let mut events = vec![json!({"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": request["model"], "content": [],
        "stop_reason": null, "stop_sequence": null, "usage": usage,
    }})];
    for (index, block) in blocks.into_iter().enumerate() {
        let (start, delta) = match block.as_str() {
            Some(text) => (json!({"type": "text", "text": ""}), json!({"type": "text_delta", "text": text})),
            None => (
                json!({"type": "tool_use", "id": format!("toolu_{index}"), "name": "StructuredOutput", "input": {}}),
                json!({"type": "input_json_delta", "partial_json": block.to_string()}),
            ),
        };
        events.push(json!({"type": "content_block_start", "index": index, "content_block": start}));
        events.push(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        events.push(json!({"type": "content_block_stop", "index": index}));
    }
    if let Some(stop) = stop {
        let delta = json!({"stop_reason": stop, "stop_sequence": null});
        events.push(json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 20}}));
        events.push(json!({"type": "message_stop"}));
    }
    Answer::Events(events)
}

/// A response of the Responses API: one message of one part, and how it ended: `completed`, `incomplete` with a reason,
/// `failed` with a code, or `cut`.
pub(crate) fn response(request: &Value, part: Option<Value>, end: &str, detail: &str) -> Answer {
    let head = |status: &str| {
        json!({"id": "resp_1", "object": "response", "created_at": 1, "status": status, "model": request["model"],
               "output": [], "error": null, "incomplete_details": null, "usage": null})
    };
    let mut events = vec![json!({"type": "response.created", "response": head("in_progress")})];
    let mut output = Vec::new();
    if let Some(part) = part {
        let item =
            json!({"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "content": [part]});
        let mut begun = item.clone();
        begun["content"] = json!([]);
        events.push(json!({"type": "response.output_item.added", "output_index": 0, "item": begun}));
        if let Some(text) = item["content"][0]["text"].as_str() {
            events.push(json!({"type": "response.output_text.delta", "item_id": "msg_1", "output_index": 0,
                               "content_index": 0, "delta": text}));
        }
        events.push(json!({"type": "response.output_item.done", "output_index": 0, "item": item}));
        output.push(item);
    }
    if end != "cut" {
        let mut response = head(end);
        response["output"] = Value::from(output);
        response["usage"] = json!({"input_tokens": 11, "input_tokens_details": {"cached_tokens": 3}, "output_tokens": 7,
                                   "output_tokens_details": {"reasoning_tokens": 2}, "total_tokens": 18});
        match end {
            "incomplete" => response["incomplete_details"] = json!({"reason": detail}),
            "failed" => response["error"] = json!({"code": detail, "message": "made up for a test"}),
            _ => {}
        }
        events.push(json!({"type": format!("response.{end}"), "response": response}));
    }
    Answer::Events(events)
}

pub(crate) fn output_text(text: &str) -> Option<Value> {
    Some(json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []}))
}
