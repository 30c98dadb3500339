//! Streams in tool mode: the arguments of the internal tool are the answer, and its preview.

use std::sync::Arc;

use geode::adapter::{Adapter, anthropic, gemini, openai_chat, openai_responses};
use geode::client::{Client, RetryPolicy, Update};
use geode::outcome::{Failure, IncompleteReason};
use geode::request::{Mode, OUTPUT_TOOL};
use serde_json::{Value, json};

use crate::fixtures::{ANSWER, Scripted, Ticket, pieces, ticket};

/// A provider's stream of one tool call: its adapter, and the events of a call in pieces.
struct Wire {
    name: &'static str,
    adapter: Arc<dyn Adapter>,
    events: fn(&str, &[&str]) -> Vec<String>,
}

fn wires() -> Vec<Wire> {
    let model = "claude-sonnet-4-5";
    vec![
        Wire { name: "responses", adapter: Arc::new(openai_responses::payg("d").model("m")), events: responses },
        Wire { name: "chat", adapter: Arc::new(openai_chat::openai("d").model("m")), events: chat },
        Wire { name: "anthropic", adapter: Arc::new(anthropic::payg("d").model(model)), events: messages },
        Wire { name: "gemini", adapter: Arc::new(gemini::api("d").model("gemini-2.5-flash")), events: contents },
    ]
}

fn event(data: Value) -> String {
    format!("data: {data}\n\n")
}

fn responses(tool: &str, pieces: &[&str]) -> Vec<String> {
    let call = |arguments: &str| json!({"type": "function_call", "id": "f1", "call_id": "c1", "name": tool, "arguments": arguments});
    let text = json!({"type": "message", "content": [{"type": "output_text", "text": "Done:", "annotations": []}]});
    let mut events = vec![
        event(json!({"type": "response.created", "response": {"id": "r1", "status": "in_progress", "output": []}})),
        event(json!({"type": "response.output_text.delta", "output_index": 0, "content_index": 0, "delta": "Done:"})),
        event(json!({"type": "response.output_item.added", "output_index": 1, "item": call("")})),
    ];
    events.extend(pieces.iter().map(|piece| {
        event(json!({"type": "response.function_call_arguments.delta", "output_index": 1, "item_id": "f1", "delta": piece}))
    }));
    let whole = call(&pieces.concat());
    events.push(event(json!({"type": "response.output_item.done", "output_index": 1, "item": whole})));
    events.push(event(json!({"type": "response.completed",
        "response": {"id": "r1", "model": "m", "status": "completed", "output": [text, whole]}})));
    events
}

fn chat(tool: &str, pieces: &[&str]) -> Vec<String> {
    let chunk = |delta: Value, finish: Value| {
        event(json!({"id": "c1", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}))
    };
    let call = |call: Value| chunk(json!({"tool_calls": [call]}), Value::Null);
    let mut events = vec![
        chunk(json!({"role": "assistant", "content": "Done:"}), Value::Null),
        call(json!({"index": 0, "id": "c1", "type": "function", "function": {"name": tool, "arguments": ""}})),
    ];
    events.extend(pieces.iter().map(|piece| call(json!({"index": 0, "function": {"arguments": piece}}))));
    events.push(chunk(json!({}), "tool_calls".into()));
    events.push("data: [DONE]\n\n".to_owned());
    events
}

fn messages(tool: &str, pieces: &[&str]) -> Vec<String> {
    let mut events = vec![
        event(
            json!({"type": "message_start", "message": {"id": "m1", "role": "assistant", "model": "m", "content": []}}),
        ),
        event(json!({"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}})),
        event(json!({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": "Done:"}})),
        event(json!({"type": "content_block_stop", "index": 0})),
        event(json!({"type": "content_block_start", "index": 1,
            "content_block": {"type": "tool_use", "id": "t1", "name": tool, "input": {}}})),
    ];
    events.extend(pieces.iter().map(|piece| {
        let delta = json!({"type": "input_json_delta", "partial_json": piece});
        event(json!({"type": "content_block_delta", "index": 1, "delta": delta}))
    }));
    events.push(event(json!({"type": "content_block_stop", "index": 1})));
    events.push(event(json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}})));
    events.push(event(json!({"type": "message_stop"})));
    events
}

/// This wire carries a call whole.
fn contents(tool: &str, pieces: &[&str]) -> Vec<String> {
    let arguments: Value = serde_json::from_str(&pieces.concat()).unwrap_or_default();
    let parts = json!([{"text": "Done:"}, {"functionCall": {"name": tool, "args": arguments}}]);
    let chunk = |candidate: Value| event(json!({"candidates": [candidate], "modelVersion": "m", "responseId": "g1"}));
    vec![
        chunk(json!({"index": 0, "content": {"role": "model", "parts": parts}})),
        chunk(json!({"index": 0, "content": {"role": "model", "parts": []}, "finishReason": "STOP"})),
    ]
}

fn client(wire: &Wire, events: Vec<String>) -> Client {
    let builder = Client::builder(Arc::clone(&wire.adapter)).transport(Scripted::events(events));
    builder.mode(Mode::Tool).retry(RetryPolicy::none()).build()
}

#[tokio::test]
async fn the_arguments_of_the_call_are_the_preview_and_the_answer() {
    for wire in wires() {
        let whole = wire.name == "gemini";
        let mut answer = client(&wire, (wire.events)(OUTPUT_TOOL, &pieces(ANSWER, 7))).stream::<Ticket>("x");
        let mut reasons = Vec::new();
        while let Some(update) = answer.next().await {
            let Update::Answer(preview) = update else { panic!("{update:?}") };
            reasons.extend(preview.get("/reason").and_then(|reason| reason.as_str()).map(str::to_owned));
        }
        assert!(whole || reasons.len() > 5, "{}: {reasons:?}", wire.name);
        assert!(reasons.windows(2).all(|pair| pair[1].starts_with(&pair[0])), "{}", wire.name);
        let accepted = answer.finish().await.unwrap_or_else(|error| panic!("{}: {error:?}", wire.name));
        assert_eq!((&*accepted, accepted.account().mode), (&ticket(), Mode::Tool), "{}", wire.name);
        assert!(accepted.account().raw_text().starts_with('{'), "{}", wire.name);
    }
}

#[tokio::test]
async fn another_tools_arguments_are_no_answer() {
    for wire in wires() {
        let mut answer = client(&wire, (wire.events)("refund", &pieces(ANSWER, 7))).stream::<Ticket>("x");
        assert!(answer.next().await.is_none(), "{}", wire.name);
        let error = answer.finish().await.unwrap_err();
        let called = matches!(error.failure(), Failure::Incomplete { reason: IncompleteReason::ToolCall });
        assert!(called, "{}: {error:?}", wire.name);
    }
}

#[tokio::test]
async fn arguments_that_cannot_be_mended_stop_the_exchange() {
    let text = ANSWER.replace("\"billing\"", "\"refunds\"");
    for wire in wires() {
        let error = client(&wire, (wire.events)(OUTPUT_TOOL, &pieces(&text, 7))).stream::<Ticket>("x").finish().await;
        let error = error.unwrap_err();
        assert_eq!(error.violations().unwrap().violations()[0].pointer(), "/category", "{}", wire.name);
    }
}

#[tokio::test]
async fn a_call_that_is_cut_is_incomplete() {
    for wire in wires() {
        let events = (wire.events)(OUTPUT_TOOL, &pieces(ANSWER, 30));
        // the last event of chat is a mark behind the end
        let complete = events.len() - usize::from(wire.name == "chat");
        for kept in 1..complete {
            let error = client(&wire, events[..kept].to_vec()).stream::<Ticket>("x").finish().await.unwrap_err();
            assert!(error.is_incomplete(), "{} after {kept}: {error:?}", wire.name);
        }
    }
}

#[tokio::test]
async fn an_answer_in_plain_text_is_not_handed_in() {
    let chunk = |delta: Value, finish: Value| {
        event(json!({"id": "c1", "model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}))
    };
    let events = vec![chunk(json!({"content": ANSWER}), Value::Null), chunk(json!({}), "stop".into())];
    let wire = &wires()[1];
    let mut answer = client(wire, events).stream::<Ticket>("x");
    assert!(answer.next().await.is_none());
    let error = answer.finish().await.unwrap_err();
    assert!(matches!(error.failure(), Failure::StructuredOutputFailed { .. }), "{error:?}");
}
