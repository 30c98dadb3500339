//! Whether the schema of a tool's arguments can go as `strict`.

use serde_json::value::RawValue;

use crate::dialect::{Dialect, OPENAI_STRICT, lint};
use crate::schema::{Schema, is_openai_strict};

/// By OpenAI's own test, and only where OpenAI takes the schema at all.
pub(crate) fn for_openai(schema: &RawValue) -> bool {
    parse(schema).is_some_and(|schema| is_openai_strict(&schema) && lint(&schema, &OPENAI_STRICT).is_empty())
}

/// By the dialect alone, for providers without a test of that kind: with the flag they refuse a schema that their
/// grammar doesn't know, without it they show it to the model as it is.
pub(crate) fn for_dialect(schema: &RawValue, dialect: &Dialect) -> bool {
    parse(schema).is_some_and(|schema| lint(&schema, dialect).is_empty())
}

fn parse(schema: &RawValue) -> Option<Schema> {
    schema.get().parse().ok()
}
