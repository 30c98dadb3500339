//! Bytes, as base64 text.

use super::text::{as_text, narrowed, read_parsed, rule};
use crate::json::{Reader, Writer};
use crate::output::StructuredOutput;

use crate::pattern::Matcher;
use crate::shape::{Pattern, Rules, Shape};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

/// Bytes that are base64 text on the wire (RFC 4648, the standard alphabet, padded).
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Default)]
pub struct Base64(pub Vec<u8>);

as_text! {
    Base64: pattern r"^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/][AQgw]==|[A-Za-z0-9+/]{2}[AEIMQUYcgkosw048]=)?$",
        "base64 text, padded", |text| STANDARD.decode(text).ok().map(Base64), |bytes| STANDARD.encode(&bytes.0);
}
