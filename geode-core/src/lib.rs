//! Runtime of geode: shapes, dialects, the strict JSON parser, adapters and the call engine.
//!
//! Use it through the `geode` facade.

#![cfg_attr(docsrs, feature(doc_cfg))]
// No panic on outside input (CONTRIBUTING, rule 8). An exception says in one sentence why it can't fail.
#![warn(clippy::expect_used, clippy::indexing_slicing, clippy::panic, clippy::unwrap_used)]
#![warn(clippy::return_self_not_must_use, missing_debug_implementations)]
#![cfg_attr(not(test), warn(clippy::string_slice, clippy::unreachable))]

pub mod check;
pub mod dialect;
pub mod json;
pub mod pattern;
pub mod report;
pub mod schema;
pub mod shape;

#[cfg(feature = "schemars")]
mod foreign;
mod format;
mod impls;
mod nearest;
mod output;
mod typed;
pub mod version;

#[cfg(feature = "schemars")]
pub use foreign::Wire;
#[cfg(feature = "base64")]
pub use impls::Base64;
pub use json::stream::Partial;
pub use json::{from_slice, from_str, to_string};
pub use output::StructuredOutput;
pub use typed::{plan, schema};

#[cfg(feature = "client")]
pub mod adapter;
#[cfg(feature = "client")]
pub mod client;
#[cfg(feature = "client")]
pub mod config;
#[cfg(feature = "client")]
mod engine;
#[cfg(feature = "client")]
pub use engine::{agent, worker};
#[cfg(feature = "client")]
pub mod function;
#[cfg(feature = "client")]
pub mod message;
#[cfg(feature = "client")]
pub mod outcome;
#[cfg(any(feature = "client", feature = "schemars"))]
pub mod raw_schema;
#[cfg(feature = "client")]
pub mod record;
#[cfg(feature = "client")]
pub mod reply;
#[cfg(feature = "client")]
pub mod request;
#[cfg(feature = "client")]
mod telemetry;
#[cfg(feature = "testing")]
pub mod testing;
#[cfg(feature = "client")]
pub mod tool;
#[cfg(feature = "client")]
pub mod transport;
#[cfg(feature = "client")]
pub mod volume;

/// What `#[geode(json_schema)]` writes, where schemars is there.
#[cfg(feature = "schemars")]
#[doc(hidden)]
#[macro_export]
macro_rules! with_schemars {
    ($($item:tt)*) => { $($item)* };
}

/// What `#[geode(json_schema)]` writes, where schemars is not there.
#[cfg(not(feature = "schemars"))]
#[doc(hidden)]
#[macro_export]
macro_rules! with_schemars {
    ($($item:tt)*) => {
        ::core::compile_error!(
            "`#[geode(json_schema)]` needs geode's feature `schemars`\nhelp: add `features = [\"schemars\"]` to geode in \
             Cargo.toml, or remove the attribute"
        );
    };
}

#[doc(hidden)]
pub mod __private;
