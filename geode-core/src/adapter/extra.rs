//! Further members of a request body (`Request::extra`), merged into what the adapter wrote.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde_json::Value;
use serde_json::value::RawValue;

/// Merges members into an object: objects merge member by member, anything else replaces what stood there. The order
/// of what stood there is kept, since the order of a schema's properties is the order of the answer's.
pub(crate) fn merge(body: Vec<u8>, extra: &BTreeMap<String, Value>) -> Result<Vec<u8>, serde_json::Error> {
    if extra.is_empty() {
        return Ok(body);
    }
    let members: Members<'_> = serde_json::from_slice(&body)?;
    let mut merged = Vec::with_capacity(body.len() + 64);
    write_object(&members, extra.iter(), extra.len(), &mut merged)?;
    Ok(merged)
}

fn write_object<'a>(
    members: &Members<'_>,
    extra: impl Iterator<Item = (&'a String, &'a Value)> + Clone,
    count: usize,
    out: &mut Vec<u8>,
) -> Result<(), serde_json::Error> {
    let mut added = 0;
    out.push(b'{');
    for (index, (name, value)) in members.0.iter().enumerate() {
        if index > 0 {
            out.push(b',');
        }
        serde_json::to_writer(&mut *out, name)?;
        out.push(b':');
        let replacement = extra.clone().find(|(key, _)| *key == name).map(|(_, value)| value);
        added += usize::from(replacement.is_some());
        match replacement {
            Some(Value::Object(inner)) if value.get().starts_with('{') => {
                write_object(&serde_json::from_str(value.get())?, inner.iter(), inner.len(), out)?;
            }
            Some(replacement) => serde_json::to_writer(&mut *out, replacement)?,
            None => out.extend_from_slice(value.get().as_bytes()),
        }
    }
    if added < count {
        for (name, value) in extra.filter(|(key, _)| !members.0.iter().any(|(name, _)| name == *key)) {
            if !out.ends_with(b"{") {
                out.push(b',');
            }
            serde_json::to_writer(&mut *out, name)?;
            out.push(b':');
            serde_json::to_writer(&mut *out, value)?;
        }
    }
    out.push(b'}');
    Ok(())
}

/// An object's members in their order, values as text.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de: 'a, 'a> serde::Deserialize<'de> for Members<'a> {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> serde::de::Visitor<'de> for Visit {
            type Value = Members<'de>;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: serde::de::MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visit)
    }
}
