//! Configuration of agents and response schemas, from JSON or (feature `yaml`) YAML.
//!
//! Bad configuration names the key at fault and its line; a key that nobody knows is an error, with the nearest one that
//! is known.

mod agent;
mod node;
mod structured_output;
mod table;
mod tool_choice;
#[cfg(feature = "yaml")]
mod yaml;

use std::fmt;

pub use agent::AgentConfig;
pub use structured_output::StructuredOutputConfig;

/// All that is wrong with a configuration.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConfigError {
    problems: Vec<Problem>,
}

/// One thing that is wrong with a configuration, and where.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Problem {
    /// The key at fault, with those above it: `structured_output.schema`. Empty for the whole.
    pub key: String,
    /// Its line, counted from 1; 0 where it is not known.
    pub line: usize,
    /// What is wrong, and what to do.
    pub reason: String,
}

impl ConfigError {
    /// Everything that is wrong, in the order of the text.
    pub fn problems(&self) -> &[Problem] {
        &self.problems
    }

    fn one(key: impl Into<String>, line: usize, reason: impl Into<String>) -> Self {
        ConfigError { problems: vec![Problem { key: key.into(), line, reason: reason.into() }] }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, problem) in self.problems.iter().enumerate() {
            if index > 0 {
                f.write_str("\n")?;
            }
            if problem.line > 0 {
                write!(f, "line {}: ", problem.line)?;
            }
            if !problem.key.is_empty() {
                write!(f, "`{}`: ", problem.key)?;
            }
            f.write_str(&problem.reason)?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

#[cfg(test)]
mod tests;
