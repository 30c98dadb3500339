//! From an answer's text to its JSON: each wider reading takes what the narrower one takes, and gives the same value.

use bytes::Bytes;
use geode::adapter::{Adapter, AdapterFault, Capabilities, Decoder, embedded::Embedded};
use geode::client::{Client, Reading, RetryPolicy};
use geode::reply::{FinishReason, Reply};
use geode::request::Request;
use geode::transport::{WireReply, WireRequest};

use super::types::Part;

/// One round.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let strict = read(text, Reading::Strict);
    let fenced = read(text, Reading::Fenced);
    let prose = read(text, Reading::Prose);
    assert_eq!(strict, geode::from_str::<Part>(text.trim_start_matches('\u{feff}')).ok().or(strict.clone()));
    assert!(strict.is_none() || strict == fenced, "{strict:?} and {fenced:?}");
    assert!(fenced.is_none() || fenced == prose, "{fenced:?} and {prose:?}");
}

fn read(text: &str, reading: Reading) -> Option<Part> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().expect("a runtime");
    let client = Client::builder(Says(text.to_owned())).retry(RetryPolicy::none()).build();
    let call = client.request::<Part>().user("?").reading(reading);
    runtime.block_on(call.send()).ok().map(|accepted| accepted.into_value())
}

/// An adapter whose model says this.
#[derive(Debug)]
struct Says(String);

impl Adapter for Says {
    fn name(&self) -> &'static str {
        "says"
    }
    fn capabilities(&self) -> &Capabilities {
        static EMBEDDED: std::sync::OnceLock<Embedded> = std::sync::OnceLock::new();
        EMBEDDED.get_or_init(Embedded::new).capabilities()
    }
    fn default_model(&self) -> Option<&str> {
        None
    }
    fn encode(&self, _: &Request) -> Result<WireRequest, AdapterFault> {
        Ok(WireRequest::Loopback(Bytes::new()))
    }
    fn decode(&self, _: &Request, _: &WireReply) -> Result<Reply, AdapterFault> {
        Ok(Reply { text: self.0.clone(), finish: Some(FinishReason::Stop), ..Reply::default() })
    }
    fn decoder(&self, _: &Request) -> Box<dyn Decoder> {
        unreachable!("nothing is streamed")
    }
}
