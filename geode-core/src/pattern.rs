//! Regular expressions in the subset that ECMA-262 and every provider share.

mod steps;
mod subset;
mod translate;

#[cfg(test)]
mod tests;

pub use subset::validate;

use regex::Regex;
use std::sync::OnceLock;
use steps::Steps;

/// A compiled expression.
#[derive(Debug)]
pub struct Matcher {
    source: &'static str,
    compiled: OnceLock<Compiled>,
}

#[derive(Debug)]
enum Compiled {
    /// An anchored run of classes: no engine needed.
    Steps(Steps),
    Engine(Regex),
    /// Not in the subset. The derive has refused such an expression at compile time.
    Nothing,
}

impl Matcher {
    /// Prepares an expression; it is compiled when first used.
    pub const fn new(source: &'static str) -> Self {
        Matcher { source, compiled: OnceLock::new() }
    }

    /// Whether the text holds a match. An expression outside of the subset that [`validate`] accepts matches nothing.
    pub fn is_match(&self, text: &str) -> bool {
        match self.compiled.get_or_init(|| compile(self.source)) {
            Compiled::Steps(steps) => steps.is_match(text),
            Compiled::Engine(regex) => regex.is_match(text),
            Compiled::Nothing => false,
        }
    }
}

fn compile(source: &str) -> Compiled {
    if validate(source).is_err() {
        return Compiled::Nothing;
    }
    match Steps::new(source) {
        Some(steps) => Compiled::Steps(steps),
        None => Regex::new(&translate::translate(source)).map_or(Compiled::Nothing, Compiled::Engine),
    }
}
