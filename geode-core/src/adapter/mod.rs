//! Adapters: neutral requests and replies to and from one provider's wire.
//!
//! An adapter is pure: values in, values out. It opens no socket, reads no clock and sleeps never; a
//! [`Transport`](crate::transport::Transport) carries what it encodes.

pub mod anthropic;
pub mod bedrock;
pub mod embedded;
pub mod gemini;
pub mod openai_chat;
pub mod openai_responses;
pub mod registry;

mod capability;
mod claude_cli;
mod cli;
mod codex_cli;
mod credential;
mod envelope;
pub(crate) mod error_body;
mod extra;
mod fault;
mod http;
mod one_reply;
mod render;
mod settle;
mod strict;
mod table;

pub use capability::{Capabilities, Enforcement};
pub use cli::CliAdapter;
pub use credential::Credential;
pub use fault::{AdapterFault, ProviderError, ProviderErrorKind};
pub use http::{Authorization, Codec, HttpAdapter};
pub use table::table;

use crate::reply::{Event, Reply};
use crate::request::Request;
use crate::transport::{HeaderMap, WireReply, WireRequest};

/// The provider's id of a request, from a reply's headers. A streamed reply doesn't know its
/// headers: whoever reads the stream adds the id.
pub fn request_id(headers: &HeaderMap) -> Option<String> {
    error_body::request_id(headers)
}

/// One provider's wire.
pub trait Adapter: Send + Sync + std::fmt::Debug {
    /// Name in the registry: `openai-payg`, `claude-cli`.
    fn name(&self) -> &'static str;

    /// What the provider can do, as data.
    fn capabilities(&self) -> &Capabilities;

    /// What one of its models can do; the default model where `None`. Decisions for a request are taken from this.
    fn capabilities_for(&self, model: Option<&str>) -> &Capabilities {
        let _ = model;
        self.capabilities()
    }

    /// Model asked when the request names none.
    fn default_model(&self) -> Option<&str>;

    /// Renders a request.
    ///
    /// # Errors
    ///
    /// Where the wire can't carry the request (tools for a CLI, say), or a setting is missing.
    fn encode(&self, request: &Request) -> Result<WireRequest, AdapterFault>;

    /// Reads a whole answer.
    ///
    /// # Errors
    ///
    /// Where the provider reports an error, or the body is not what the wire promises. A refused or incomplete answer
    /// is a [`Reply`], not an error.
    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault>;

    /// Starts to read a streamed answer.
    fn decoder(&self, request: &Request) -> Box<dyn Decoder>;
}

/// Reads one streamed answer, piece by piece, however the bytes are cut.
pub trait Decoder: Send {
    /// Takes one server-sent event (or one line of a CLI's JSON lines) and appends what it means to `out`. With the
    /// terminal event comes [`Event::Done`]: nothing after it needs reading, since some servers then keep the
    /// connection open. Where the terminal event may be missing (`[DONE]` behind a finish reason), [`finish`](Self::finish)
    /// gives the reply all the same.
    ///
    /// # Errors
    ///
    /// Where the provider reports an error in the stream, or the piece can't be understood.
    fn event(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<(), AdapterFault>;

    /// Ends the stream. Returns the reply as far as it came; its `finish` is `None` if the terminal event never came.
    fn finish(self: Box<Self>) -> Reply;
}

/// One frame of a stream.
#[derive(Clone, Copy)]
pub struct StreamEvent<'a> {
    /// The event's type, where the frame names one.
    pub name: Option<&'a str>,
    /// The frame's data.
    pub data: &'a str,
}

impl std::fmt::Debug for StreamEvent<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("StreamEvent").field("name", &self.name).field("data_bytes", &self.data.len()).finish()
    }
}

impl<A: Adapter + ?Sized> Adapter for std::sync::Arc<A> {
    fn name(&self) -> &'static str {
        (**self).name()
    }
    fn capabilities(&self) -> &Capabilities {
        (**self).capabilities()
    }
    fn capabilities_for(&self, model: Option<&str>) -> &Capabilities {
        (**self).capabilities_for(model)
    }
    fn default_model(&self) -> Option<&str> {
        (**self).default_model()
    }
    fn encode(&self, request: &Request) -> Result<WireRequest, AdapterFault> {
        (**self).encode(request)
    }
    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        (**self).decode(request, reply)
    }
    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        (**self).decoder(request)
    }
}
