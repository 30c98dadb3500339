//! JSON Schema as it is, and what stands close to it.

use crate::dialect::{Absence, Dialect, Limits, PatternLimits, References, RootRule};

/// JSON Schema draft 2020-12 as it is: no keyword is left out.
pub static PLAIN: Dialect = Dialect {
    name: "PLAIN",
    provider: "JSON Schema",
    source: "JSON Schema draft 2020-12",
    keywords: None,
    ignored: &[],
    formats: None,
    number_formats: true,
    root: RootRule::Any,
    closed: false,
    absence: Absence::Free,
    typed: false,
    anything: true,
    enum_of_type_list: true,
    references: References::Free,
    recursion: true,
    beside_any_of: None,
    min_items: None,
    largest_limit: None,
    patterns: PatternLimits::NONE,
    any_case: false,
    limits: Limits::NONE,
};

/// The form that our own types have on the wire: what schemas of others' types are brought into. No provider's.
#[cfg(feature = "schemars")]
pub(in crate::dialect) static CANONICAL: Dialect = Dialect {
    name: "CANONICAL",
    provider: "geode",
    source: "DESIGN.md, \"The canonical wire form\"",
    keywords: Some(&["anyOf"]),
    ignored: &[],
    formats: None,
    number_formats: true,
    root: RootRule::Any,
    closed: true,
    absence: Absence::Never,
    typed: false,
    anything: true,
    enum_of_type_list: false,
    references: References::Free,
    recursion: true,
    beside_any_of: Some(&["title", "description", "default", "examples", "$defs", "definitions"]),
    min_items: None,
    largest_limit: None,
    patterns: PatternLimits::NONE,
    any_case: false,
    limits: Limits::NONE,
};

/// A tool's schema as a hint: JSON Schema as it is, but for the root. OpenAI and Anthropic refuse a tool whose root is a
/// choice, a reference or a list of values, strict or not: error texts of both live services of 2025 and 2026.
#[cfg(feature = "client")]
pub(crate) static TOOL_HINT: Dialect = Dialect {
    name: "TOOL_HINT",
    provider: "the provider",
    source: "error texts of OpenAI and Anthropic, 2026",
    root: RootRule::Object,
    ..PLAIN
};
