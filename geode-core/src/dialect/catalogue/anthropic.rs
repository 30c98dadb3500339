//! Anthropic's models, by its own API and by Bedrock.

use super::SAFE_INTEGER;
use crate::dialect::{Absence, Dialect, Limits, PatternLimits, References, RootRule};

/// What Anthropic's grammar compiler takes in a pattern: its guide "Structured outputs", as of 2026-09. How large a
/// count may be is not stated; 100 is our reading of "large".
const ANTHROPIC_PATTERNS: PatternLimits =
    PatternLimits { lookaround: false, backreferences: false, word_boundaries: false, repetition: Some(100) };

/// String formats that Anthropic and Bedrock take: Anthropic's guide "Structured outputs", as of 2026-09, each confirmed
/// by recorded exchanges of 2026.
const ANTHROPIC_FORMATS: &[&str] =
    &["date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"];

/// Anthropic's `output_config.format` and strict tools.
///
/// Subset: Anthropic's guide "Structured outputs", as of 2026-09, and error texts of the live service of 2026-09. A
/// request may hold 24 optional properties and 16 unions, says the guide; recorded exchanges of 2026 show a single
/// schema refused as too complex when it reaches either number, hence 23 and 15.
pub static ANTHROPIC: Dialect = Dialect {
    name: "ANTHROPIC",
    provider: "Anthropic",
    source: "Anthropic guide \"Structured outputs\", 2026-09",
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
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "anyOf",
        "allOf",
    ]),
    ignored: &["$schema", "$id", "default"],
    formats: Some(ANTHROPIC_FORMATS),
    number_formats: false,
    root: RootRule::Object,
    closed: true,
    absence: Absence::Budget,
    typed: false,
    anything: false,
    enum_of_type_list: false,
    references: References::Alone,
    recursion: false,
    beside_any_of: Some(&["title", "description", "$defs", "definitions"]),
    min_items: Some(1),
    largest_limit: Some(SAFE_INTEGER),
    patterns: ANTHROPIC_PATTERNS,
    any_case: true,
    limits: Limits { optional: Some(23), unions: Some(15), name_length: Some(64), ..Limits::NONE },
};

/// Amazon Bedrock's Converse `outputConfig` and strict tools.
///
/// Subset: Bedrock's user guide "Structured outputs", as of 2026-10: Anthropic's, with the length keywords of strings.
pub static BEDROCK: Dialect = Dialect {
    name: "BEDROCK",
    provider: "Bedrock",
    source: "Amazon Bedrock user guide \"Structured outputs\", 2026-10",
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
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "anyOf",
    ]),
    ignored: &[],
    formats: Some(ANTHROPIC_FORMATS),
    number_formats: false,
    root: RootRule::Object,
    closed: true,
    absence: Absence::Free,
    typed: false,
    anything: false,
    enum_of_type_list: false,
    references: References::Alone,
    recursion: false,
    beside_any_of: Some(&["title", "description", "$defs", "definitions"]),
    min_items: Some(1),
    largest_limit: Some(SAFE_INTEGER),
    patterns: ANTHROPIC_PATTERNS,
    any_case: false,
    limits: Limits { name_length: Some(64), ..Limits::NONE },
};
