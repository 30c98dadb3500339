//! One answer as each provider streams it, and a transport that brings it in pieces.

use std::future::Future;
use std::pin::Pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use geode::StructuredOutput;
use geode::adapter::{Adapter, anthropic, gemini, openai_chat, openai_responses};
use geode::transport::{ExchangeLimits, HeaderMap, Transport, TransportError, WireReply, WireRequest, WireStream};
use serde_json::{Value, json};

/// What the tests ask for.
#[derive(Debug, Clone, PartialEq, StructuredOutput)]
pub(crate) struct Ticket {
    pub(crate) category: Category,
    #[geode(length(max = 60))]
    pub(crate) reason: String,
    pub(crate) lines: Vec<Line>,
    pub(crate) urgent: Option<bool>,
}

#[derive(Debug, Clone, Copy, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Category {
    Billing,
    Technical,
}

#[derive(Debug, Clone, PartialEq, StructuredOutput)]
pub(crate) struct Line {
    pub(crate) item: String,
    #[geode(range(max = 100))]
    pub(crate) quantity: u32,
}

pub(crate) const ANSWER: &str = r#"{"category": "billing", "reason": "Zwei Stühle \"doppelt\" 🪑\n", "lines": [{"item": "chair", "quantity": 2}, {"item": "table", "quantity": 10}], "urgent": null}"#;

pub(crate) fn ticket() -> Ticket {
    Ticket {
        category: Category::Billing,
        reason: "Zwei Stühle \"doppelt\" 🪑\n".to_owned(),
        lines: vec![Line { item: "chair".to_owned(), quantity: 2 }, Line { item: "table".to_owned(), quantity: 10 }],
        urgent: None,
    }
}

/// A provider's stream: its adapter, and the events of an answer in pieces.
pub(crate) struct Wire {
    pub(crate) name: &'static str,
    pub(crate) adapter: Arc<dyn Adapter>,
    pub(crate) events: fn(&[&str]) -> Vec<String>,
}

pub(crate) fn wires() -> Vec<Wire> {
    vec![
        Wire {
            name: "responses",
            adapter: Arc::new(openai_responses::payg("dummy").model("m")),
            events: responses_events,
        },
        Wire { name: "chat", adapter: Arc::new(openai_chat::openai("dummy").model("m")), events: chat_events },
        Wire {
            name: "anthropic",
            adapter: Arc::new(anthropic::payg("dummy").model("claude-sonnet-4-5")),
            events: anthropic_events,
        },
        Wire {
            name: "gemini",
            adapter: Arc::new(gemini::api("dummy").model("gemini-2.5-flash")),
            events: gemini_events,
        },
    ]
}

fn named(data: Value) -> String {
    let name = data["type"].as_str().unwrap().to_owned();
    format!("event: {name}\ndata: {data}\n\n")
}

pub(crate) fn responses_events(pieces: &[&str]) -> Vec<String> {
    let text = pieces.concat();
    let message = json!({"type": "message", "id": "i1", "role": "assistant", "status": "completed",
        "content": [{"type": "output_text", "text": text, "annotations": []}]});
    let mut events = vec![
        named(
            json!({"type": "response.created", "response": {"id": "r1", "model": "m", "status": "in_progress", "output": []}}),
        ),
        named(
            json!({"type": "response.output_item.added", "output_index": 0, "item": {"type": "message", "id": "i1", "content": []}}),
        ),
    ];
    events.extend(pieces.iter().map(|piece| {
        named(json!({"type": "response.output_text.delta", "item_id": "i1", "output_index": 0, "content_index": 0, "delta": piece}))
    }));
    events.push(named(json!({"type": "response.output_item.done", "output_index": 0, "item": message})));
    events.push(named(
        json!({"type": "response.completed", "response": {"id": "r1", "model": "m", "status": "completed",
        "output": [message], "usage": {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18}}}),
    ));
    events
}

fn chat_events(pieces: &[&str]) -> Vec<String> {
    let chunk = |choices: Value, usage: Value| {
        format!(
            "data: {}\n\n",
            json!({"id": "c1", "object": "chat.completion.chunk", "model": "m", "choices": choices, "usage": usage})
        )
    };
    let choice = |delta: Value, finish: Value| json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
    let mut events = vec![chunk(choice(json!({"role": "assistant", "content": ""}), Value::Null), Value::Null)];
    events.extend(pieces.iter().map(|piece| chunk(choice(json!({"content": piece}), Value::Null), Value::Null)));
    events.push(chunk(choice(json!({}), "stop".into()), Value::Null));
    events.push(chunk(json!([]), json!({"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18})));
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn anthropic_events(pieces: &[&str]) -> Vec<String> {
    let mut events = vec![
        named(
            json!({"type": "message_start", "message": {"id": "m1", "type": "message", "role": "assistant", "model": "m",
            "content": [], "stop_reason": null, "usage": {"input_tokens": 11, "output_tokens": 1}}}),
        ),
        named(json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})),
        named(json!({"type": "ping"})),
    ];
    events.extend(pieces.iter().map(|piece| {
        named(json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": piece}}))
    }));
    events.push(named(json!({"type": "content_block_stop", "index": 0})));
    events.push(named(json!({"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": null}, "usage": {"output_tokens": 7}})));
    events.push(named(json!({"type": "message_stop"})));
    events
}

fn gemini_events(pieces: &[&str]) -> Vec<String> {
    let chunk = |text: &str, last: bool| {
        let mut chunk = json!({"candidates": [{"index": 0, "content": {"role": "model", "parts": [{"text": text}]}}],
            "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 7, "totalTokenCount": 18}, "modelVersion": "m", "responseId": "g1"});
        if last {
            chunk["candidates"][0]["finishReason"] = "STOP".into();
        }
        format!("data: {chunk}\r\n\r\n")
    };
    pieces.iter().enumerate().map(|(index, piece)| chunk(piece, index + 1 == pieces.len())).collect()
}

/// A text in pieces of about so many bytes, cut between characters.
pub(crate) fn pieces(text: &str, size: usize) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let end = (size..rest.len()).find(|&end| rest.is_char_boundary(end)).unwrap_or(rest.len());
        let (piece, behind) = rest.split_at(end);
        pieces.push(piece);
        rest = behind;
    }
    pieces
}

/// Brings a body in pieces, and counts how many were taken.
#[derive(Clone)]
pub(crate) struct Scripted {
    body: Arc<Mutex<Vec<Bytes>>>,
    pub(crate) taken: Arc<AtomicUsize>,
    /// Held by the stream while it lives.
    pub(crate) alive: Arc<()>,
}

impl Scripted {
    pub(crate) fn new(body: impl IntoIterator<Item = Bytes>) -> Self {
        let mut body: Vec<Bytes> = body.into_iter().collect();
        body.reverse();
        Scripted { body: Arc::new(Mutex::new(body)), taken: Arc::default(), alive: Arc::default() }
    }

    /// The whole body, cut every `size` bytes.
    pub(crate) fn cut(body: &str, size: usize) -> Self {
        Scripted::new(body.as_bytes().chunks(size).map(Bytes::copy_from_slice))
    }

    pub(crate) fn events(events: Vec<String>) -> Self {
        Scripted::new(events.into_iter().map(Bytes::from))
    }
}

impl Transport for Scripted {
    fn send<'a>(
        &'a self,
        _: WireRequest,
        _: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>> {
        unreachable!("only streams are asked for")
    }

    fn stream<'a>(
        &'a self,
        _: WireRequest,
        _: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>> {
        let (script, alive) = (self.clone(), Arc::clone(&self.alive));
        let body = futures_util::stream::poll_fn(move |_| {
            let _ = &alive;
            let piece = script.body.lock().unwrap().pop();
            script.taken.fetch_add(usize::from(piece.is_some()), Ordering::Relaxed);
            std::task::Poll::Ready(piece.map(Ok))
        });
        let mut headers = HeaderMap::new();
        headers.insert("content-type", "text/event-stream; charset=utf-8".parse().unwrap());
        headers.insert("x-request-id", "req-9".parse().unwrap());
        Box::pin(std::future::ready(Ok(WireStream { status: 200, headers, body: Box::pin(body) })))
    }
}
