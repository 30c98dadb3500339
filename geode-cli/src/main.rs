//! The `geode` command: JSON Schemas compared, checked against what a provider takes, and lowered to it.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "a command speaks through them")]

mod arguments;
mod commands;
mod input;

use std::process::ExitCode;

use arguments::{Command, HELP};

/// Nothing was found, or what was asked for was made.
const FINE: u8 = 0;
/// There are findings: breaking changes, breaches, incompatibilities.
const FINDINGS: u8 = 1;
/// The command line or a file is wrong.
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    let outcome = match arguments::parse(lexopt::Parser::from_env()) {
        Ok(Command::Help) => {
            print!("{HELP}");
            return ExitCode::from(FINE);
        }
        Ok(Command::Version) => {
            println!("geode {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::from(FINE);
        }
        Ok(Command::Diff { old, new, format }) => commands::diff(&old, &new, format),
        Ok(Command::Check { schema, dialects, format }) => commands::check(&schema, &dialects, format),
        Ok(Command::Lower { schema, dialect, format }) => commands::lower(&schema, dialect, format),
        Err(error) => Err(format!("{error}; `geode --help` shows how it is used")),
    };
    match outcome {
        Ok(report) => {
            print!("{}", report.output);
            eprint!("{}", report.notes);
            ExitCode::from(if report.findings { FINDINGS } else { FINE })
        }
        Err(trouble) => {
            eprintln!("geode: {trouble}");
            ExitCode::from(TROUBLE)
        }
    }
}
