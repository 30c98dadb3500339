//! Runs against software that nobody here wrote. Each test runs where that software is installed and prints a note
//! where it is not: `scripts/real/run.sh` installs everything and runs all of them.

#![allow(clippy::print_stdout, reason = "versions, and notes of what is not installed, are for whoever runs this")]

#[path = "../support/aws_messages.rs"]
mod aws_messages;
mod batches;
mod bedrock;
mod claude;
mod codex;
mod faults;
mod installed;
mod llama;
mod python;
mod sdk_types;
mod server;
mod tool_faults;

use std::sync::Arc;
use std::time::Duration;

use geode::StructuredOutput;
use geode::adapter::{Adapter, CliAdapter, StreamEvent};
use geode::client::{Client, RetryPolicy};
use geode::message::Message;
use geode::reply::{Event, Reply};
use geode::request::{Mode, OutputRequest, Request};
use geode::transport::{ExchangeLimits, Frames, StandardTransport, Transport};

/// A person in a text.
#[derive(Debug, Clone, PartialEq, StructuredOutput)]
struct Person {
    /// Full name.
    name: String,
    /// Age in years.
    age: u8,
}

const TEXT: &str = "Maria Lopez is 34.";

fn maria() -> Person {
    Person { name: "Maria Lopez".into(), age: 34 }
}

/// A client that asks once: what comes of one run is what these tests are about.
fn once(adapter: CliAdapter) -> Client {
    Client::builder(adapter).retry(RetryPolicy::none()).timeout(Duration::from_secs(60)).build()
}

/// A home of its own for a program, so that nothing of this user's reaches it.
struct Home(tempfile::TempDir);

impl Home {
    fn new() -> Self {
        Home(tempfile::tempdir().expect("a directory for temporary files"))
    }

    /// The adapter with nothing of this process's environment but `PATH`.
    fn set_up(&self, adapter: CliAdapter) -> CliAdapter {
        adapter
            .inherit_environment(false)
            .environment("PATH", std::env::var("PATH").unwrap_or_default())
            .environment("HOME", self.path(""))
            .environment("TERM", "dumb")
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a path in UTF-8").to_owned()
    }
}

/// What a scenario answers to the `n`th request, counted from 1.
type Script = Arc<dyn Fn(&serde_json::Value, usize) -> server::Answer + Send + Sync>;

/// A request for a [`Person`], as the client would make it.
fn request(adapter: &dyn Adapter, stream: bool) -> Request {
    let plan = geode::dialect::lower(Person::SHAPE, adapter.capabilities().dialect).expect("every dialect takes it");
    Request {
        messages: vec![Message::user(TEXT)],
        output: Some(OutputRequest { name: "person".into(), description: None, plan, mode: Mode::Native }),
        stream,
        ..Request::default()
    }
}

fn limits() -> ExchangeLimits {
    ExchangeLimits { timeout: Duration::from_secs(60), idle: Duration::from_secs(60), max_bytes: 1 << 20 }
}

/// Streams an answer: the preview's text, and the reply.
async fn stream(adapter: &dyn Adapter, request: &Request) -> (String, Reply) {
    let wire = adapter.encode(request).expect("it can be encoded");
    let stream = StandardTransport::new().stream(wire, limits()).await.expect("the exchange starts");
    let mut frames = Frames::new(stream, 1 << 20);
    let (mut decoder, mut events) = (adapter.decoder(request), Vec::new());
    while let Some(frame) = frames.next().await {
        let frame = frame.expect("the stream holds");
        decoder
            .event(&StreamEvent { name: frame.name.as_deref(), data: &frame.data }, &mut events)
            .expect("the frame can be read");
        if matches!(events.last(), Some(Event::Done(_))) {
            break;
        }
    }
    let text = events.iter().filter_map(|event| if let Event::Text(text) = event { Some(text.as_str()) } else { None });
    let text = text.collect();
    match events.pop() {
        Some(Event::Done(reply)) => (text, *reply),
        _ => (text, decoder.finish()),
    }
}
