//! Tolerant reading of a program's JSON: versions add members, leave some out and change what others hold.

use std::collections::BTreeMap;

use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

/// The members of a JSON object, each read when it is asked for. A member that holds something else than expected
/// counts as absent.
#[derive(Default)]
pub(in super::super) struct Members(BTreeMap<String, Box<RawValue>>);

impl Members {
    /// Reads an object; `None` where the text is none.
    pub(in super::super) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok().map(Members)
    }

    /// The member's JSON text, exactly as it came; `None` for `null`.
    pub(in super::super) fn raw(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(|raw| raw.get()).filter(|raw| *raw != "null")
    }

    pub(in super::super) fn get<T: DeserializeOwned>(&self, name: &str) -> Option<T> {
        serde_json::from_str(self.raw(name)?).ok()
    }

    pub(in super::super) fn text(&self, name: &str) -> Option<String> {
        self.get(name)
    }

    /// Like [`text`](Self::text), and empty counts as absent.
    pub(in super::super) fn filled(&self, name: &str) -> Option<String> {
        self.text(name).filter(|text| !text.is_empty())
    }

    pub(in super::super) fn count(&self, name: &str) -> u64 {
        self.get(name).unwrap_or_default()
    }

    /// The member as an object; empty where it is none.
    pub(in super::super) fn object(&self, name: &str) -> Members {
        self.raw(name).and_then(Members::read).unwrap_or_default()
    }

    /// The members that are objects themselves, with their names.
    pub(in super::super) fn objects(&self) -> impl Iterator<Item = (&str, Members)> {
        self.0.iter().filter_map(|(name, raw)| Some((name.as_str(), Members::read(raw.get())?)))
    }
}
