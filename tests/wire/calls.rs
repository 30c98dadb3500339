//! What adapters make of calls that no fixture shows: without arguments or ids, in pieces that come at the same time,
//! announced and not sent, or forced where a model refuses that.

use geode::adapter::{Adapter, AdapterFault, StreamEvent, anthropic, bedrock, gemini, openai_chat, openai_responses};
use geode::message::ToolChoice;
use geode::reply::{Event, FinishReason, Reply};
use geode::transport::{HeaderMap, WireReply};
use serde_json::{Value, json};

use crate::requests::with_tool;

fn whole(adapter: &dyn Adapter, body: Value) -> Reply {
    let reply =
        WireReply { status: 200, headers: HeaderMap::new(), body: body.to_string().into(), stderr: Default::default() };
    adapter.decode(&with_tool(ToolChoice::Auto), &reply).unwrap()
}

/// The reply to some events, and the arguments of each call as they were shown.
fn streamed(adapter: &dyn Adapter, events: &[(&str, Value)]) -> (Reply, Vec<String>) {
    let mut decoder = adapter.decoder(&with_tool(ToolChoice::Auto));
    let mut out = Vec::new();
    for (name, data) in events {
        let data = data.to_string();
        decoder.event(&StreamEvent { name: Some(name), data: &data }, &mut out).unwrap();
    }
    let mut shown = Vec::new();
    for event in &out {
        if let Event::ToolInput { index, delta, .. } = event {
            shown.resize(shown.len().max(index + 1), String::new());
            shown[*index].push_str(delta);
        }
    }
    let done = out.into_iter().find_map(|event| if let Event::Done(reply) = event { Some(*reply) } else { None });
    (done.unwrap_or_else(|| decoder.finish()), shown)
}

fn inputs(reply: &Reply) -> Vec<&str> {
    reply.tool_uses.iter().map(|call| call.input.as_str()).collect()
}

/// On wires whose arguments are an object, none is the empty one: the parser then says what is missing.
#[test]
fn no_arguments_are_an_empty_object() {
    let call = json!({"type": "tool_use", "id": "a", "name": "get_weather"});
    let answer = json!({"type": "message", "content": [call], "stop_reason": "tool_use"});
    assert_eq!(inputs(&whole(&anthropic::payg("k"), answer)), ["{}"]);
    let part = json!({"functionCall": {"name": "get_weather"}});
    let answer = json!({"candidates": [{"content": {"parts": [part]}, "finishReason": "STOP"}]});
    assert_eq!(inputs(&whole(&gemini::api("k"), answer)), ["{}"]);
}

#[test]
fn an_item_without_a_call_id_goes_by_its_own() {
    let call = json!({"type": "function_call", "id": "fc_1", "name": "get_weather", "arguments": "{}"});
    let reply = whole(&openai_responses::payg("k"), json!({"status": "completed", "output": [call]}));
    assert_eq!(reply.tool_uses[0].id, "fc_1");
}

#[test]
fn a_call_that_is_announced_and_not_sent_is_an_answer_with_a_note() {
    let choice = json!({"message": {"content": "hi"}, "finish_reason": "tool_calls"});
    let reply = whole(&openai_chat::openai("k"), json!({"choices": [choice]}));
    assert_eq!((reply.finish, reply.text.as_str()), (Some(FinishReason::Stop), "hi"));
    assert_eq!(reply.notes, ["the provider announced a tool call and sent none"]);
}

#[test]
fn pieces_of_several_calls_at_the_same_time_go_to_their_own() {
    let wanted = [r#"{"city":"Seoul"}"#, r#"{"city":"Paris"}"#];
    let halves = wanted.map(|input| input.split_at(9));

    let start =
        |index, block: Value| ("", json!({"type": "content_block_start", "index": index, "content_block": block}));
    let delta = |index: usize, half: &str| {
        let delta = json!({"type": "input_json_delta", "partial_json": half});
        ("", json!({"type": "content_block_delta", "index": index, "delta": delta}))
    };
    let call = |id| json!({"type": "tool_use", "id": id, "name": "get_weather", "input": {}});
    let events = [
        start(0, call("a")),
        start(1, call("b")),
        delta(0, halves[0].0),
        delta(1, halves[1].0),
        delta(0, halves[0].1),
        delta(1, halves[1].1),
        ("", json!({"type": "message_delta", "delta": {"stop_reason": "tool_use"}})),
        ("", json!({"type": "message_stop"})),
    ];
    let (reply, shown) = streamed(&anthropic::payg("k"), &events);
    assert_eq!((inputs(&reply), shown.iter().map(String::as_str).collect::<Vec<_>>()), (wanted.into(), wanted.into()));

    let added = |id: &str| {
        let item = json!({"type": "function_call", "id": id, "name": "get_weather", "arguments": ""});
        ("", json!({"type": "response.output_item.added", "item": item}))
    };
    let delta = |id: &str, half: &str| {
        ("", json!({"type": "response.function_call_arguments.delta", "item_id": id, "delta": half}))
    };
    let events = [
        added("fc_1"),
        added("fc_2"),
        delta("fc_1", halves[0].0),
        delta("fc_2", halves[1].0),
        delta("fc_1", halves[0].1),
        delta("fc_2", halves[1].1),
    ];
    assert_eq!(streamed(&openai_responses::payg("k"), &events).1, wanted);

    // Another name begins another call, whatever is missing of the one before.
    let piece = |name: &str, half: &str| {
        let call = json!({"index": 0, "function": {"name": name, "arguments": half}});
        ("", json!({"choices": [{"index": 0, "delta": {"tool_calls": [call]}}]}))
    };
    let finish = ("", json!({"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]}));
    let events = [piece("get_weather", "{\"city\":"), piece("get_time", "{}"), finish];
    assert_eq!(inputs(&streamed(&openai_chat::vllm(), &events).0), ["{\"city\":", "{}"]);
}

/// What a block begins with stands in the place of its deltas.
#[test]
fn the_input_that_a_block_begins_with_does_not_count() {
    let start = json!({"toolUse": {"toolUseId": "a", "name": "get_weather", "input": "{}"}});
    let events = [
        ("contentBlockStart", json!({"contentBlockIndex": 0, "start": start})),
        ("contentBlockDelta", json!({"contentBlockIndex": 0, "delta": {"toolUse": {"input": "{\"city\":\"Seoul\"}"}}})),
        ("messageStop", json!({"stopReason": "tool_use"})),
        ("metadata", json!({"usage": {"inputTokens": 1, "outputTokens": 1}})),
    ];
    let (reply, _) = streamed(&bedrock::converse("eu-central-1", "k"), &events);
    assert_eq!(inputs(&reply), [r#"{"city":"Seoul"}"#]);
}

#[test]
fn a_forced_choice_is_not_sent_to_models_on_bedrock_that_refuse_it() {
    let newest = bedrock::converse("eu-central-1", "k").model("anthropic.claude-opus-5-5-v1:0");
    for (choice, wanted) in
        [(ToolChoice::Auto, true), (ToolChoice::Required, false), (ToolChoice::Named("get_weather".to_owned()), false)]
    {
        let outcome = newest.encode(&with_tool(choice));
        assert_eq!(outcome.is_ok(), wanted);
        assert!(matches!(outcome, Ok(_) | Err(AdapterFault::Unsupported { .. })));
    }
}
