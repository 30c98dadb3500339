//! For users' own tests: parity of schema and parser, schema locks; with the client, scripted models and recorded exchanges.

mod lock;
mod parity;
#[cfg(feature = "client")]
pub mod replay;
#[cfg(feature = "client")]
pub mod scripted;

pub use lock::lock;
pub use parity::{Generator, Parity, assert_parity, parity};
