//! Gemini: `generateContent` of the Gemini API.
//!
//! Facts: ai.google.dev, "Structured output", "Function calling" and the API reference; the types of google-genai 3.6.
//! Read 2026-11.

mod request;
mod response;

use std::borrow::Cow;

use super::one_reply::OneReply;
use super::{AdapterFault, Authorization, Capabilities, Codec, Credential, Decoder, Enforcement, HttpAdapter};
use crate::dialect;
use crate::reply::Reply;
use crate::request::Request;
use crate::transport::WireReply;

/// What Gemini can do.
pub static CAPABILITIES: Capabilities = Capabilities {
    native: Enforcement::Enforced,
    tools: true,
    tools_with_schema: false,
    strict_tools: false,
    forced_tool_choice: true,
    streaming: true,
    schema_suppresses_tools: true,
    dialect: &dialect::GEMINI,
    source: "ai.google.dev, Structured output and Function calling, 2026-11: both at once in some models only",
};

/// Tag of this wire's opaque items.
const WIRE: &str = "gemini";

/// The `generateContent` wire.
#[derive(Debug, Clone)]
pub struct GenerateContent {}

/// `gemini`: the Gemini API, with an API key.
///
/// ```
/// use geode_core::adapter::{Adapter, gemini};
///
/// assert_eq!(gemini::api("example-key").default_model(), Some("gemini-3-pro"));
/// ```
pub fn api(key: impl Into<Credential>) -> HttpAdapter<GenerateContent> {
    let base_url = "https://generativelanguage.googleapis.com/v1beta";
    HttpAdapter::new("gemini", CAPABILITIES.clone(), base_url, GenerateContent {})
        .model("gemini-3-pro")
        .credential(Authorization::Header("x-goog-api-key"), key)
}

impl Codec for GenerateContent {
    fn path(&self, model: &str, stream: bool) -> Cow<'static, str> {
        let method = if stream { ":streamGenerateContent?alt=sse" } else { ":generateContent" };
        // Names may come in full: `models/…`, `tunedModels/…`.
        let folder = if model.contains('/') { "/" } else { "/models/" };
        Cow::Owned([folder, model, method].concat())
    }

    fn encode(&self, request: &Request, _model: &str) -> Result<Vec<u8>, AdapterFault> {
        request::encode(request)
    }

    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        response::decode(request, reply)
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(OneReply::new(response::GeminiReader::new(request)))
    }
}
