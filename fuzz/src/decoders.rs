//! Every adapter's decoders: a reply or a typed fault, whatever came.

use std::sync::Arc;
use std::sync::LazyLock;

use bytes::Bytes;
use geode::adapter::{Adapter, StreamEvent, registry};
use geode::request::Request;
use geode::transport::{HeaderMap, WireReply};

static ADAPTERS: LazyLock<Vec<Arc<dyn Adapter>>> = LazyLock::new(|| {
    ["openai-payg", "openai-chat", "anthropic-payg", "gemini", "bedrock", "claude-cli", "codex-cli", "embedded"]
        .into_iter()
        .map(|name| registry::by_name(name, &|_| Some("dummy".to_owned())).expect("a known adapter"))
        .collect()
});

/// One round: a whole reply, and a stream of an event a line, with its type before it where the line is no JSON.
pub fn run(data: &[u8]) {
    let Some((&[choice, status], body)) = data.split_first_chunk::<2>() else { return };
    let adapter = &ADAPTERS[usize::from(choice) % ADAPTERS.len()];
    let request = Request::default();
    let status = [200, 200, 0, 400, 429, 500, 529, 1][usize::from(status) % 8];
    let mut headers = HeaderMap::new();
    headers.insert("content-type", "application/json".parse().expect("a header's value"));
    let reply = WireReply { status, headers, body: Bytes::copy_from_slice(body), stderr: Bytes::copy_from_slice(body) };
    if let Err(fault) = adapter.decode(&request, &reply) {
        let _ = fault.to_string();
    }
    let mut decoder = adapter.decoder(&request);
    let mut events = Vec::new();
    for line in String::from_utf8_lossy(body).lines() {
        let (name, data) = match line.split_once(' ') {
            Some((name, data)) if !name.starts_with('{') => (Some(name), data),
            _ => (None, line),
        };
        if decoder.event(&StreamEvent { name, data }, &mut events).is_err() {
            break;
        }
    }
    let _ = decoder.finish();
}
