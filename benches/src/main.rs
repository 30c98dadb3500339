//! Geode beside its peers: `cargo run --release -p geode-bench -- PART`.
//!
//! Each part prints a table of ratios of medians, then one line for each target: `target NAME FIGURE BOUND ok|short`.
//! The ratios are of CPU time of this thread, all cases taken in turn in one process, so that a busy machine disturbs
//! them all alike.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

#[macro_use]
mod types;

mod callgrind;
mod compile;
mod inputs;
mod invalid;
mod measure;
mod parse;
mod stream;

use std::process::{Command, ExitCode};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["parse"] => parse::run(),
        ["invalid"] => invalid::run(),
        ["stream"] => stream::run(),
        ["compile"] => compile::run(),
        ["client"] => return client(&[]),
        ["parse", "--callgrind"] => return callgrind::run("parse", parse::instructions),
        ["invalid", "--callgrind"] => return callgrind::run("invalid", invalid::instructions),
        ["stream", "--callgrind"] => return callgrind::run("stream", stream::instructions),
        ["client", "--callgrind"] => return client(&["--callgrind"]),
        // what `--callgrind` runs under valgrind
        ["once", "parse", name] => parse::once(name),
        ["once", "invalid", name] => invalid::once(name),
        ["once", "stream", name] => stream::once(name),
        _ => {
            eprintln!(
                "usage: geode-bench parse|invalid|stream|compile|client\n       geode-bench parse|invalid|stream|client --callgrind"
            );
            return ExitCode::FAILURE;
        }
    }
    ExitCode::SUCCESS
}

/// Runs the program of part `client`, which alone is built with the clients of others.
fn client(arguments: &[&str]) -> ExitCode {
    let status = Command::new(env!("CARGO"))
        .args(["run", "--release", "--quiet", "--package", "geode-bench", "--features", "client"])
        .args(["--bin", "geode-bench-client", "--"])
        .args(arguments)
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .status();
    match status {
        Ok(status) if status.success() => ExitCode::SUCCESS,
        Ok(_) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("`cargo` couldn't be run: {error}");
            ExitCode::FAILURE
        }
    }
}
