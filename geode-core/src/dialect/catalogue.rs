//! The dialects.

use super::facts::{Absence, Dialect, Limits, PatternLimits, References, RootRule};

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
pub(super) static CANONICAL: Dialect = Dialect {
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

/// 2^53 - 1: the largest whole number that every JSON reader keeps exact (RFC 8259, section 6).
const SAFE_INTEGER: i128 = 9_007_199_254_740_991;

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

/// The `--json-schema` option of the `claude` command: Ajv for draft-07 in strict mode, which refuses every keyword that
/// it doesn't know.
///
/// Observed with version 2.1.332, 2026-11: 2020-12's own keywords are refused, references may have siblings, recursion
/// works, formats are not checked. The schema is the input of a tool, so that only an object can answer it.
pub static CLAUDE_CLI: Dialect = Dialect {
    name: "CLAUDE_CLI",
    provider: "the claude command",
    source: "claude 2.1.332, observed 2026-11",
    keywords: Some(&[
        "$id",
        "$comment",
        "$ref",
        "$defs",
        "definitions",
        "title",
        "description",
        "default",
        "examples",
        "readOnly",
        "writeOnly",
        "deprecated",
        "nullable",
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
        "patternProperties",
        "propertyNames",
        "minProperties",
        "maxProperties",
        "items",
        "minItems",
        "maxItems",
        "uniqueItems",
        "contains",
        "anyOf",
        "oneOf",
        "allOf",
        "not",
        "if",
        "then",
        "else",
    ]),
    ignored: &[],
    formats: None,
    number_formats: true,
    root: RootRule::Object,
    closed: false,
    absence: Absence::Free,
    typed: false,
    anything: true,
    enum_of_type_list: true,
    references: References::Free,
    recursion: true,
    beside_any_of: None,
    min_items: None,
    largest_limit: Some(SAFE_INTEGER),
    patterns: PatternLimits::NONE,
    any_case: false,
    limits: Limits::NONE,
};

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

/// Every dialect, `PLAIN` first.
pub static ALL: [&Dialect; 7] = [&PLAIN, &OPENAI_STRICT, &ANTHROPIC, &GEMINI, &BEDROCK, &CLAUDE_CLI, &LOCAL];

/// The dialect of that name, in any case, with `-` or `_`; `openai` stands for `OPENAI_STRICT`.
pub fn find(name: &str) -> Option<&'static Dialect> {
    let name = name.replace('-', "_").to_ascii_uppercase();
    ALL.into_iter().find(|dialect| dialect.name == name || dialect.name.strip_suffix("_STRICT") == Some(name.as_str()))
}
