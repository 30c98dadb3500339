//! References that lead out of the document.

use serde_json::Value;

use crate::schema::{Schema, SchemaError, join};

/// Refuses every `$ref` and `$dynamicRef` that leads out of the document.
pub(super) fn refuse_external_references(schema: &Schema, pointer: &str) -> Result<(), SchemaError> {
    let Some(node) = schema.node() else { return Ok(()) };
    refuse_external(node.reference.as_deref(), &format!("{pointer}/$ref"))?;
    for (keyword, value) in &node.other {
        let pointer = join(pointer, keyword);
        if keyword == "$dynamicRef" || keyword == "$recursiveRef" {
            refuse_external(value.as_str(), &pointer)?;
        }
        refuse_external_in(value, &pointer)?;
    }
    node.children()
        .into_iter()
        .try_for_each(|(token, child)| refuse_external_references(child, &format!("{pointer}{token}")))
}

/// The same in keywords that the tree doesn't know, which may hold schemas (`not`, `if`).
fn refuse_external_in(value: &Value, pointer: &str) -> Result<(), SchemaError> {
    match value {
        Value::Object(members) => members.iter().try_for_each(|(key, value)| {
            let pointer = join(pointer, key);
            if key == "$ref" || key == "$dynamicRef" {
                refuse_external(value.as_str(), &pointer)?;
            }
            refuse_external_in(value, &pointer)
        }),
        Value::Array(items) => items
            .iter()
            .enumerate()
            .try_for_each(|(index, item)| refuse_external_in(item, &format!("{pointer}/{index}"))),
        _ => Ok(()),
    }
}

fn refuse_external(reference: Option<&str>, pointer: &str) -> Result<(), SchemaError> {
    match reference {
        Some(reference) if !reference.starts_with('#') => Err(SchemaError {
            pointer: pointer.to_owned(),
            reason: format!("{reference:?} leads out of the document; move what it names into `$defs`"),
        }),
        _ => Ok(()),
    }
}
