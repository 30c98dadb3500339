//! Runs of agents, one call a turn.

use std::sync::{Arc, Mutex};

use geode::StructuredOutput;
use geode::adapter::Adapter;
use geode::agent::{AgentEvent, AgentUpdate, Budget};
use geode::check::Issues;
use geode::message::Message;
use geode::request::Mode;
use geode::tool::{Caller, Tier, ToolError, from_fn};

use super::{Place, Weather, chat, client, earlier_turns, messages, responses, said, start, weather};

/// An agent's run, as far as this model goes: it calls the tool for a new question as it saw it called for others, and
/// its last answer is sampled under the schema.
#[tokio::test]
async fn an_agent_calls_its_tool_and_ends_in_a_typed_answer() {
    let Some(server) = start() else { return };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let cities = Arc::clone(&asked);
    let weather = from_fn("get_weather", "The weather of a city.", move |place: Place| {
        cities.lock().expect("no test panics here").push(place.city);
        async { Ok::<_, ToolError>(serde_json::json!({"sky": "rain"})) }
    });
    let agent = client(chat(&server))
        .agent()
        .mode(Mode::Native)
        .tool(weather.tier(Tier::Safe))
        .max_output_tokens(120)
        .budget(Budget::default().rounds(4));
    let mut session = agent.resume(earlier_turns());
    let answer = session.run::<Weather>("What is the weather in Paris?").await.expect("the last call is constrained");
    println!("{:?} after calls for {:?}, in {} attempts", *answer, asked, answer.account().attempts.len());
    assert_eq!(asked.lock().expect("no test panics here").first().map(String::as_str), Some("Paris"));
    assert!(answer.account().attempts.len() >= 2);
}

/// What the model calls is not allowed, or breaks a rule on its arguments: it gets that as the call's result, and the run
/// goes on to a typed answer all the same. The saved run then goes on over each other wire of the same server.
#[tokio::test]
async fn an_agent_goes_on_after_a_denied_and_an_invalid_call_and_on_other_wires() {
    let Some(server) = start() else { return };
    let strict = || {
        let run = |_: Nowhere| async { Ok::<_, ToolError>(()) };
        from_fn("get_weather", "The weather of a city.", run).tier(Tier::Safe)
    };
    let agent =
        || client(chat(&server)).agent().mode(Mode::Native).max_output_tokens(120).budget(Budget::default().rounds(4));
    let cases = [
        ("authorization", "nobody like c-7", agent().tool(weather(false)).caller(Caller::new("c-7"))),
        ("validation", "there is no such city", agent().tool(strict())),
    ];
    let mut saved = Vec::new();
    for (kind, reason, agent) in cases {
        let failures = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&failures);
        let agent = agent.observe(move |event| {
            if let AgentEvent::ToolFinished { failure: Some(failure), .. } = event {
                seen.lock().expect("no test panics here").push(failure.name());
            }
        });
        let mut session = agent.resume(earlier_turns());
        let answer =
            session.run::<Weather>("What is the weather in Paris?").await.expect("the last call is constrained");
        let failures = failures.lock().expect("no test panics here").clone();
        println!("{kind}: {:?} after {failures:?}, in {} attempts", *answer, answer.account().attempts.len());
        assert!(!failures.is_empty() && failures.iter().all(|failure| *failure == kind), "{failures:?}");
        saved = session.into_history();
        let told = saved.iter().any(|message| match message {
            Message::ToolResults { results } => {
                results.iter().any(|result| result.is_error && said(result).contains(reason))
            }
            _ => false,
        });
        assert!(told, "{kind}: no result says why");
    }

    let saved = serde_json::to_string(&saved).expect("a history serialises");
    let adapters: [Arc<dyn Adapter>; 2] = [Arc::new(responses(&server)), Arc::new(messages(&server))];
    for adapter in adapters {
        let name = adapter.name();
        let history = serde_json::from_str(&saved).expect("and comes back");
        let agent =
            client(adapter).agent().tool(weather(true)).max_output_tokens(40).budget(Budget::default().rounds(2));
        match agent.resume(history).run_text("Say what you know of Paris.").await {
            Ok(answer) => println!("{name} went on: {} bytes", answer.value.len()),
            Err(error) => assert!(error.is_incomplete(), "{name}: {error:?}"),
        }
    }
}

/// Tool mode where the choice is forced: the answer is handed in by the internal tool, sampled under its schema.
#[tokio::test]
async fn an_agent_hands_in_its_answer_by_the_internal_tool() {
    let Some(server) = start() else { return };
    let agent = client(chat(&server))
        .agent()
        .mode(Mode::Tool)
        .tool(weather(true))
        .max_output_tokens(120)
        .budget(Budget::default().rounds(1));
    let mut session = agent.resume(earlier_turns());
    let mut run = session.stream::<Weather>("What is the weather in Rome?");
    let mut shown = 0;
    while let Some(update) = run.next().await {
        shown += usize::from(matches!(update, AgentUpdate::Answer));
    }
    let answer = run.finish().await.expect("the call is forced and constrained");
    println!("{:?} by {:?} mode, in {shown} pieces", *answer, answer.account().mode);
    assert_eq!(answer.account().mode, Mode::Tool);
    assert!(shown > 0);
    assert!(matches!(session.history().last(), Some(Message::Assistant { text, .. }) if text.starts_with("{\"sky\":")));
}

/// Arguments that no rule lets through.
#[derive(Debug, StructuredOutput)]
#[geode(check = nowhere)]
struct Nowhere {
    /// The city's name.
    city: String,
}

fn nowhere(place: &Nowhere, _: &(), issues: &mut Issues) {
    issues.require(place.city.is_empty(), "/city", "unknown_city", "there is no such city");
}
