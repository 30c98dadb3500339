//! Agents: rounds, budgets, tool mode, hints, and one conversation through every adapter.

#![cfg(feature = "client")]

mod adapters;
mod broken;
mod choices;
mod errors;
mod hints;
mod rounds;
mod settings;
mod streams;
mod tool_mode;
mod watched;
mod workers;

#[allow(dead_code, reason = "the wire tests use the rest")]
#[path = "../support/mod.rs"]
mod support;

use std::sync::{Arc, Mutex};

use geode::StructuredOutput;
use geode::agent::{Agent, AgentEvent};
use geode::client::Client;
use geode::message::{Message, Part, ToolResult};
use geode::request::Request;
use geode::testing::scripted::ScriptedAdapter;
use geode::tool::{NoArguments, Tier, ToolError, from_fn};

/// What the runs of these tests have to come to.
#[derive(Debug, PartialEq, StructuredOutput)]
struct Verdict {
    /// Whether the refund is due.
    refund: bool,
    /// Why.
    #[geode(length(min = 1, max = 200))]
    reason: String,
}

const VERDICT: &str = r#"{"refund":true,"reason":"in time"}"#;

fn verdict() -> Verdict {
    Verdict { refund: true, reason: "in time".to_owned() }
}

#[derive(StructuredOutput)]
struct Query {
    /// What to look for.
    text: String,
}

/// An agent with a harmless tool `search`, a tool `fails` that always fails, and a record of its events.
fn agent(model: &ScriptedAdapter) -> (Agent, Events) {
    let events = Events::default();
    let seen = events.clone();
    let search =
        from_fn("search", "Looks something up.", |query: Query| async move { Ok(format!("found {}", query.text)) });
    let fails =
        from_fn("fails", "Always fails.", |_: NoArguments| async { Err::<(), _>(ToolError::internal("broken")) });
    let agent = Client::new(model.clone())
        .agent()
        .instruction("Decide about refunds.")
        .tool(search.tier(Tier::Safe))
        .tool(fails.tier(Tier::Safe))
        .observe(move |event| seen.0.lock().unwrap().push(event.clone()));
    (agent, events)
}

/// The events of a run.
#[derive(Clone, Default)]
struct Events(Arc<Mutex<Vec<AgentEvent>>>);

impl Events {
    fn all(&self) -> Vec<AgentEvent> {
        self.0.lock().unwrap().clone()
    }

    fn count(&self, of: impl Fn(&AgentEvent) -> bool) -> usize {
        self.all().iter().filter(|event| of(event)).count()
    }
}

fn names(request: &Request) -> Vec<&str> {
    request.tools.iter().map(|tool| tool.name.as_str()).collect()
}

fn reminders(request: &Request) -> Vec<&str> {
    let mut texts = Vec::new();
    for message in &request.messages {
        if let Message::Reminder { text } = message {
            texts.push(text.as_str());
        }
    }
    texts
}

fn results(message: &Message) -> &[ToolResult] {
    match message {
        Message::ToolResults { results } => results,
        other => panic!("no results: {other:?}"),
    }
}

fn text_of(result: &ToolResult) -> &str {
    match &result.content[0] {
        Part::Text { text } => text,
        other => panic!("no text: {other:?}"),
    }
}
