//! JSON text that stands in a string, where a value of another type was due.

use serde::de::IgnoredAny;

/// The JSON text in the string that `json` begins with, and the string's length. `None` where it begins with no string,
/// or with one that holds no JSON, or another string.
pub(crate) fn held_json(json: &str) -> Option<(usize, String)> {
    let mut strings = serde_json::Deserializer::from_str(json).into_iter::<String>();
    let inside = strings.next()?.ok()?;
    let is_json = serde_json::from_str::<IgnoredAny>(&inside).is_ok();
    (is_json && !inside.trim_start().starts_with('"')).then(|| (strings.byte_offset(), inside))
}
