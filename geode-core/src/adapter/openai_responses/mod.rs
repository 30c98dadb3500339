//! The OpenAI Responses API, and the ChatGPT backend that speaks it.
//!
//! Facts: developers.openai.com, "Structured outputs" and "Function calling" guides, and the types of openai-python
//! 3.57; for the ChatGPT backend, requests of codex 0.171. Read 2026-11.

mod request;
mod response;
mod stream;

pub(crate) use request::{NamedSchema, is_reasoning_model};

use std::borrow::Cow;

use super::one_reply::OneReply;
use super::{AdapterFault, Authorization, Capabilities, Codec, Credential, Decoder, Enforcement, HttpAdapter};
use crate::dialect;
use crate::reply::Reply;
use crate::request::Request;
use crate::transport::WireReply;

/// What the Responses API can do.
pub static CAPABILITIES: Capabilities = Capabilities {
    native: Enforcement::Enforced,
    tools: true,
    tools_with_schema: true,
    strict_tools: true,
    forced_tool_choice: true,
    streaming: true,
    schema_suppresses_tools: false,
    dialect: &dialect::OPENAI_STRICT,
    source: "developers.openai.com, Structured outputs and Function calling guides, 2026-11",
};

/// Tag of this wire's opaque items.
const WIRE: &str = "openai-responses";

/// The Responses wire.
#[derive(Debug, Clone)]
pub struct Responses {
    chatgpt: bool,
}

/// `openai-payg`: the platform API, with an API key.
///
/// ```
/// use geode_core::adapter::{Adapter, openai_responses};
///
/// let adapter = openai_responses::payg("sk-example").model("gpt-5.4-mini");
/// assert_eq!(adapter.name(), "openai-payg");
/// ```
pub fn payg(key: impl Into<Credential>) -> HttpAdapter<Responses> {
    HttpAdapter::new("openai-payg", CAPABILITIES.clone(), "https://api.openai.com/v1", Responses { chatgpt: false })
        .model("gpt-5.4")
        .credential(Authorization::Bearer, key)
}

/// `codex-oauth`: the ChatGPT backend, with the access token and the account id of a ChatGPT login.
///
/// It always streams, stores nothing, and takes neither an output limit nor a temperature: both are left out.
pub fn codex_oauth(token: impl Into<Credential>, account_id: impl Into<String>) -> HttpAdapter<Responses> {
    let base_url = "https://chatgpt.com/backend-api/codex";
    HttpAdapter::new("codex-oauth", CAPABILITIES.clone(), base_url, Responses { chatgpt: true })
        .model("gpt-5.4")
        .credential(Authorization::Bearer, token)
        .header("chatgpt-account-id", account_id.into())
        .header("originator", "geode")
        .header("accept", "text/event-stream")
}

impl Codec for Responses {
    fn path(&self, _model: &str, _stream: bool) -> Cow<'static, str> {
        Cow::Borrowed("/responses")
    }

    fn encode(&self, request: &Request, model: &str) -> Result<Vec<u8>, AdapterFault> {
        request::encode(request, model, self.chatgpt)
    }

    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        response::decode(request, reply)
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(OneReply::new(stream::ResponsesReader::new(request)))
    }
}
