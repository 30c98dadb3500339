//! YAML by `serde-saphyr`, whose `Spanned` tells where each value stands.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;
use serde_saphyr::Spanned;

use super::ConfigError;
use super::node::{Entry, Kind, Node};

/// Most parts that aliases may write out: lists of aliases of lists of aliases grow without measure.
const MOST_REPLAYED: usize = 10_000;

/// Stack for the reader. It recurses as deep as the text is nested, which is 64 levels at most; a level takes over 32 KiB
/// in a build without optimization, more than a task's or a test's thread has.
const STACK: usize = 8 * 1024 * 1024;

/// Reads a text, on a thread of its own.
pub(super) fn read(text: &str) -> Result<Node, ConfigError> {
    let thread = std::thread::Builder::new().name("yaml".to_owned()).stack_size(STACK);
    std::thread::scope(|scope| {
        let reader = thread
            .spawn_scoped(scope, || parse(text))
            .map_err(|error| ConfigError::one("", 0, format!("there is no thread to read it on: {error}")))?;
        reader.join().unwrap_or_else(|_| Err(ConfigError::one("", 0, "the YAML reader gave up on it")))
    })
}

fn parse(text: &str) -> Result<Node, ConfigError> {
    let options = serde_saphyr::options! {
        alias_limits: serde_saphyr::alias_limits! { max_total_replayed_events: MOST_REPLAYED },
    };
    let read: Spanned<Read> = serde_saphyr::from_str_with_options(text, options).map_err(|error| {
        let line = error.location().map_or(0, |location| usize::try_from(location.line()).unwrap_or(0));
        let reason = error.to_string();
        // "error: line 1 column 7: what is wrong", and a picture of the place
        let reason = reason.lines().next().unwrap_or("the text is no YAML").trim_start_matches("error: ");
        ConfigError::one("", line, reason.trim_start_matches(&format!("line {line} ")))
    })?;
    Ok(node(read))
}

/// What stands at one place.
enum Read {
    Scalar(Value),
    List(Vec<Spanned<Read>>),
    Map(Vec<(Spanned<String>, Spanned<Read>)>),
}

fn node(read: Spanned<Read>) -> Node {
    let line = line(&read);
    let kind = match read.value {
        Read::Scalar(value) => Kind::Scalar(value),
        Read::List(items) => Kind::List(items.into_iter().map(node).collect()),
        Read::Map(members) => Kind::Map(
            members
                .into_iter()
                .map(|(key, value)| Entry { line: self::line(&key), key: key.value, value: node(value) })
                .collect(),
        ),
    };
    Node { line, kind }
}

fn line<T>(spanned: &Spanned<T>) -> usize {
    usize::try_from(spanned.referenced.line()).unwrap_or(0)
}

impl<'de> Deserialize<'de> for Read {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(Any)
    }
}

struct Any;

impl<'de> Visitor<'de> for Any {
    type Value = Read;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("any value")
    }

    fn visit_unit<E>(self) -> Result<Read, E> {
        Ok(Read::Scalar(Value::Null))
    }

    fn visit_none<E>(self) -> Result<Read, E> {
        Ok(Read::Scalar(Value::Null))
    }

    fn visit_bool<E>(self, value: bool) -> Result<Read, E> {
        Ok(Read::Scalar(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Read, E> {
        Ok(Read::Scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Read, E> {
        Ok(Read::Scalar(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Read, E> {
        Ok(Read::Scalar(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Read, E> {
        Ok(Read::Scalar(value.into()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Read, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Read::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut members: A) -> Result<Read, A::Error> {
        let mut map = Vec::new();
        while let Some(member) = members.next_entry()? {
            map.push(member);
        }
        Ok(Read::Map(map))
    }
}
