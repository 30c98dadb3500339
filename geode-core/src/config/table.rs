//! A map of the configuration, read key by key; what is wrong is collected.

use std::cell::RefCell;

use serde_json::Value;

use super::node::{Entry, Kind, Node};
use super::{ConfigError, Problem};
use crate::nearest::nearest;

/// Most unknown keys of one map that are named.
const MOST_UNKNOWN: usize = 20;

/// Collects what is wrong.
#[derive(Default)]
pub(super) struct Problems {
    found: RefCell<Vec<Problem>>,
}

impl Problems {
    pub(super) fn add(&self, key: impl Into<String>, line: usize, reason: impl Into<String>) {
        self.found.borrow_mut().push(Problem { key: key.into(), line, reason: reason.into() });
    }

    /// The value, unless something is wrong.
    pub(super) fn finish<T>(self, value: Option<T>) -> Result<T, ConfigError> {
        let mut problems = self.found.into_inner();
        problems.sort_by_key(|problem| problem.line);
        match value {
            Some(value) if problems.is_empty() => Ok(value),
            _ => Err(ConfigError { problems }),
        }
    }
}

/// A map that is being read.
pub(super) struct Table<'n> {
    path: String,
    line: usize,
    entries: &'n [Entry],
    problems: &'n Problems,
}

/// A value with the key that it stands under.
pub(super) struct Setting<'n> {
    pub(super) key: String,
    pub(super) line: usize,
    pub(super) node: &'n Node,
    problems: &'n Problems,
}

impl<'n> Table<'n> {
    /// A map of the keys that are known. Others are problems.
    pub(super) fn open(
        node: &'n Node,
        path: String,
        line: usize,
        known: &[&str],
        problems: &'n Problems,
    ) -> Option<Table<'n>> {
        let Kind::Map(entries) = &node.kind else {
            let reason = format!("a map with the keys {} was expected", listed(known));
            problems.add(path, line, reason);
            return None;
        };
        let table = Table { path, line, entries, problems };
        let mut unknown = entries.iter().filter(|entry| !known.contains(&entry.key.as_str()));
        for entry in unknown.by_ref().take(MOST_UNKNOWN) {
            let help = match nearest(&entry.key, known.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("the keys are {}", listed(known)),
            };
            problems.add(table.key(&entry.key), entry.line, format!("there is no such key; {help}"));
        }
        let more = unknown.count();
        if more > 0 {
            problems.add(&table.path, line, format!("{more} more keys are unknown"));
        }
        Some(table)
    }

    /// The value of a key that may be left out, or be null.
    pub(super) fn optional(&self, key: &str) -> Option<Setting<'n>> {
        let entry = self.entries.iter().find(|entry| entry.key == key)?;
        if matches!(entry.value.kind, Kind::Scalar(Value::Null)) {
            return None;
        }
        Some(Setting { key: self.key(key), line: entry.line, node: &entry.value, problems: self.problems })
    }

    /// The value of a key that must be there.
    pub(super) fn required(&self, key: &str) -> Option<Setting<'n>> {
        let setting = self.optional(key);
        if setting.is_none() {
            self.problems.add(self.key(key), self.line, "this key is required");
        }
        setting
    }

    fn key(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }
}

impl<'n> Setting<'n> {
    pub(super) fn text(&self) -> Option<String> {
        match &self.node.kind {
            Kind::Scalar(Value::String(text)) if !text.trim().is_empty() => Some(text.clone()),
            Kind::Scalar(Value::String(_)) => self.wrong("it must not be empty"),
            _ => self.wrong("text was expected"),
        }
    }

    pub(super) fn boolean(&self) -> Option<bool> {
        match &self.node.kind {
            Kind::Scalar(Value::Bool(value)) => Some(*value),
            _ => self.wrong("`true` or `false` was expected"),
        }
    }

    /// A whole number of at least 1.
    pub(super) fn count(&self) -> Option<u64> {
        match &self.node.kind {
            Kind::Scalar(Value::Number(number)) if number.as_u64().is_some_and(|number| number > 0) => number.as_u64(),
            _ => self.wrong("a whole number of at least 1 was expected"),
        }
    }

    /// One of some words.
    pub(super) fn word(&self, words: &[&'static str]) -> Option<&'static str> {
        let text = self.text()?;
        if let Some(word) = words.iter().find(|word| **word == text) {
            return Some(word);
        }
        let near = nearest(&text, words.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
        self.wrong(format!("one of {} was expected{}", listed(words), near.unwrap_or_default()))
    }

    /// A list of texts, each with its line.
    pub(super) fn texts(&self) -> Option<Vec<(String, usize)>> {
        let Kind::List(items) = &self.node.kind else { return self.wrong("a list was expected") };
        let texts = items.iter().map(|item| match &item.kind {
            Kind::Scalar(Value::String(text)) => Some((text.clone(), item.line)),
            _ => {
                self.problems.add(&self.key, item.line, "text was expected");
                None
            }
        });
        texts.collect()
    }

    pub(super) fn table(&self, known: &[&str]) -> Option<Table<'n>> {
        Table::open(self.node, self.key.clone(), self.line, known, self.problems)
    }

    pub(super) fn wrong<T>(&self, reason: impl Into<String>) -> Option<T> {
        self.problems.add(&self.key, self.line, reason);
        None
    }

    /// A problem somewhere inside the value.
    pub(super) fn wrong_at<T>(&self, pointer: &str, reason: impl Into<String>) -> Option<T> {
        let key = format!("{}{}", self.key, pointer.replace('/', "."));
        let line = if pointer.is_empty() { self.line } else { self.node.line_at(pointer) };
        self.problems.add(key, line, reason);
        None
    }
}

fn listed(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}
