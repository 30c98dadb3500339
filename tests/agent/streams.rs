//! Streamed answers, as four wires write them.

use std::sync::Arc;

use bytes::Bytes;
use geode::adapter::{Adapter, anthropic, gemini, openai_chat, openai_responses};
use serde_json::{Value, json};

use crate::support::server::Answer;

/// A tool's name, and its arguments.
pub(super) type Call<'a> = (&'a str, &'a str);

/// How a wire streams an answer of a word and calls, and one of text, in pieces of seven bytes.
pub(super) struct Wire {
    pub(super) name: &'static str,
    pub(super) adapter: fn(&str) -> Arc<dyn Adapter>,
    pub(super) calls: fn(&str, &[Call<'_>]) -> Vec<String>,
    pub(super) text: fn(&str) -> Vec<String>,
    /// Events at the end without which the answer is whole all the same.
    pub(super) after: usize,
}

pub(super) const WIRES: [Wire; 4] = [
    Wire {
        name: "responses",
        adapter: |url| Arc::new(openai_responses::payg("key").base_url(url).model("m")),
        calls: |word, calls| {
            let mut events =
                vec![event(json!({"type": "response.output_text.delta", "output_index": 0, "delta": word}))];
            let message = json!({"type": "message", "content": [{"type": "output_text", "text": word}]});
            let mut output = vec![message];
            for (index, (name, input)) in calls.iter().enumerate() {
                let at = index + 1;
                let item = |arguments: &str| {
                    json!({"type": "function_call", "id": format!("fc_{at}"), "call_id": format!("call_{at}"),
                           "name": name, "arguments": arguments})
                };
                events.push(event(json!({"type": "response.output_item.added", "output_index": at, "item": item("")})));
                for piece in pieces(input) {
                    events.push(event(json!({"type": "response.function_call_arguments.delta", "output_index": at,
                                             "item_id": format!("fc_{at}"), "delta": piece})));
                }
                events
                    .push(event(json!({"type": "response.output_item.done", "output_index": at, "item": item(input)})));
                output.push(item(input));
            }
            let response = json!({"id": "r", "model": "m", "status": "completed", "output": output});
            events.push(event(json!({"type": "response.completed", "response": response})));
            events
        },
        text: |text| {
            let mut events: Vec<String> = pieces(text)
                .map(|piece| event(json!({"type": "response.output_text.delta", "output_index": 0, "delta": piece})))
                .collect();
            let message = json!({"type": "message", "content": [{"type": "output_text", "text": text}]});
            let response = json!({"id": "r", "model": "m", "status": "completed", "output": [message]});
            events.push(event(json!({"type": "response.completed", "response": response})));
            events
        },
        after: 0,
    },
    Wire {
        name: "chat",
        adapter: |url| Arc::new(openai_chat::openai("key").base_url(url).model("m")),
        calls: |word, calls| {
            let mut events = vec![chunk(json!({"role": "assistant", "content": word}), Value::Null)];
            let mut rests: Vec<Vec<String>> = Vec::new();
            for (index, (name, input)) in calls.iter().enumerate() {
                let function = json!({"name": name, "arguments": ""});
                let call =
                    json!({"index": index, "id": format!("call_{index}"), "type": "function", "function": function});
                events.push(chunk(json!({"tool_calls": [call]}), Value::Null));
                let piece = |piece: &str| {
                    let call = json!({"index": index, "function": {"arguments": piece}});
                    chunk(json!({"tool_calls": [call]}), Value::Null)
                };
                rests.push(pieces(input).map(piece).collect());
            }
            // The calls come at the same time.
            for turn in 0..rests.iter().map(Vec::len).max().unwrap_or(0) {
                events.extend(rests.iter().filter_map(|rest| rest.get(turn).cloned()));
            }
            events.push(chunk(json!({}), json!("tool_calls")));
            events.push("data: [DONE]\n\n".to_owned());
            events
        },
        text: |text| {
            let mut events: Vec<String> =
                pieces(text).map(|piece| chunk(json!({"content": piece}), Value::Null)).collect();
            events.push(chunk(json!({}), json!("stop")));
            events.push("data: [DONE]\n\n".to_owned());
            events
        },
        after: 1,
    },
    Wire {
        name: "messages",
        adapter: |url| Arc::new(anthropic::payg("key").base_url(url).model("m")),
        calls: |word, calls| {
            let mut events = begin();
            events.extend(block(0, json!({"type": "text", "text": ""}), [json!({"type": "text_delta", "text": word})]));
            for (index, (name, input)) in calls.iter().enumerate() {
                let start = json!({"type": "tool_use", "id": format!("call_{index}"), "name": name, "input": {}});
                let delta = |piece: &str| json!({"type": "input_json_delta", "partial_json": piece});
                events.extend(block(index + 1, start, pieces(input).map(delta)));
            }
            events.extend(end("tool_use"));
            events
        },
        text: |text| {
            let mut events = begin();
            let delta = |piece: &str| json!({"type": "text_delta", "text": piece});
            events.extend(block(0, json!({"type": "text", "text": ""}), pieces(text).map(delta)));
            events.extend(end("end_turn"));
            events
        },
        after: 0,
    },
    Wire {
        name: "gemini",
        adapter: |url| Arc::new(gemini::api("key").base_url(url).model("m")),
        calls: |word, calls| {
            let mut events = vec![candidate(json!([{"text": word}]), None)];
            for (name, input) in calls {
                let args: Value = serde_json::from_str(input).unwrap();
                events.push(candidate(json!([{"functionCall": {"name": name, "args": args}}]), None));
            }
            events.push(candidate(json!([]), Some("STOP")));
            events
        },
        text: |text| {
            let mut events: Vec<String> = pieces(text).map(|piece| candidate(json!([{"text": piece}]), None)).collect();
            events.push(candidate(json!([]), Some("STOP")));
            events
        },
        after: 0,
    },
];

fn pieces(text: &str) -> impl Iterator<Item = &str> {
    text.as_bytes().chunks(7).map(|piece| std::str::from_utf8(piece).unwrap())
}

/// An event with its type in front.
fn event(data: Value) -> String {
    format!("event: {}\ndata: {data}\n\n", data["type"].as_str().unwrap())
}

fn chunk(delta: Value, finish: Value) -> String {
    let choice = json!({"index": 0, "delta": delta, "finish_reason": finish});
    format!("data: {}\n\n", json!({"id": "c", "model": "m", "choices": [choice]}))
}

fn candidate(parts: Value, finish: Option<&str>) -> String {
    let mut candidate = json!({"index": 0, "content": {"role": "model", "parts": parts}});
    if let Some(finish) = finish {
        candidate["finishReason"] = json!(finish);
    }
    format!("data: {}\n\n", json!({"candidates": [candidate]}))
}

fn begin() -> Vec<String> {
    let message = json!({"id": "msg", "type": "message", "role": "assistant", "model": "m", "content": [],
                         "usage": {"input_tokens": 1, "output_tokens": 1}});
    vec![event(json!({"type": "message_start", "message": message}))]
}

fn block(index: usize, start: Value, deltas: impl IntoIterator<Item = Value>) -> Vec<String> {
    let mut events = vec![event(json!({"type": "content_block_start", "index": index, "content_block": start}))];
    for delta in deltas {
        events.push(event(json!({"type": "content_block_delta", "index": index, "delta": delta})));
    }
    events.push(event(json!({"type": "content_block_stop", "index": index})));
    events
}

fn end(reason: &str) -> Vec<String> {
    let delta = json!({"stop_reason": reason});
    vec![
        event(json!({"type": "message_delta", "delta": delta, "usage": {"output_tokens": 2}})),
        event(json!({"type": "message_stop"})),
    ]
}

/// The answer of a server.
pub(super) fn events(events: &[String]) -> Answer {
    Answer::events(events.iter().cloned().map(Bytes::from))
}
