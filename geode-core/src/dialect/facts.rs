//! What is known of a dialect.

/// Which part of JSON Schema a provider takes: facts only. What follows from them is decided in one place each, by
/// [`lower`](super::lower) and [`lint`](super::lint).
#[derive(Debug)]
#[non_exhaustive]
pub struct Dialect {
    /// Name, as `geode::assert_fits!` and the command line take it: `OPENAI_STRICT`.
    pub name: &'static str,
    /// Who says so, in messages: `OpenAI`.
    pub provider: &'static str,
    /// Where these facts are from, and as of when.
    pub source: &'static str,
    /// Keywords that are taken and put on the wire. `None`: all.
    pub keywords: Option<&'static [&'static str]>,
    /// Keywords that are let pass and mean nothing.
    pub ignored: &'static [&'static str],
    /// Formats that are taken. `None`: all.
    pub formats: Option<&'static [&'static str]>,
    /// Whether a format on a number is let pass, whatever it is.
    pub number_formats: bool,
    /// What the root must be.
    pub root: RootRule,
    /// Whether every object must be closed.
    pub closed: bool,
    /// What may be absent, and how `Option` is spelled.
    pub absence: Absence,
    /// Whether each schema must have a `type` of its own, unless it is an `anyOf` or a reference.
    pub typed: bool,
    /// Whether a schema without any constraint, `{}` or `true`, is taken.
    pub anything: bool,
    /// Whether `enum` may stand beside a list of types.
    pub enum_of_type_list: bool,
    /// How references stand.
    pub references: References,
    /// Whether a definition may contain itself.
    pub recursion: bool,
    /// Keywords that may stand beside `anyOf`. `None`: all.
    pub beside_any_of: Option<&'static [&'static str]>,
    /// Largest `minItems` that is taken.
    pub min_items: Option<u64>,
    /// Largest whole number, without its sign, that may stand as a limit: beyond it a number is not safe in every JSON
    /// reader.
    pub largest_limit: Option<i128>,
    /// What a pattern may not use.
    pub patterns: PatternLimits,
    /// Whether names of enum values and tags may come back in another case.
    pub any_case: bool,
    /// Sizes.
    pub limits: Limits,
}

/// What the root of a schema must be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RootRule {
    /// Anything.
    Any,
    /// Anything with a `type`.
    Typed,
    /// An object, by `type`, that is no union.
    Object,
}

/// What may be absent from an object, and how `Option` is spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Absence {
    /// Nothing must be required. `Option` is nullable.
    Free,
    /// Every property must be required. `Option` is nullable.
    Never,
    /// Properties may be absent. `Option` is an absent property as far as [`Limits::optional`] goes, then nullable as far
    /// as [`Limits::unions`] goes.
    Budget,
}

/// How a reference to a definition stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum References {
    /// With anything beside it.
    Free,
    /// Alone in its object. Words about the place go around it, into an `anyOf` of one.
    Wrapped,
    /// Alone in its object. Where there are words about the place, the definition stands in its place.
    Alone,
    /// Only where a definition contains itself; every other one stands in its place.
    RecursionOnly,
}

/// What a pattern may not use.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PatternLimits {
    /// Whether `(?=`, `(?!`, `(?<=` and `(?<!` are taken.
    pub lookaround: bool,
    /// Whether `\1` and `\k<name>` are taken.
    pub backreferences: bool,
    /// Whether `\b` and `\B` are taken.
    pub word_boundaries: bool,
    /// Largest count in `{n,m}`.
    pub repetition: Option<u32>,
}

impl PatternLimits {
    /// No limit.
    pub const NONE: PatternLimits =
        PatternLimits { lookaround: true, backreferences: true, word_boundaries: true, repetition: None };
}

/// Sizes that a schema may not exceed. `None`: no limit is known.
#[derive(Debug, Clone, Copy)]
pub struct Limits {
    /// Levels of objects within objects, the root being the first; each definition counts by itself.
    pub depth: Option<usize>,
    /// Properties of all objects together.
    pub properties: Option<usize>,
    /// Values of all enums together.
    pub enum_values: Option<usize>,
    /// Characters of all property names, definition names, enum values and constants together.
    pub name_characters: Option<usize>,
    /// Number of string values from which [`large_enum_characters`](Self::large_enum_characters) holds for one enum.
    pub large_enum: Option<usize>,
    /// Characters of all values of one large enum.
    pub large_enum_characters: Option<usize>,
    /// Properties that may be absent.
    pub optional: Option<usize>,
    /// Schemas that are an `anyOf` or have a list of types.
    pub unions: Option<usize>,
    /// Characters of a schema's name.
    pub name_length: Option<usize>,
}

impl Limits {
    /// No limit.
    pub const NONE: Limits = Limits {
        depth: None,
        properties: None,
        enum_values: None,
        name_characters: None,
        large_enum: None,
        large_enum_characters: None,
        optional: None,
        unions: None,
        name_length: None,
    };
}

impl Dialect {
    /// Whether the keyword is put on the wire.
    pub fn takes(&self, keyword: &str) -> bool {
        self.keywords.is_none_or(|keywords| keywords.contains(&keyword))
    }

    /// Whether the format is put on the wire.
    pub fn takes_format(&self, format: &str) -> bool {
        self.takes("format") && self.formats.is_none_or(|formats| formats.contains(&format))
    }
}
