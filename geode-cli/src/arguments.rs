//! The command line.

use geode_core::dialect::{ALL, Dialect, find};
use lexopt::prelude::*;

/// What `--help` shows.
pub(crate) const HELP: &str = "\
The geode command: JSON Schemas of any origin, compared, checked and lowered.

Usage:
  geode diff OLD NEW              What changed, and whom it breaks: producer, consumer, both or neither
  geode check SCHEMA --for NAMES  What a provider would refuse, each place with its rule
  geode lower SCHEMA --for NAME   The schema as the provider takes it; what got lost goes to standard error

SCHEMA, OLD and NEW are files, or - for standard input.

Options:
  --for NAMES     Dialects, separated by commas: plain, openai, anthropic, gemini, bedrock, claude-cli, local
  --format FORM   text (default) or json
  -h, --help      Show this
  -V, --version   Show the version

Exit status:
  0  nothing found: no breaking change, no breach, or the schema could be lowered
  1  findings
  2  the command line is wrong, or a file can't be read or is no schema
";

/// What is to be done.
#[derive(Debug)]
pub(crate) enum Command {
    Help,
    Version,
    Diff { old: String, new: String, format: Form },
    Check { schema: String, dialects: Vec<&'static Dialect>, format: Form },
    Lower { schema: String, dialect: &'static Dialect, format: Form },
}

/// How findings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) enum Form {
    #[default]
    Text,
    Json,
}

pub(crate) fn parse(mut parser: lexopt::Parser) -> Result<Command, lexopt::Error> {
    let mut words: Vec<String> = Vec::new();
    let mut dialects = Vec::new();
    let mut format = Form::default();
    while let Some(argument) = parser.next()? {
        match argument {
            Short('h') | Long("help") => return Ok(Command::Help),
            Short('V') | Long("version") => return Ok(Command::Version),
            Long("for") => {
                for name in parser.value()?.string()?.split(',') {
                    dialects.push(dialect(name.trim())?);
                }
            }
            Long("format") => {
                format = match parser.value()?.string()?.as_str() {
                    "text" => Form::Text,
                    "json" => Form::Json,
                    other => return Err(format!("--format is text or json, not {other:?}").into()),
                }
            }
            Value(word) => words.push(word.string()?),
            other => return Err(other.unexpected()),
        }
    }
    let mut words = words.into_iter();
    let command = words.next().ok_or("name a command: diff, check or lower")?;
    let first = words.next();
    let second = words.next();
    if words.next().is_some() {
        return Err("too many files".into());
    }
    match (command.as_str(), first, second) {
        ("diff", Some(old), Some(new)) if old == "-" && new == "-" => Err("only one of OLD and NEW can be -".into()),
        ("diff", Some(old), Some(new)) => Ok(Command::Diff { old, new, format }),
        ("diff", ..) => Err("diff takes two files".into()),
        ("check", Some(schema), None) if !dialects.is_empty() => Ok(Command::Check { schema, dialects, format }),
        ("lower", Some(schema), None) => match dialects.as_slice() {
            [dialect] => Ok(Command::Lower { schema, dialect, format }),
            _ => Err("lower needs --for with one dialect".into()),
        },
        ("check", Some(_), None) => Err("check needs --for with the dialects".into()),
        ("check" | "lower", ..) => Err(format!("{command} takes one file").into()),
        (other, ..) => Err(format!("no command {other:?}: there are diff, check and lower").into()),
    }
}

fn dialect(name: &str) -> Result<&'static Dialect, lexopt::Error> {
    find(name).ok_or_else(|| {
        let names: Vec<String> = ALL.iter().map(|dialect| dialect.name.to_ascii_lowercase()).collect();
        format!("no dialect {name:?}: there are {}", names.join(", ")).into()
    })
}
