//! For users' own tests: recorded exchanges, scripted models, parity of schema and parser.

mod parity;
pub mod replay;
pub mod scripted;

pub use parity::{Generator, Parity, assert_parity, parity};
