//! Where a schema breaks a dialect's rules, and the error that such breaches make.

use std::fmt;

use super::facts::Dialect;

/// A place in a schema that a provider refuses.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Breach {
    /// JSON Pointer of the schema at fault; empty for the root.
    pub pointer: String,
    /// The keyword, or the limit, at fault.
    pub keyword: String,
    /// The provider's rule.
    pub rule: String,
    /// What to write instead.
    pub help: &'static str,
}

impl fmt::Display for Breach {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let place = if self.pointer.is_empty() { "the root" } else { &self.pointer };
        write!(f, "{place}: {}", self.rule)?;
        if self.help.is_empty() { Ok(()) } else { write!(f, "; {}", self.help) }
    }
}

/// A dialect can't take a schema: every place at fault, and what to write there instead.
///
/// `Display` gives each breach a line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Incompatible {
    dialect: &'static str,
    breaches: Vec<Breach>,
}

impl Incompatible {
    /// `breaches` holds at least one.
    pub(super) fn new(dialect: &Dialect, breaches: Vec<Breach>) -> Self {
        Incompatible { dialect: dialect.name, breaches }
    }

    /// Name of the dialect.
    pub fn dialect(&self) -> &'static str {
        self.dialect
    }

    /// Every breach of the dialect's rules, at least one.
    pub fn breaches(&self) -> &[Breach] {
        &self.breaches
    }
}

impl fmt::Display for Incompatible {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} can't take the schema:", self.dialect)?;
        self.breaches.iter().try_for_each(|breach| write!(f, "\n- {breach}"))
    }
}

impl std::error::Error for Incompatible {}
