//! For users' own tests: recorded exchanges, scripted models, parity of schema and parser.

mod lock;
mod parity;
pub mod replay;
pub mod scripted;

pub use lock::lock;
pub use parity::{Generator, Parity, assert_parity, parity};
