//! Batch engines on a loopback socket, as their providers document them: what is submitted is held to the provider's
//! rules, and every object has the members of the official SDKs' types (`tests/real` runs the SDKs against this).
//!
//! An item's key says what becomes of it: `good-1` gets an answer, `expired-2` none. Nothing comes in the order of the
//! items.

mod anthropic;
mod openai;

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex};

use axum::body::{Body, Bytes};
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::Response;
use futures_util::StreamExt as _;
use serde_json::{Value, json};

/// Whose engine it is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Wire {
    OpenAi,
    Anthropic,
}

/// What comes instead of an answer, or is done to one.
#[derive(Debug, Clone)]
pub(crate) enum Fault {
    /// An error, and how many seconds to wait.
    Status(u16, Option<u32>),
    /// The connection breaks behind so many bytes of the answer.
    Break(usize),
    /// The answer ends behind so many bytes, as if that were all.
    End(usize),
    /// This line stands before the answer.
    Before(String),
}

/// A running engine. Dropping it stops it.
pub(crate) struct Engine {
    pub(crate) url: String,
    shared: Arc<Shared>,
    task: tokio::task::JoinHandle<()>,
}

struct Shared {
    wire: Wire,
    /// Status requests that it takes for a batch to be over.
    polls: usize,
    state: Mutex<Stored>,
}

/// What an engine keeps.
#[derive(Default)]
struct Stored {
    files: BTreeMap<String, Vec<u8>>,
    batches: BTreeMap<String, Batch>,
    asked: Vec<String>,
    faults: VecDeque<(&'static str, Fault)>,
}

/// A batch of an engine.
#[derive(Default, Clone)]
struct Batch {
    id: String,
    /// Keys and bodies, in the order of the results.
    items: Vec<(String, Value)>,
    /// The file that they came in.
    file: String,
    /// Why it was refused as a whole.
    refused: Option<String>,
    polls: usize,
    cancelled: bool,
    over: bool,
}

/// A status and a body.
type Reply = (u16, Vec<u8>);

impl Engine {
    pub(crate) async fn start(wire: Wire, polls: usize) -> Self {
        let shared = Arc::new(Shared { wire, polls, state: Mutex::default() });
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let router = axum::Router::new().fallback(answer).with_state(Arc::clone(&shared));
        let task = tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
        Engine { url, shared, task }
    }

    /// Does this to the next request whose path ends so.
    pub(crate) fn fault(&self, path: &'static str, fault: Fault) {
        self.shared.state.lock().unwrap().faults.push_back((path, fault));
    }

    /// Methods and paths of the requests so far.
    pub(crate) fn asked(&self) -> Vec<String> {
        self.shared.state.lock().unwrap().asked.clone()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.task.abort();
    }
}

async fn answer(State(shared): State<Arc<Shared>>, request: Request) -> Response {
    let (head, body) = request.into_parts();
    let body = axum::body::to_bytes(body, usize::MAX).await.unwrap();
    let (method, path) = (head.method.as_str(), head.uri.path());
    let mut state = shared.state.lock().unwrap();
    state.asked.push(format!("{method} {path}"));
    let due = state.faults.iter().position(|(end, _)| path.ends_with(end));
    let fault = due.and_then(|due| state.faults.remove(due)).map(|(_, fault)| fault);
    if let Some(Fault::Status(status, delay)) = fault {
        let mut response = Response::builder().status(status).header("content-type", "application/json");
        if let Some(delay) = delay {
            response = response.header("retry-after", delay);
        }
        let kind = match status {
            401 => "authentication_error",
            429 => "rate_limit_error",
            400..=499 => "invalid_request_error",
            _ => "api_error",
        };
        return response.body(Body::from(error(kind, "not now").to_string())).unwrap();
    }
    let (status, bytes) = match shared.wire {
        Wire::OpenAi => openai::answer(&mut state, shared.polls, method, path, &head.headers, &body),
        Wire::Anthropic => anthropic::answer(&mut state, shared.polls, method, path, &head.headers, &body),
    };
    // A line at a time and more, so that the reader has to put them together.
    let mut chunks: Vec<Result<Bytes, std::io::Error>> =
        bytes.chunks(1000).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
    match fault {
        Some(Fault::Break(at)) => {
            let broken = std::io::Error::other("broken on purpose");
            chunks = vec![Ok(Bytes::copy_from_slice(&bytes[..at.min(bytes.len())])), Err(broken)];
        }
        Some(Fault::End(at)) => chunks = vec![Ok(Bytes::copy_from_slice(&bytes[..at.min(bytes.len())]))],
        Some(Fault::Before(line)) => chunks.insert(0, Ok(Bytes::from(line + "\n"))),
        _ => {}
    }
    let chunks = futures_util::stream::iter(chunks).then(|chunk| async {
        // Lets the connection write what came before.
        tokio::task::yield_now().await;
        chunk
    });
    Response::builder()
        .status(status)
        .header("content-type", "application/json")
        .body(Body::from_stream(chunks))
        .unwrap()
}

impl Stored {
    /// Keeps a batch, its items in another order than they came in.
    fn keep(&mut self, id: &str, mut items: Vec<(String, Value)>, file: String) -> Batch {
        let id = format!("{id}{}", self.batches.len() + 1);
        items.reverse();
        let half = items.len() / 2;
        items.rotate_left(half);
        let batch = Batch { id: id.clone(), items, file, ..Batch::default() };
        self.batches.insert(id, batch.clone());
        batch
    }

    /// The batch, one request nearer to its end.
    fn poll(&mut self, id: &str, polls: usize) -> Option<Batch> {
        let batch = self.batches.get_mut(id)?;
        batch.polls += 1;
        batch.over = batch.polls >= polls;
        Some(batch.clone())
    }
}

impl Batch {
    /// How many items have this outcome.
    fn count(&self, of: impl Fn(&str) -> bool) -> usize {
        self.items.iter().filter(|(key, _)| of(self.outcome(key))).count()
    }

    /// What became of an item. Of a cancelled batch the good ones were done before.
    fn outcome<'k>(&self, key: &'k str) -> &'k str {
        let outcome = key.split('-').next().unwrap();
        if self.cancelled && outcome != "good" { "cancelled" } else { outcome }
    }
}

fn json_of(status: u16, body: Value) -> Reply {
    (status, body.to_string().into_bytes())
}

/// An error in the form that both providers read and write.
fn error(kind: &str, message: &str) -> Value {
    json!({"type": "error", "error": {"type": kind, "message": message, "code": null, "param": null}})
}

fn no_such(what: &str) -> Reply {
    json_of(404, error("not_found_error", &format!("no such {what}")))
}

/// The answer that a model gives to an item.
fn said(outcome: &str, body: &Value) -> String {
    match outcome {
        "wrong" => r#"{"value":"perhaps"}"#.to_owned(),
        "cut" => r#"{"value":"#.to_owned(),
        "refused" => "I can't help with that.".to_owned(),
        // The answer depends on the item, so that one for another item would be noticed.
        _ => json!({"value": body.to_string().contains("complaint 7")}).to_string(),
    }
}

fn secret<'h>(headers: &'h HeaderMap, name: &str) -> &'h str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
