//! The `geode` command: JSON Schemas compared, checked against what a provider takes, and lowered to it.

// No panic on outside input (CONTRIBUTING, rule 8).
#![warn(
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic,
    clippy::string_slice,
    clippy::unreachable,
    clippy::unwrap_used
)]

mod arguments;
mod commands;
mod input;

use std::io::{self, Write};
use std::process::ExitCode;

use arguments::{Command, HELP};
use commands::Report;

/// Nothing was found, or what was asked for was made.
const FINE: u8 = 0;
/// There are findings: breaking changes, breaches, incompatibilities.
const FINDINGS: u8 = 1;
/// The command line or a file is wrong.
const TROUBLE: u8 = 2;

fn main() -> ExitCode {
    let outcome = run().and_then(|report| {
        say(io::stdout(), &report.output)?;
        say(io::stderr(), &report.notes)?;
        Ok(report.findings)
    });
    ExitCode::from(match outcome {
        Ok(false) => FINE,
        Ok(true) => FINDINGS,
        Err(trouble) => {
            // There is nowhere left to say that this failed.
            let _ = say(io::stderr(), &format!("geode: {trouble}\n"));
            TROUBLE
        }
    })
}

fn run() -> Result<Report, String> {
    match arguments::parse(lexopt::Parser::from_env()) {
        Ok(Command::Help) => Ok(Report { output: HELP.to_owned(), ..Report::default() }),
        Ok(Command::Version) => {
            Ok(Report { output: format!("geode {}\n", env!("CARGO_PKG_VERSION")), ..Report::default() })
        }
        Ok(Command::Diff { old, new, format }) => commands::diff(&old, &new, format),
        Ok(Command::Check { schema, dialects, format }) => commands::check(&schema, &dialects, format),
        Ok(Command::Lower { schema, dialect, format }) => commands::lower(&schema, dialect, format),
        Err(error) => Err(format!("{error}; `geode --help` shows how it is used")),
    }
}

/// Writes to a stream of the process. A reader that is gone (`geode diff … | head`) has seen what it wanted.
fn say(mut stream: impl Write, text: &str) -> Result<(), String> {
    match stream.write_all(tame(text).as_bytes()).and_then(|()| stream.flush()) {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(format!("nothing can be written: {error}")),
        _ => Ok(()),
    }
}

/// A text without the characters that drive a terminal or turn its lines about: a hostile schema has them in its names.
/// They come out as JSON escapes, which mean the same in what is JSON.
fn tame(text: &str) -> String {
    let wild = |character: char| {
        character.is_control() && character != '\n'
            || matches!(character, '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let mut tame = String::with_capacity(text.len());
    for character in text.chars() {
        if wild(character) {
            tame.push_str(&format!("\\u{:04x}", u32::from(character)));
        } else {
            tame.push(character);
        }
    }
    tame
}
