//! Adapters: neutral requests and replies to and from one provider's wire.
//!
//! An adapter is pure: values in, values out. It opens no socket, reads no clock and sleeps never; a
//! [`Transport`](crate::transport::Transport) carries what it encodes.

mod capability;
mod fault;

pub use capability::{Capabilities, Enforcement};
pub use fault::{AdapterFault, ProviderError, ProviderErrorKind};

use crate::reply::{Event, Reply};
use crate::request::Request;
use crate::transport::{WireReply, WireRequest};

/// One provider's wire.
pub trait Adapter: Send + Sync + std::fmt::Debug {
    /// Name in the registry: `openai-payg`, `claude-cli`.
    fn name(&self) -> &'static str;

    /// What the provider can do, as data.
    fn capabilities(&self) -> &Capabilities;

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
    /// Takes one server-sent event (or one line of a CLI's JSON lines) and appends what it means to `out`.
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
