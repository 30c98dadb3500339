//! Help for tests that talk to a server on this machine.

pub(crate) mod cases;
pub(crate) mod server;
