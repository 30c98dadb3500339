//! Engines on one's own machines.

use super::SAFE_INTEGER;
use crate::dialect::{Absence, Dialect, Limits, PatternLimits, References, RootRule};

/// Engines that run on one's own machines: llama.cpp, Ollama, vLLM.
///
/// Their grammars differ and leave in silence what they don't know; this is what they share as of 2026-11: no `const`,
/// no references but for recursion, no patterns, no formats.
pub static LOCAL: Dialect = Dialect {
    name: "LOCAL",
    provider: "a local engine",
    source: "llama.cpp, Ollama and vLLM issue trackers, 2026-11",
    keywords: Some(&[
        "$ref",
        "$defs",
        "title",
        "description",
        "type",
        "enum",
        "minLength",
        "maxLength",
        "minimum",
        "maximum",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "minItems",
        "maxItems",
        "anyOf",
    ]),
    ignored: &["$schema", "format"],
    formats: None,
    number_formats: true,
    root: RootRule::Object,
    closed: true,
    absence: Absence::Free,
    typed: true,
    anything: false,
    enum_of_type_list: true,
    references: References::RecursionOnly,
    recursion: true,
    beside_any_of: None,
    min_items: None,
    largest_limit: Some(SAFE_INTEGER),
    patterns: PatternLimits::NONE,
    any_case: false,
    limits: Limits { name_length: Some(64), ..Limits::NONE },
};
