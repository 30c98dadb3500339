//! What the public types promise to whoever moves them between tasks or boxes them as errors. That what chains is
//! `#[must_use]`, and that every type has `Debug`, are lints of `geode-core`.

use std::collections::BTreeMap;
use std::error::Error;
use std::future::Future;
use std::time::Duration;

use geode::StructuredOutput;
use geode::adapter::embedded::Embedded;
use geode::adapter::{AdapterFault, CliAdapter, HttpAdapter, ProviderError};
use geode::agent::{Agent, AgentError, AgentStream, Session};
use geode::client::{AnswerStream, Call, Client, Fallback};
use geode::dialect::Incompatible;
use geode::json::stream::StreamError;
use geode::outcome::{Accepted, Account, CallError};
use geode::raw_schema::RawSchema;
use geode::record::{Record, RecordError, RecordOf};
use geode::report::Report;
use geode::tool::{Execution, RawTool, ToolError, ToolSet};
use geode::transport::{Frames, StandardTransport, TransportError, WireStream};
use geode::volume::{Batches, Item, Many};
use geode::worker::{SubTask, WorkerError, WorkerRule};

#[derive(StructuredOutput)]
struct Note {
    text: String,
}

fn shared<T: Send + Sync + Unpin>() {}

fn moved<T: Send + Unpin>() {}

fn error<T: Error + Send + Sync + 'static>() {}

/// A future that any executor takes.
fn spawned<F: Future + Send>(future: F) {
    drop(future);
}

#[test]
fn what_crosses_tasks_is_send_and_sync() {
    shared::<Client>();
    shared::<Agent>();
    shared::<Session>();
    shared::<Call<Note>>();
    shared::<Call<Note, String>>();
    shared::<Fallback<Note>>();
    shared::<Accepted<Note>>();
    shared::<Account>();
    shared::<RawSchema>();
    shared::<Record<Note>>();
    shared::<RecordOf>();
    shared::<ToolSet>();
    shared::<RawTool>();
    shared::<Execution<'_>>();
    shared::<CliAdapter>();
    shared::<HttpAdapter<geode::adapter::openai_chat::ChatCompletions>>();
    shared::<StandardTransport>();
    shared::<Batches>();
    shared::<Item<Note>>();
    // Read by one task at a time.
    moved::<AgentStream<'_, Note>>();
    moved::<AnswerStream<Note>>();
    moved::<Many<(), ()>>();
    moved::<WireStream>();
    moved::<Frames>();
}

#[test]
fn errors_are_errors_that_can_be_boxed() {
    error::<CallError>();
    error::<AgentError>();
    error::<WorkerError>();
    error::<AdapterFault>();
    error::<ProviderError>();
    error::<TransportError>();
    error::<Report>();
    error::<StreamError>();
    error::<Incompatible>();
    error::<ToolError>();
    error::<RecordError>();
}

#[tokio::test]
async fn the_futures_can_be_spawned() {
    let client = Client::new(Embedded::new());
    spawned(client.call::<Note>("text"));
    spawned(client.request::<Note>().user("text").send());
    spawned(client.request::<Note>().user("text").context(7u8).send());
    spawned(client.raw(r#"{"type": "object"}"#.parse().unwrap()).user("text").send());
    let mut stream = client.stream::<Note>("text");
    spawned(stream.next());
    spawned(stream.elements::<String>("").next());
    spawned(stream.finish());
    let agent = client.agent();
    spawned(agent.run::<Note>("text"));
    spawned(agent.run_text("text"));
    let mut session = agent.session();
    spawned(session.run::<Note>("text"));
    spawned(session.go_on_text());
    let rule = WorkerRule::new(Duration::from_secs(1));
    spawned(
        rule.run::<Note, _, _>(async |_| SubTask { result: None, termination: geode::worker::Termination::Failed }),
    );
    let tools = ToolSet::new().plan(client.capabilities().dialect).unwrap();
    spawned(Execution::new(&tools).run(&[]));
    let batches = Batches::openai(geode::adapter::openai_responses::payg("dummy"));
    spawned(batches.status("id"));
    spawned(batches.wait("id", Duration::from_secs(1)));
    // A task may hold a call across its own await points.
    tokio::spawn(async move { client.call::<Note>("text").await.map(drop) }).abort();
}

/// The items of the committed list, each with its lines.
fn listed() -> BTreeMap<&'static str, Vec<&'static str>> {
    let mut items: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut item = "";
    for line in include_str!("public_api.txt").lines() {
        match line.strip_prefix("    ") {
            Some(line) => items.entry(item).or_default().push(line),
            None => item = line,
        }
    }
    items
}

#[test]
fn the_list_holds_every_type_to_it() {
    let items = listed();
    assert!(items.len() > 200, "{}", items.len());
    // The reader and the streams are read by one task at a time; the reader stays in one.
    let not_shared = ["AgentStream", "AnswerStream", "Elements", "Frames", "WireStream", "Reader"];
    let mut faults = Vec::new();
    for (item, lines) in items {
        let Some((kind, path)) = item.split_once(' ') else { continue };
        if !["struct", "enum"].contains(&kind) {
            continue;
        }
        let name = path.rsplit("::").next().unwrap();
        let traits: Vec<&str> =
            lines.iter().filter_map(|line| line.strip_prefix("impl ")).flat_map(|line| line.split(", ")).collect();
        let has = |wanted: &str| traits.contains(&wanted);
        let is_shared = has("Send") && has("Sync") && has("Unpin");
        if !is_shared && !not_shared.contains(&name) {
            faults.push(format!("{path} can't be shared between tasks"));
        }
        let is_error = ["Error", "Fault", "Report", "Denial", "Incompatible"].iter().any(|end| name.ends_with(end));
        // What a worker's error holds: it says itself what is wrong.
        if is_error && !has("Error") && name != "WorkerFault" {
            faults.push(format!("{path} is no std::error::Error"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
