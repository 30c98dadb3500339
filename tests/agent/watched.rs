//! Runs that are watched: text, calls and the answer as they come, and the same checked answer at the end.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use geode::Partial;
use geode::adapter::Adapter;
use geode::agent::AgentUpdate;
use geode::request::Mode;
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use serde_json::{Value, json};

use super::streams::{WIRES, events};
use super::*;
use crate::support::server::Server;

#[derive(Debug, PartialEq, StructuredOutput, Partial)]
struct Found {
    refund: bool,
    reason: String,
}

const INPUTS: [&str; 2] = [r#"{"text":"the first order"}"#, r#"{"text":"the second one"}"#];

pub(super) fn both() -> [(&'static str, &'static str); 2] {
    INPUTS.map(|input| ("search", input))
}

/// An agent with a tool that counts its runs.
pub(super) fn searching(adapter: Arc<dyn Adapter>, runs: &Arc<AtomicU32>) -> Agent {
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
