//! OpenAI.

use super::SAFE_INTEGER;
use crate::dialect::{Absence, Dialect, Limits, PatternLimits, References, RootRule};

/// OpenAI's strict structured outputs, the same for `text.format`, `response_format` and function tools.
///
/// Subset, limits and error texts: OpenAI's guide "Structured model outputs", section "Supported schemas", as of
/// 2026-10; the length keywords are not in its list and were accepted by the live service in 2026. Formats on numbers
/// (`int64`, `double`) and `$schema` were accepted by the live service in recorded exchanges of 2026.
pub static OPENAI_STRICT: Dialect = Dialect {
    name: "OPENAI_STRICT",
    provider: "OpenAI",
    source: "OpenAI guide \"Structured model outputs\", 2026-10",
    keywords: Some(&[
        "$ref",
        "$defs",
        "definitions",
        "title",
        "description",
        "type",
        "enum",
        "const",
        "format",
        "pattern",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "maxItems",
        "anyOf",
    ]),
    ignored: &["$schema"],
    formats: Some(&["date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"]),
    number_formats: true,
    root: RootRule::Object,
    closed: true,
    absence: Absence::Never,
    typed: true,
    anything: false,
    enum_of_type_list: true,
    references: References::Wrapped,
    recursion: true,
    beside_any_of: None,
    min_items: None,
    largest_limit: Some(SAFE_INTEGER),
    patterns: PatternLimits { lookaround: false, ..PatternLimits::NONE },
    any_case: false,
    limits: Limits {
        depth: Some(10),
        properties: Some(5_000),
        enum_values: Some(1_000),
        name_characters: Some(120_000),
        large_enum: Some(250),
        large_enum_characters: Some(15_000),
        name_length: Some(64),
        ..Limits::NONE
    },
};
