//! Several calls in one turn.

use geode::adapter::{Adapter, openai_chat};
use geode::message::{Message, ToolChoice, ToolSpec};
use geode::reply::{FinishReason, Reply};
use geode::request::Request;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::{chat, messages, responses, send, start, turn};

/// Turns that show the model several calls at once: the weather of one city, and the time in another.
fn earlier_turns() -> Vec<Message> {
    let about = |one: &str, other: &str| {
        let called = [
            ("get_weather", json!({"city": one}), json!({"sky": "sun"})),
            ("get_time", json!({"city": other}), json!("12:00")),
        ];
        let question = format!("What is the weather in {one}, and what time is it in {other}?");
        turn(&question, &called, &format!("There is sun in {one}, and it is 12:00 in {other}."))
    };
    [about("Rome", "Oslo"), about("Lima", "Cairo")].concat()
}

fn ask(tools: &[&str], tool_choice: ToolChoice) -> Request {
    let mut messages = earlier_turns();
    messages.push(Message::user("What is the weather in Paris, and what time is it in Berlin?"));
    let schema = json!({"type": "object", "properties": {"city": {"type": "string"}},
                        "required": ["city"], "additionalProperties": false});
    let tool = |name: &&str| ToolSpec {
        name: (*name).to_owned(),
        description: "Tells it of a city.".into(),
        input_schema: RawValue::from_string(schema.to_string()).expect("JSON"),
    };
    Request {
        messages,
        tools: tools.iter().map(tool).collect(),
        tool_choice,
        max_output_tokens: Some(120),
        ..Request::default()
    }
}

const BOTH: [&str; 2] = ["get_weather", "get_time"];

fn called(reply: &Reply) -> Vec<(&str, Value)> {
    let one = |call: &'_ geode::message::ToolUse| serde_json::from_str(&call.input).expect("arguments are JSON");
    reply.tool_uses.iter().map(|call| (call.name.as_str(), one(call))).collect()
}

fn paris_and_berlin() -> [(&'static str, Value); 2] {
    [("get_weather", json!({"city": "Paris"})), ("get_time", json!({"city": "Berlin"}))]
}

#[tokio::test]
async fn calls_of_one_turn_are_told_apart_whole_and_streamed() {
    let Some(server) = start() else { return };
    let adapters: [Box<dyn Adapter>; 3] =
        [Box::new(chat(&server)), Box::new(responses(&server)), Box::new(messages(&server))];
    for adapter in adapters {
        let name = adapter.name();
        for choice in [ToolChoice::Auto, ToolChoice::Required] {
            let request = ask(&BOTH, choice);
            let reply = send(&*adapter, &request).await;
            assert_eq!(reply.finish, Some(FinishReason::ToolUse), "{name}: {}", reply.text);
            assert_eq!(called(&reply), paris_and_berlin(), "{name}");
            assert_ne!(reply.tool_uses[0].id, reply.tool_uses[1].id, "{name}");
            let (_, streamed) = crate::stream(&*adapter, &Request { stream: true, ..request }).await;
            assert_eq!(called(&streamed), paris_and_berlin(), "{name}, streamed");
            assert_ne!(streamed.tool_uses[0].id, streamed.tool_uses[1].id, "{name}, streamed");
        }
    }
}

/// A limit that cuts the second call: none of the turn's calls is handed on. (On Responses the server calls such a turn
/// complete and leaves the cut call out, so that what is left of it runs.)
#[tokio::test]
async fn a_turn_that_the_token_limit_cuts_holds_no_call() {
    let Some(server) = start() else { return };
    let adapters: [Box<dyn Adapter>; 2] = [Box::new(chat(&server)), Box::new(messages(&server))];
    for adapter in adapters {
        let request = Request { max_output_tokens: Some(30), ..ask(&BOTH, ToolChoice::Auto) };
        let (_, streamed) = crate::stream(&*adapter, &Request { stream: true, ..request.clone() }).await;
        for reply in [send(&*adapter, &request).await, streamed] {
            assert_eq!(reply.finish, Some(FinishReason::TokenLimit), "{}", adapter.name());
            assert!(reply.tool_uses.is_empty(), "{}", adapter.name());
            assert!(
                reply.notes.iter().any(|note| note.contains("were dropped")),
                "{}: {:?}",
                adapter.name(),
                reply.notes
            );
        }
    }
}

/// What the adapter's data rests on: asked for one call a turn, the server samples several all the same.
#[tokio::test]
async fn one_call_a_turn_is_asked_for_in_vain() {
    let Some(server) = start() else { return };
    let request = Request { single_call: true, ..ask(&BOTH, ToolChoice::Auto) };
    let any_server = openai_chat::compatible(server.url("/v1")).model("smollm2");
    assert_eq!(called(&send(&any_server, &request).await), paris_and_berlin());
    let Err(refused) = chat(&server).encode(&request) else { panic!("it can't be held to that") };
    assert!(refused.to_string().contains("one call a turn"), "{refused}");
}

/// The server samples names of tools under a grammar: a model that would go on as it did before, and call a tool that is
/// on offer no more, ends up with one that is.
#[tokio::test]
async fn a_tool_that_is_not_on_offer_can_not_be_called() {
    let Some(server) = start() else { return };
    let adapters: [Box<dyn Adapter>; 3] =
        [Box::new(chat(&server)), Box::new(responses(&server)), Box::new(messages(&server))];
    for adapter in adapters {
        let reply = send(&*adapter, &ask(&BOTH[..1], ToolChoice::Auto)).await;
        let names: Vec<&str> = reply.tool_uses.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(names, ["get_weather"; 2], "{}", adapter.name());
    }
}
