//! The dialects.

mod anthropic;
mod claude_cli;
mod gemini;
mod local;
mod openai;
mod plain;

pub use anthropic::{ANTHROPIC, BEDROCK};
pub use claude_cli::CLAUDE_CLI;
pub use gemini::GEMINI;
pub use local::LOCAL;
pub use openai::OPENAI_STRICT;
#[cfg(feature = "schemars")]
pub(super) use plain::CANONICAL;
pub use plain::PLAIN;
#[cfg(feature = "client")]
pub(crate) use plain::TOOL_HINT;

use super::Dialect;

/// 2^53 - 1: the largest whole number that every JSON reader keeps exact (RFC 8259, section 6).
const SAFE_INTEGER: i128 = 9_007_199_254_740_991;

/// Every dialect, `PLAIN` first.
pub static ALL: [&Dialect; 7] = [&PLAIN, &OPENAI_STRICT, &ANTHROPIC, &GEMINI, &BEDROCK, &CLAUDE_CLI, &LOCAL];

/// The dialect of that name, in any case, with `-` or `_`; `openai` stands for `OPENAI_STRICT`.
pub fn find(name: &str) -> Option<&'static Dialect> {
    let name = name.replace('-', "_").to_ascii_uppercase();
    ALL.into_iter().find(|dialect| dialect.name == name || dialect.name.strip_suffix("_STRICT") == Some(name.as_str()))
}
