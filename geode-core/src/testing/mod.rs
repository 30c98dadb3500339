//! For users' own tests: recorded exchanges, scripted models.

pub mod replay;
pub mod scripted;
