//! OpenAI's strict test on the schema of a tool (R22).

use serde_json::value::RawValue;

use crate::schema::{self, Schema};

/// Whether every object in the schema is closed and requires all of its properties.
pub(crate) fn is_openai_strict(text: &RawValue) -> bool {
    text.get().parse::<Schema>().is_ok_and(|schema| schema::is_openai_strict(&schema))
}
