//! The whole conversation: several calls in one turn, of which one is good, one is denied and one breaks its schema, and
//! a typed answer.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use geode::StructuredOutput;
use geode::adapter::Adapter;
use geode::agent::{Agent, AgentUpdate, Budget};
use geode::message::Message;
use geode::request::Mode;
use geode::tool::{Caller, Denial, Tier, from_fn};
use serde_json::{Value, json};

use super::{Weather, chat, client, messages, responses, said, start, turn};

/// What the tool takes. The server's dialect has no word for the pattern, so that its grammar lets the model break it.
#[derive(Debug, StructuredOutput)]
struct Place {
    /// The city's name.
    #[geode(pattern = "^[A-L,N-Z]")]
    city: String,
}

fn earlier_turns() -> Vec<Message> {
    let about = |cities: [&str; 3]| {
        let [one, two, three] = cities;
        let called = cities.map(|city| ("get_weather", json!({"city": city}), json!({"sky": "sun"})));
        turn(&format!("What is the weather in {one}, {two} and {three}?"), &called, "There is sun.")
    };
    [about(["Rome", "Oslo", "Lima"]), about(["Cairo", "Delhi", "Tokyo"])].concat()
}

const QUESTION: &str = "What is the weather in Paris, Berlin and Madrid?";

fn agent(adapter: impl Adapter + 'static) -> Agent {
    let weather = from_fn("get_weather", "The weather of a city.", |_: Place| async { Ok(json!({"sky": "rain"})) });
    let weather = weather.tier(Tier::Safe).authorize(|place: &Place, caller: &Caller| match place.city.as_str() {
        "Berlin" => Err(Denial::new(format!("{} may not ask about Berlin", caller.id()))),
        _ => Ok(()),
    });
    let budget = Budget::default().rounds(3).wrap_up(2, Duration::ZERO);
    client(adapter)
        .agent()
        .mode(Mode::Native)
        .tool(weather)
        .caller(Caller::new("c-7"))
        .max_output_tokens(120)
        .budget(budget)
}

/// Holds the first turn of a run: three calls, their ids, and what they came to.
fn check(name: &str, turn: &[Message]) {
    let [Message::Assistant { tool_uses, .. }, Message::ToolResults { results }, ..] = turn else {
        panic!("{name}: {turn:?}")
    };
    let cities: Vec<Value> = tool_uses.iter().map(|call| serde_json::from_str(&call.input).expect("JSON")).collect();
    assert_eq!(cities, ["Paris", "Berlin", "Madrid"].map(|city| json!({"city": city})), "{name}");
    let ids: Vec<&str> = tool_uses.iter().map(|call| call.id.as_str()).collect();
    assert!(ids[0] != ids[1] && ids[1] != ids[2] && ids[0] != ids[2], "{name}: {ids:?}");
    assert_eq!(ids, results.iter().map(|result| result.tool_use_id.as_str()).collect::<Vec<_>>(), "{name}");
    let kind = |result| serde_json::from_str::<Value>(said(result)).expect("JSON")["error_type"].clone();
    let kinds: Vec<Value> = results.iter().map(kind).collect();
    assert_eq!(kinds, [Value::Null, json!("authorization"), json!("validation")], "{name}");
    assert!(said(&results[2]).contains("/city"), "{name}: {}", said(&results[2]));
}

#[tokio::test]
async fn good_denied_and_invalid_calls_in_one_turn_and_a_typed_answer() {
    let Some(server) = start() else { return };
    let (earlier, begun) = (earlier_turns(), earlier_turns().len());
    let mut session = agent(chat(&server)).resume(earlier.clone());
    let answer = session.run::<Weather>(QUESTION).await.expect("the last call is constrained");
    println!("{:?} in {} attempts", *answer, answer.account().attempts.len());
    check("chat", &session.history()[begun + 1..]);

    // The same calls, shown as they come.
    let mut session = agent(chat(&server)).resume(earlier.clone());
    let mut run = session.stream::<Weather>(QUESTION);
    let mut calls = BTreeSet::new();
    while let Some(update) = run.next().await {
        if let AgentUpdate::ToolInput { index, .. } = update {
            calls.insert(index);
        }
    }
    run.finish().await.expect("the last call is constrained");
    assert_eq!(calls, BTreeSet::from([0, 1, 2]));
    check("chat, streamed", &session.history()[begun + 1..]);

    // On the two other wires the server ignores the response schema, so the last call goes over the first.
    let others: [Arc<dyn Adapter>; 2] = [Arc::new(messages(&server)), Arc::new(responses(&server))];
    for adapter in others {
        let name = adapter.name();
        let mut session = agent(adapter).resume(earlier.clone());
        if let Err(error) = session.run_text(QUESTION).await {
            assert!(error.is_incomplete(), "{name}: {error:?}");
        }
        check(name, &session.history()[begun + 1..]);
        let saved = session.history()[..begun + 3].to_vec();
        let last = agent(chat(&server)).budget(Budget::default().rounds(1));
        let answer = last.resume(saved).go_on::<Weather>().await.expect("the last call is constrained");
        println!("{name}, then chat: {:?}", *answer);
    }
}
