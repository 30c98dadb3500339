//! OpenAI's strict test on the schema of a tool (R22).

use serde_json::Value;
use serde_json::value::RawValue;

/// Whether every object in the schema is closed and requires all of its properties.
pub(crate) fn is_openai_strict(schema: &RawValue) -> bool {
    serde_json::from_str::<Value>(schema.get()).is_ok_and(|schema| holds(&schema))
}

fn holds(schema: &Value) -> bool {
    let Value::Object(members) = schema else {
        return true;
    };
    if members.get("type").and_then(Value::as_str) == Some("object") {
        let closed = members.get("additionalProperties") == Some(&Value::Bool(false));
        let properties = members.get("properties").and_then(Value::as_object);
        let required = members.get("required").and_then(Value::as_array);
        let all = properties.map_or(0, serde_json::Map::len) == required.map_or(0, Vec::len)
            && required.into_iter().flatten().all(|name| {
                name.as_str().is_some_and(|name| properties.is_some_and(|properties| properties.contains_key(name)))
            });
        if !closed || !all {
            return false;
        }
    }
    members.iter().all(|(keyword, value)| match keyword.as_str() {
        "properties" | "$defs" => value.as_object().is_none_or(|schemas| schemas.values().all(holds)),
        "oneOf" | "anyOf" | "allOf" => value.as_array().is_none_or(|schemas| schemas.iter().all(holds)),
        "items" => holds(value),
        _ => true,
    })
}
