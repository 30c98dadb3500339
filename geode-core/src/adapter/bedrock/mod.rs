//! Amazon Bedrock: the Converse API, with a Bedrock API key, or signed with AWS access keys (feature `bedrock-sigv4`).
//!
//! Facts: docs.aws.amazon.com, "Converse" and "Structured outputs" of the Bedrock guide; the service model of botocore
//! 1.44. Read 2026-11.

mod request;
mod response;
#[cfg(feature = "bedrock-sigv4")]
mod sigv4;
mod stream;

use std::borrow::Cow;

#[cfg(feature = "bedrock-sigv4")]
pub use sigv4::AwsKeys;

use super::anthropic::Family;
use super::one_reply::OneReply;
use super::{AdapterFault, Authorization, Capabilities, Codec, Credential, Decoder, Enforcement, HttpAdapter};
use crate::dialect;
use crate::reply::Reply;
use crate::request::Request;
use crate::transport::WireReply;

/// What Converse can do with a model of which nothing more is known: tools, where the model has them.
pub static CAPABILITIES: Capabilities = Capabilities {
    native: Enforcement::None,
    tools: true,
    tools_with_schema: true,
    strict_tools: false,
    forced_tool_choice: true,
    streaming: true,
    schema_suppresses_tools: false,
    dialect: &dialect::BEDROCK,
    source: "docs.aws.amazon.com, Bedrock guide, Converse and Structured outputs, 2026-11: by model",
};

/// Claude since 4.5.
static ENFORCED: Capabilities = Capabilities { native: Enforcement::Enforced, strict_tools: true, ..CAPABILITIES };

/// The newest Claude models.
static UNFORCED: Capabilities = Capabilities { forced_tool_choice: false, ..ENFORCED };

/// Tag of this wire's opaque items.
const WIRE: &str = "bedrock";

/// The Converse wire.
#[derive(Debug, Clone)]
pub struct Converse {}

/// `bedrock`: Converse in a region, with a Bedrock API key.
///
/// ```
/// use geode_core::adapter::{Adapter, bedrock};
///
/// let adapter = bedrock::converse("eu-central-1", "example-key").model("anthropic.claude-sonnet-4-6-v1:0");
/// assert_eq!(adapter.name(), "bedrock");
/// ```
pub fn converse(region: &str, key: impl Into<Credential>) -> HttpAdapter<Converse> {
    in_region(region).credential(Authorization::Bearer, key)
}

/// `bedrock` with AWS access keys. `keys` is asked before each request, for keys that expire; it must not block.
///
/// ```
/// use geode_core::adapter::bedrock::{self, AwsKeys};
///
/// let keys = AwsKeys::new("AKIDEXAMPLE", "example-secret");
/// let adapter = bedrock::converse_signed("eu-central-1", move || keys.clone());
/// ```
#[cfg(feature = "bedrock-sigv4")]
pub fn converse_signed(region: &str, keys: impl Fn() -> AwsKeys + Send + Sync + 'static) -> HttpAdapter<Converse> {
    in_region(region).signer(sigv4::Signer::new(region, "bedrock", keys))
}

fn in_region(region: &str) -> HttpAdapter<Converse> {
    let base_url = format!("https://bedrock-runtime.{region}.amazonaws.com");
    HttpAdapter::new("bedrock", CAPABILITIES.clone(), base_url, Converse {}).model("anthropic.claude-sonnet-4-6-v1:0")
}

impl Codec for Converse {
    fn path(&self, model: &str, stream: bool) -> Cow<'static, str> {
        // Ids hold colons, and ARNs slashes: both belong into one segment.
        let mut path = String::from("/model/");
        for character in model.chars() {
            match character {
                ':' => path.push_str("%3A"),
                '/' => path.push_str("%2F"),
                _ => path.push(character),
            }
        }
        path.push_str(if stream { "/converse-stream" } else { "/converse" });
        Cow::Owned(path)
    }

    fn encode(&self, request: &Request, model: &str) -> Result<Vec<u8>, AdapterFault> {
        request::encode(request, model)
    }

    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        response::decode(request, reply)
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(OneReply::new(stream::ConverseReader::new(request)))
    }

    fn capabilities_for(&self, model: &str) -> Option<&'static Capabilities> {
        let family = Family::of(model)?;
        Some(match family {
            _ if !family.has_structured_output() => &CAPABILITIES,
            _ if family.refuses_forced_choice() => &UNFORCED,
            _ => &ENFORCED,
        })
    }
}
