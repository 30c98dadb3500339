//! Where two JSON values differ, by JSON Pointer.

use serde_json::Value;

/// One line a difference: `/model: "a" became "b"`.
pub(super) fn differences(old: &Value, new: &Value) -> Vec<String> {
    let mut found = Vec::new();
    compare("", old, new, &mut found);
    found
}

fn compare(pointer: &str, old: &Value, new: &Value, found: &mut Vec<String>) {
    match (old, new) {
        (Value::Object(old), Value::Object(new)) => {
            for (key, value) in old {
                let below = format!("{pointer}/{}", escape(key));
                match new.get(key) {
                    Some(other) => compare(&below, value, other, found),
                    None => found.push(format!("{below}: gone")),
                }
            }
            for key in new.keys().filter(|key| !old.contains_key(*key)) {
                found.push(format!("{pointer}/{}: new", escape(key)));
            }
        }
        (Value::Array(old), Value::Array(new)) if old.len() == new.len() => {
            for (index, (value, other)) in old.iter().zip(new).enumerate() {
                compare(&format!("{pointer}/{index}"), value, other, found);
            }
        }
        _ if old == new => {}
        _ => found.push(format!("{pointer}: {} became {}", excerpt(old), excerpt(new))),
    }
}

fn escape(key: &str) -> String {
    key.replace('~', "~0").replace('/', "~1")
}

fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(120) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
