//! Every attribute word that the derive knows: in which namespaces, on which items, and how its value is written.

use proc_macro2::Span;

use super::habits;
use super::meta::Meta;
use crate::diag::{Sink, nearest};

/// An attribute namespace.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Namespace {
    Geode,
    Serde,
    Schemars,
    Validate,
    Garde,
}

impl Namespace {
    pub(crate) const ALL: [(&'static str, Namespace); 5] = [
        ("geode", Namespace::Geode),
        ("serde", Namespace::Serde),
        ("schemars", Namespace::Schemars),
        ("validate", Namespace::Validate),
        ("garde", Namespace::Garde),
    ];

    pub(crate) fn name(self) -> &'static str {
        Self::ALL.iter().find(|(_, namespace)| *namespace == self).map_or("", |(name, _)| name)
    }

    const fn bit(self) -> u8 {
        1 << self as u8
    }
}

/// What an attribute stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Level {
    Struct,
    Enum,
    Variant,
    Field,
}

impl Level {
    const fn bit(self) -> u8 {
        1 << self as u8
    }

    fn noun(self) -> &'static str {
        match self {
            Level::Struct => "a struct",
            Level::Enum => "an enum",
            Level::Variant => "a variant",
            Level::Field => "a field",
        }
    }
}

/// How the value of a word is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Grammar {
    /// An expression, a list in parentheses, or nothing.
    Open,
    /// A type, bare or in quotes.
    Type,
}

/// A row of the table.
struct Word {
    name: &'static str,
    namespaces: u8,
    levels: u8,
    grammar: Grammar,
}

const G: u8 = Namespace::Geode.bit();
const S: u8 = Namespace::Serde.bit();
const M: u8 = Namespace::Schemars.bit();
const V: u8 = Namespace::Validate.bit();
const R: u8 = Namespace::Garde.bit();
const STRUCT: u8 = Level::Struct.bit();
const ENUM: u8 = Level::Enum.bit();
const VARIANT: u8 = Level::Variant.bit();
const FIELD: u8 = Level::Field.bit();
const CONTAINER: u8 = STRUCT | ENUM;
const EVERY: u8 = CONTAINER | VARIANT | FIELD;

const fn word(name: &'static str, namespaces: u8, levels: u8) -> Word {
    Word { name, namespaces, levels, grammar: Grammar::Open }
}

const fn of_type(name: &'static str, namespaces: u8, levels: u8) -> Word {
    Word { name, namespaces, levels, grammar: Grammar::Type }
}

const WORDS: &[Word] = &[
    // naming and tagging
    word("rename", G | S | M, EVERY),
    word("rename_all", G | S | M, CONTAINER | VARIANT),
    word("rename_all_fields", G | S | M, ENUM),
    word("alias", G | S | M, VARIANT | FIELD),
    word("tag", G | S | M, CONTAINER),
    word("content", G | S | M, ENUM),
    word("untagged", G | S | M, ENUM | VARIANT),
    word("variant_identifier", S, ENUM),
    word("field_identifier", S, ENUM),
    // which fields, and how they stand
    word("flatten", G | S | M, FIELD),
    word("skip", G | S | M, VARIANT | FIELD),
    word("skip", R | V, FIELD),
    word("skip_serializing", S | M, VARIANT | FIELD),
    word("skip_deserializing", S | M, VARIANT | FIELD),
    word("skip_serializing_if", G | S | M, FIELD),
    word("default", G | S | M, STRUCT | FIELD),
    word("default", M, ENUM),
    word("transparent", G | S | M | R, STRUCT),
    word("deny_unknown_fields", G | S | M, CONTAINER),
    // what stands for the type
    of_type("from", G | S | M, CONTAINER),
    of_type("try_from", G | S | M, CONTAINER),
    of_type("into", G | S | M, CONTAINER),
    word("remote", S | M, CONTAINER),
    word("with", G, FIELD),
    of_type("with", S | M, VARIANT | FIELD),
    word("serialize_with", S | M, VARIANT | FIELD),
    word("deserialize_with", S | M, VARIANT | FIELD),
    word("schema_with", M, VARIANT | FIELD),
    word("getter", S | M, FIELD),
    word("plain", G, EVERY),
    word("as_string", G, FIELD),
    word("json_text", G, FIELD),
    word("schemars", G, FIELD),
    word("recursive", G, FIELD),
    // enums
    word("other", S, VARIANT),
    word("fallback", G, VARIANT),
    word("repr", G, ENUM),
    // documentation
    word("name", G, CONTAINER),
    word("title", G, CONTAINER),
    word("title", M, EVERY),
    word("description", G | M, EVERY),
    word("example", G | M, EVERY),
    word("examples", G, EVERY),
    word("deprecated", M, EVERY),
    // constraints
    word("range", G | M | V | R, STRUCT | VARIANT | FIELD),
    word("multiple_of", G, STRUCT | VARIANT | FIELD),
    word("length", G | M | V | R, STRUCT | VARIANT | FIELD),
    word("pattern", G | M | R, STRUCT | VARIANT | FIELD),
    word("regex", M | V, FIELD),
    word("format", G, STRUCT | VARIANT | FIELD),
    word("email", G | M | V | R, STRUCT | VARIANT | FIELD),
    word("url", G | M | V | R, STRUCT | VARIANT | FIELD),
    word("ip", M | V | R, FIELD),
    word("ipv4", R, FIELD),
    word("ipv6", R, FIELD),
    word("items", G, STRUCT | VARIANT | FIELD),
    word("inner", G | M | R, STRUCT | VARIANT | FIELD),
    word("const", G, STRUCT | VARIANT | FIELD),
    word("required", M | V | R, FIELD),
    word("contains", M | V | R, FIELD),
    word("does_not_contain", V, FIELD),
    word("prefix", R, FIELD),
    word("suffix", R, FIELD),
    word("ascii", R, FIELD),
    word("alphanumeric", R, FIELD),
    word("credit_card", V | R, FIELD),
    word("phone_number", R, FIELD),
    word("matches", R, FIELD),
    word("must_match", V, FIELD),
    word("non_control_character", V, FIELD),
    word("custom", V | R, CONTAINER | FIELD),
    word("custom", R, VARIANT),
    word("schema", V, CONTAINER),
    word("nest", V, CONTAINER),
    word("nested", V, FIELD),
    word("dive", R, FIELD),
    word("code", R, FIELD),
    word("context", R, CONTAINER),
    word("context", V, CONTAINER),
    word("allow_unvalidated", R, CONTAINER),
    // the contract as a whole
    word("version", G, STRUCT),
    word("versions", G, ENUM),
    word("try_latest", G, ENUM),
    word("check", G, CONTAINER),
    // the derive itself
    word("crate", G | S | M | V | R, CONTAINER),
    word("json_schema", G, CONTAINER),
    word("hot", G, STRUCT),
    word("bound", G | S | M, EVERY),
    word("borrow", S, VARIANT | FIELD),
    word("expecting", S, CONTAINER),
    word("inline", M, CONTAINER),
    word("transform", M, EVERY),
    word("extend", M, EVERY),
];

/// How the value of a word is written; unknown words are open.
pub(crate) fn grammar(namespace: Namespace, name: &str) -> Grammar {
    let found = WORDS.iter().find(|word| word.name == name && word.namespaces & namespace.bit() != 0);
    found.map_or(Grammar::Open, |word| word.grammar)
}

/// Whether the word may stand here; records what is wrong where it may not.
pub(crate) fn allowed(meta: &Meta, level: Level, sink: &Sink) -> bool {
    let (namespace, name) = (meta.namespace, meta.name.as_str());
    let in_namespace = |word: &&Word| word.namespaces & namespace.bit() != 0;
    let rows = || WORDS.iter().filter(in_namespace).filter(|word| word.name == name);
    if rows().any(|word| word.levels & level.bit() != 0) {
        return true;
    }
    let place = meta.span;
    if let Some(row) = rows().next() {
        let levels = [Level::Struct, Level::Enum, Level::Variant, Level::Field];
        let nouns: Vec<&str> =
            levels.iter().filter(|level| row.levels & level.bit() != 0).map(|level| level.noun()).collect();
        let (here, there) = (level.noun(), nouns.join(" or "));
        sink.error(place, format!("`{name}` doesn't apply to {here}\nhelp: it belongs on {there}"));
    } else {
        unknown(namespace, name, level, place, sink);
    }
    false
}

fn unknown(namespace: Namespace, name: &str, level: Level, place: Span, sink: &Sink) {
    let here = |word: &&Word| word.namespaces & namespace.bit() != 0 && word.levels & level.bit() != 0;
    let label = namespace.name();
    let message = format!("unknown word `{name}` in `#[{label}(…)]`");
    let known = || WORDS.iter().filter(here).map(|word| word.name);
    let elsewhere = WORDS.iter().any(|word| word.name == name && word.namespaces & G != 0);
    let habit = if namespace == Namespace::Geode { habits::ours(name) } else { None };
    let message = match (habit, nearest(name, known())) {
        (Some(ours), _) => format!("{message}\nhelp: write {ours}"),
        (None, Some(near)) => format!("{message}\nhelp: did you mean `{near}`?"),
        (None, None) if elsewhere => format!("{message}\nhelp: write `#[geode({name})]`"),
        (None, None) if namespace == Namespace::Geode => {
            let known: Vec<&str> = known().collect();
            format!("{message}\nhelp: the words on {} are `{}`", level.noun(), known.join("`, `"))
        }
        (None, None) => format!("{message}\nhelp: the derive reads each word, so that nothing is lost in silence"),
    };
    sink.error(place, message);
}
