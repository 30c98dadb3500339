//! The Anthropic Messages API, with an API key or an OAuth token.
//!
//! Facts: platform.claude.com, "Structured outputs", "Tool use", "Errors" and "Streaming"; the types of
//! anthropic-python 2.14; requests of the claude CLI 2.1.332. Read 2026-11.

mod models;
mod request;
mod response;
mod stream;

use std::borrow::Cow;

pub(crate) use models::{Family, allow_forced_choice};

use super::one_reply::OneReply;
use super::{AdapterFault, Authorization, Capabilities, Codec, Credential, Decoder, Enforcement, HttpAdapter};
use crate::dialect;
use crate::reply::Reply;
use crate::request::Request;
use crate::transport::WireReply;

/// What the Messages API can do with models since 4.5.
pub static CAPABILITIES: Capabilities = Capabilities {
    native: Enforcement::Enforced,
    tools: true,
    tools_with_schema: true,
    strict_tools: true,
    forced_tool_choice: true,
    streaming: true,
    schema_suppresses_tools: false,
    dialect: &dialect::ANTHROPIC,
    source: "platform.claude.com, Structured outputs and Tool use, 2026-11",
};

/// The newest models refuse a forced call.
static UNFORCED: Capabilities = Capabilities {
    forced_tool_choice: false,
    source: "platform.claude.com, Structured outputs, 2026-11: no forced tool choice since Opus and Sonnet 5.5, Fable 5.1",
    ..CAPABILITIES
};

/// Models before 4.5 know no structured output.
static OLDER: Capabilities = Capabilities {
    native: Enforcement::None,
    strict_tools: false,
    source: "platform.claude.com, Structured outputs, 2026-11: models since 4.5, and Opus 4.1",
    ..CAPABILITIES
};

/// Tag of this wire's opaque items.
const WIRE: &str = "anthropic";

/// The Messages wire.
#[derive(Debug, Clone)]
pub struct Messages {
    oauth: bool,
    /// Whether response schemas go in the beta's form.
    beta_output: bool,
}

/// `anthropic-payg`: the platform API, with an API key. Another version of the API is set by
/// [`header`](HttpAdapter::header) `anthropic-version`.
///
/// ```
/// use geode_core::adapter::{Adapter, anthropic};
///
/// let adapter = anthropic::payg("sk-ant-example").model("claude-opus-4-6");
/// assert_eq!(adapter.name(), "anthropic-payg");
/// ```
pub fn payg(key: impl Into<Credential>) -> HttpAdapter<Messages> {
    messages("anthropic-payg", false).credential(Authorization::Header("x-api-key"), key)
}

/// `anthropic-oauth`: the same API, with the OAuth token of a Claude subscription.
pub fn oauth(token: impl Into<Credential>) -> HttpAdapter<Messages> {
    messages("anthropic-oauth", true)
        .credential(Authorization::Bearer, token)
        .header("anthropic-beta", "oauth-2025-04-20")
}

impl HttpAdapter<Messages> {
    /// Sends response schemas as the beta took them: in `output_format`, with the beta's header. For a gateway that does
    /// not know `output_config` yet; Anthropic itself takes both.
    pub fn beta_output_format(self) -> Self {
        let mut betas = "structured-outputs-2025-11-13";
        let adapter = self.with_codec(|codec| {
            if codec.oauth {
                betas = "oauth-2025-04-20,structured-outputs-2025-11-13";
            }
            Messages { beta_output: true, ..codec }
        });
        adapter.header("anthropic-beta", betas)
    }
}

fn messages(name: &'static str, oauth: bool) -> HttpAdapter<Messages> {
    HttpAdapter::new(name, CAPABILITIES.clone(), "https://api.anthropic.com/v1", Messages { oauth, beta_output: false })
        .model("claude-sonnet-4-6")
        .header("anthropic-version", "2023-06-01")
}

impl Codec for Messages {
    fn path(&self, _model: &str, _stream: bool) -> Cow<'static, str> {
        Cow::Borrowed("/messages")
    }

    fn encode(&self, request: &Request, model: &str) -> Result<Vec<u8>, AdapterFault> {
        request::encode(request, model, self)
    }

    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        response::decode(request, reply)
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(OneReply::new(stream::MessagesReader::new(request)))
    }

    fn capabilities_for(&self, model: &str) -> Option<&'static Capabilities> {
        let family = Family::of(model)?;
        Some(match family {
            _ if !family.has_structured_output() => &OLDER,
            _ if family.refuses_forced_choice() => &UNFORCED,
            _ => &CAPABILITIES,
        })
    }
}
