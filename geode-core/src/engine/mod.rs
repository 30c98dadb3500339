//! What happens between a request and a checked value: attempts, retries, deadlines. The only code that waits.
//!
//! One attempt is: encode, send, decode, read the provider's state, and only then parse and check, always in this order:
//! parsing never starts on a refused or incomplete answer.

pub mod agent;

mod arriving;
mod contract;
mod deadline;
mod line;
mod plan;
mod reask;
mod resolve;
mod retry;
mod state;
mod stream;
mod tolerant;
mod tool_mode;
pub mod worker;

pub use retry::RetryPolicy;
pub use tolerant::Reading;

pub(crate) use arriving::Arriving;
pub(crate) use contract::Contract;
pub(crate) use deadline::Deadline;
pub(crate) use line::{AttemptTimer, Line};
pub(crate) use plan::SchemaSource;
pub(crate) use reask::ask_again;
pub(crate) use resolve::{Resolved, Wanted, compose, resolve};
pub(crate) use retry::Retries;
pub(crate) use state::{answer_text, completed};
pub(crate) use stream::Live;
pub(crate) use tolerant::{json_in, read_in};
