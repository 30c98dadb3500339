//! What a hand may write from habit: words of JSON Schema and of other derives, and ours for the same.

/// What to write instead of a word of others.
pub(super) fn ours(name: &str) -> Option<&'static str> {
    HABITS.iter().find(|(names, _)| names.contains(&name)).map(|(_, ours)| *ours)
}

const HABITS: &[(&[&str], &str)] = &[
    (&["min", "max"], "`range(min = …, max = …)` for a number, `length(…)` for text, `items(…)` for a list"),
    (&["minimum", "maximum", "ge", "le", "gte", "lte"], "`range(min = …, max = …)`"),
    (&["exclusive_minimum", "exclusive_maximum", "gt", "lt"], "`range(exclusive_min = …, exclusive_max = …)`"),
    (&["min_length", "max_length", "min_len", "max_len", "len"], "`length(min = …, max = …)`"),
    (&["min_items", "max_items"], "`items(min = …, max = …)`"),
    (&["unique", "unique_items"], "`items(unique)`"),
    (&["each", "elements", "item"], "`inner(…)` for rules of each element"),
    (&["regex", "matches"], "`pattern = \"…\"`"),
    (&["date", "date_time", "datetime", "time", "uuid", "uri", "ipv4", "ipv6", "hostname"], "`format = \"…\"`"),
    (&["desc", "doc", "docs", "help", "about"], "a doc comment, or `description = \"…\"`"),
    (&["enum", "values", "one_of", "enum_values"], "an enum, and make it the type of the field"),
    (&["optional", "nullable", "required"], "`Option<T>` for what may be `null`: every property is required"),
    (&["ignore", "skip_field"], "`skip`"),
    (&["strict", "additional_properties"], "nothing: every object is closed"),
    (&["validate", "constraint"], "its rules alone, or `check = path` for a function"),
];
