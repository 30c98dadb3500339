//! Geode beside its peers: `cargo run --release -p geode-bench -- PART`.
//!
//! Each part prints a table of ratios of medians, then one line for each target: `target NAME FIGURE BOUND ok|short`.
//! The ratios are of CPU time of this thread, all cases taken in turn in one process, so that a busy machine disturbs
//! them all alike.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

mod inputs;
mod measure;
mod stream;

use std::process::ExitCode;

fn main() -> ExitCode {
    match std::env::args().nth(1).as_deref() {
        Some("stream") => stream::run(),
        _ => {
            eprintln!("usage: geode-bench stream");
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}
