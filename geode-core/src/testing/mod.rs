//! For users' own tests: recorded exchanges.

pub mod replay;
