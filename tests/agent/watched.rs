//! Runs that are watched: text, calls and the answer as they come, and the same checked answer at the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use bytes::Bytes;
use geode::Partial;
use geode::adapter::{Adapter, anthropic, gemini, openai_chat, openai_responses};
use geode::agent::AgentUpdate;
use geode::client::{Client, RetryPolicy};
use geode::outcome::{Failure, IncompleteReason};
use geode::request::Mode;
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use serde_json::{Value, json};

use super::*;
use crate::support::server::{Answer, Piece, Server};

#[derive(Debug, PartialEq, StructuredOutput, Partial)]
struct Found {
    refund: bool,
    reason: String,
}

/// A tool's name, and its arguments.
type Call<'a> = (&'a str, &'a str);

/// How a wire streams an answer of a word and calls, and one of text, in pieces of seven bytes.
struct Wire {
    name: &'static str,
    adapter: fn(&str) -> Arc<dyn Adapter>,
    calls: fn(&str, &[Call<'_>]) -> Vec<String>,
    text: fn(&str) -> Vec<String>,
    /// Events at the end without which the answer is whole all the same.
    after: usize,
}

const WIRES: [Wire; 4] = [
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

fn events(events: &[String]) -> Answer {
    Answer::events(events.iter().cloned().map(Bytes::from))
}

const INPUTS: [&str; 2] = [r#"{"text":"the first order"}"#, r#"{"text":"the second one"}"#];

fn both() -> [(&'static str, &'static str); 2] {
    INPUTS.map(|input| ("search", input))
}

/// An agent with a tool that counts its runs.
fn searching(adapter: Arc<dyn Adapter>, runs: &Arc<AtomicU32>) -> Agent {
    let runs = Arc::clone(runs);
    let search = from_fn("search", "Looks something up.", move |query: Query| {
        runs.fetch_add(1, Ordering::SeqCst);
        async move { Ok(format!("found {}", query.text)) }
    });
    Client::new(adapter).agent().tool(search.tier(Tier::Safe))
}

#[tokio::test]
async fn text_calls_and_the_answer_show_as_they_come() {
    for wire in WIRES {
        let answers = [(wire.calls)("Let me look.", &both()), (wire.text)(VERDICT)];
        let handed_in = (wire.calls)("", &[("__structured_output__", VERDICT)]);
        // Gemini takes no schema beside tools: its answer is handed in.
        let answers = if wire.name == "gemini" { [answers[0].clone(), handed_in] } else { answers };
        let server = Server::start(answers.map(|answer| events(&answer))).await;
        let runs = Arc::default();
        let mut session = searching((wire.adapter)(&server.url), &runs).session();
        let mut run = session.stream::<Found>("Is it due?");
        assert!(server.asked().is_empty(), "{}: sent before anybody waits", wire.name);

        let (mut said, mut inputs, mut happened, mut shown) =
            (String::new(), vec![String::new(); 2], Vec::new(), Vec::new());
        while let Some(update) = run.next().await {
            match update {
                AgentUpdate::Text(text) => said.push_str(&text),
                AgentUpdate::ToolInput { index, delta, .. } => {
                    assert_eq!(runs.load(Ordering::SeqCst), 0, "{}: ran before its call was whole", wire.name);
                    inputs[index].push_str(&delta);
                }
                AgentUpdate::Event(event) => happened.push(event),
                AgentUpdate::Answer => {
                    shown.push(run.partial().unwrap().reason.shown().copied().unwrap_or_default().to_owned());
                }
                other => panic!("{}: {other:?}", wire.name),
            }
        }
        let answer = run.finish().await.unwrap_or_else(|error| panic!("{}: {error}: {error:?}", wire.name));
        assert_eq!(answer.value, Found { refund: true, reason: "in time".to_owned() }, "{}", wire.name);
        assert_eq!((said.as_str(), inputs), ("Let me look.", INPUTS.map(str::to_owned).into()), "{}", wire.name);
        assert_eq!(runs.load(Ordering::SeqCst), 2, "{}", wire.name);
        let finished = |event: &&AgentEvent| matches!(event, AgentEvent::ToolFinished { failure: None, .. });
        assert_eq!(happened.iter().filter(finished).count(), 2, "{}", wire.name);
        assert_eq!(happened.last(), Some(&AgentEvent::Finished { rounds: 2 }), "{}", wire.name);
        assert_eq!(shown.last().map(String::as_str), Some("in time"), "{}", wire.name);
        assert!(wire.name == "gemini" || shown.len() > 3, "{}: {shown:?}", wire.name);
        assert!(shown.windows(2).all(|pair| pair[1].starts_with(&pair[0])), "{}: {shown:?}", wire.name);

        let calls = results(&session.history()[2]);
        assert_eq!(
            (text_of(&calls[0]), text_of(&calls[1])),
            (r#""found the first order""#, r#""found the second one""#)
        );
        assert_eq!(session.history().len(), 4, "{}", wire.name);
        let Some(Message::Assistant { text, .. }) = session.history().last() else { panic!("{}", wire.name) };
        let verdict: Value = serde_json::from_str(VERDICT).unwrap();
        assert_eq!(serde_json::from_str::<Value>(text).unwrap(), verdict, "{}", wire.name);
    }
}

#[tokio::test]
async fn a_cut_stream_runs_no_tool_wherever_it_is_cut() {
    for wire in WIRES {
        let whole = (wire.calls)("Let me look.", &both());
        for kept in 0..whole.len() - wire.after - 1 {
            let server = Server::start([events(&whole[..kept])]).await;
            let runs = Arc::default();
            let agent = searching((wire.adapter)(&server.url), &runs).retry(RetryPolicy::none());
            let mut session = agent.session();
            let error = session.stream_text("Is it due?").finish().await.unwrap_err();
            let cut = matches!(
                error.failure(),
                geode::agent::AgentFailure::Call(Failure::Incomplete { reason: IncompleteReason::StreamCut })
            );
            assert!(cut, "{} after {kept} events: {error:?}", wire.name);
            assert_eq!(runs.load(Ordering::SeqCst), 0, "{} after {kept} events", wire.name);
            assert_eq!(session.history(), [Message::user("Is it due?")], "{} after {kept} events", wire.name);
        }
    }
}

#[tokio::test]
async fn a_broken_stream_is_not_taken_up_again_and_the_session_goes_on() {
    let wire = &WIRES[1];
    let mut broken = events(&(wire.calls)("Let me look.", &both())[..4]);
    broken.pieces.push(Piece::Break);
    let server = Server::start([broken, events(&(wire.text)("It is."))]).await;
    let runs = Arc::default();
    let mut session = searching((wire.adapter)(&server.url), &runs).session();
    let mut run = session.stream_text("Is it due?");
    let mut updates = 0;
    while run.next().await.is_some() {
        updates += 1;
    }
    assert!(updates > 2 && run.finish().await.is_err());
    assert_eq!(session.go_on_text().await.unwrap().value, "It is.");
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn in_tool_mode_the_call_that_hands_in_is_the_answer() {
    let wire = &WIRES[1];
    let server = Server::start([events(&(wire.calls)("Here.", &[("__structured_output__", VERDICT)]))]).await;
    let mut session = searching((wire.adapter)(&server.url), &Arc::default()).mode(Mode::Tool).session();
    let mut run = session.stream::<Found>("Is it due?");
    let mut shown = 0;
    while let Some(update) = run.next().await {
        assert!(!matches!(update, AgentUpdate::ToolInput { .. }), "{update:?}");
        shown += usize::from(matches!(update, AgentUpdate::Answer));
    }
    assert!(shown > 3);
    assert!(run.finish().await.unwrap().value.refund);
}

#[tokio::test]
async fn an_adapter_that_cannot_stream_shows_the_events() {
    let model = ScriptedAdapter::replies([calls([("search", json!({"text": "a"}))]), text(VERDICT)])
        .capabilities_with(|able| able.streaming = false);
    let (agent, observed) = agent(&model);
    let mut session = agent.session();
    let mut run = session.stream::<Verdict>("go");
    let mut seen = Vec::new();
    while let Some(update) = run.next().await {
        let AgentUpdate::Event(event) = update else { panic!("{update:?}") };
        seen.push(event);
    }
    assert_eq!(run.finish().await.unwrap().value, verdict());
    assert_eq!(seen, observed.all());
    assert_eq!(seen.len(), 4);
}

#[test]
fn a_run_can_be_spawned() {
    fn sent<T: Send>(_: T) {}
    let model = ScriptedAdapter::replies([text(VERDICT)]);
    let (agent, _) = agent(&model);
    sent(agent.run::<Verdict>("go"));
    let mut session = agent.session();
    sent(session.run_text("go"));
    sent(session.stream::<Verdict>("go").finish());
}

/// Until something was shown, a stream that is cut is like an exchange that failed.
#[tokio::test]
async fn a_stream_that_is_cut_before_anything_was_shown_is_tried_again() {
    let wire = &WIRES[1];
    let server = Server::start([events(&[]), events(&(wire.text)("It is."))]).await;
    let quick = RetryPolicy::default().delays(Duration::from_millis(1), Duration::from_millis(1));
    let mut session = searching((wire.adapter)(&server.url), &Arc::default()).retry(quick).session();
    let answer = session.stream_text("Is it due?").finish().await.unwrap();
    assert_eq!((answer.value.as_str(), answer.account().attempts.len()), ("It is.", 2));
    assert_eq!(server.asked().len(), 2);
}

/// A provider's error in the stream is tried again before anything of the answer was shown, and never after.
#[tokio::test]
async fn an_error_in_the_stream_is_tried_again_only_where_nothing_was_shown() {
    let wire = &WIRES[1];
    let overloaded =
        "data: {\"error\":{\"message\":\"The server is overloaded\",\"type\":\"server_error\",\"code\":503}}\n\n";
    let quick = RetryPolicy::default().delays(Duration::from_millis(1), Duration::from_millis(1));
    for (shown, attempts) in [(0, 2), (1, 1)] {
        let mut broken = (wire.text)("It is.");
        broken.truncate(shown);
        broken.push(overloaded.to_owned());
        let server = Server::start([events(&broken), events(&(wire.text)("It is."))]).await;
        let agent = searching((wire.adapter)(&server.url), &Arc::default()).retry(quick.clone());
        let mut session = agent.session();
        let outcome = session.stream_text("Is it due?").finish().await;
        assert_eq!(server.asked().len(), attempts, "{outcome:?}");
        match outcome {
            Ok(answer) => assert_eq!((shown, answer.value.as_str()), (0, "It is.")),
            Err(error) => assert!(shown == 1 && error.is_transport() && error.is_retryable(), "{error:?}"),
        }
    }
}
