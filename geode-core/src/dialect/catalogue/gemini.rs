//! Gemini.

use super::SAFE_INTEGER;
use crate::dialect::{Absence, Dialect, Limits, PatternLimits, References, RootRule};

/// Gemini's `responseJsonSchema` and `parametersJsonSchema`.
///
/// Keywords: the description of `response_json_schema` in Google's Gen AI SDK for Python 3.6, 2026-10. `const` and
/// `pattern` are not among them. References may have only `$…` keywords beside them.
pub static GEMINI: Dialect = Dialect {
    name: "GEMINI",
    provider: "Gemini",
    source: "Google Gen AI SDK for Python 3.6, response_json_schema, 2026-10",
    keywords: Some(&[
        "$id",
        "$ref",
        "$defs",
        "$anchor",
        "title",
        "description",
        "type",
        "enum",
        "format",
        "minimum",
        "maximum",
        "properties",
        "required",
        "additionalProperties",
        "propertyOrdering",
        "items",
        "prefixItems",
        "minItems",
        "maxItems",
        "anyOf",
        "oneOf",
    ]),
    ignored: &["$schema"],
    formats: None,
    number_formats: true,
    root: RootRule::Typed,
    closed: false,
    absence: Absence::Free,
    typed: false,
    anything: false,
    enum_of_type_list: true,
    references: References::Alone,
    recursion: true,
    beside_any_of: None,
    min_items: None,
    largest_limit: Some(SAFE_INTEGER),
    patterns: PatternLimits::NONE,
    any_case: false,
    limits: Limits { name_length: Some(64), ..Limits::NONE },
};
