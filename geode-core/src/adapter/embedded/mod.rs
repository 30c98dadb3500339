//! The embedded adapter: typed calls without a key and without a network.
//!
//! It is no language model. It fills the request's own schema from the input by fixed rules: values of an enumeration
//! by the words that their names and descriptions share with the text; numbers, dates, quotes and sentences as they
//! stand in it. The same input gives the same answer, always. It exists so that every part of the path from type to
//! checked value runs on real input, in examples and in tests.

mod extract;
mod facts;
mod reply;

#[cfg(test)]
mod tests;

use super::{Adapter, AdapterFault, Capabilities, Decoder, Enforcement};
use crate::dialect::PLAIN;
use crate::reply::Reply;
use crate::request::Request;
use crate::transport::{WireReply, WireRequest};

/// A small deterministic extractor in the place of a provider. No language model: see [the module](self).
///
/// ```
/// use geode_core::adapter::embedded::Embedded;
/// use geode_core::client::Client;
///
/// let client = Client::new(Embedded::new());
/// assert_eq!(client.adapter_name(), "embedded");
/// ```
#[derive(Debug, Clone, Copy, Default)]
#[non_exhaustive]
pub struct Embedded;

static CAPABILITIES: Capabilities = Capabilities {
    native: Enforcement::Hint,
    tools: true,
    tools_with_schema: true,
    strict_tools: false,
    forced_tool_choice: true,
    streaming: true,
    schema_suppresses_tools: false,
    dialect: &PLAIN,
    source: "this crate: the extractor follows a schema's structure, and may miss a pattern or a limit",
};

impl Embedded {
    /// The adapter.
    pub fn new() -> Self {
        Embedded
    }
}

impl Adapter for Embedded {
    fn name(&self) -> &'static str {
        "embedded"
    }

    fn capabilities(&self) -> &Capabilities {
        &CAPABILITIES
    }

    fn default_model(&self) -> Option<&str> {
        Some("embedded-extractor-1")
    }

    fn encode(&self, request: &Request) -> Result<WireRequest, AdapterFault> {
        Ok(WireRequest::Loopback(reply::write(request)?.into()))
    }

    fn decode(&self, _request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        reply::read(&reply.body)
    }

    fn decoder(&self, _request: &Request) -> Box<dyn Decoder> {
        Box::new(reply::Lines::default())
    }
}
