//! `rename_all`: serde's eight case rules, to the letter.
//!
//! serde converts a field on the assumption that it is `snake_case` and a variant on the assumption that it is
//! `PascalCase`, byte by byte and without looking at what the name really is. A friendlier conversion would make the
//! schema and a serde derive on the same type disagree.

#[cfg(test)]
mod tests;

/// A case rule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Case {
    Lower,
    Upper,
    Pascal,
    Camel,
    Snake,
    ScreamingSnake,
    Kebab,
    ScreamingKebab,
}

/// The rules by serde's names for them.
pub(crate) const CASES: [(&str, Case); 8] = [
    ("lowercase", Case::Lower),
    ("UPPERCASE", Case::Upper),
    ("PascalCase", Case::Pascal),
    ("camelCase", Case::Camel),
    ("snake_case", Case::Snake),
    ("SCREAMING_SNAKE_CASE", Case::ScreamingSnake),
    ("kebab-case", Case::Kebab),
    ("SCREAMING-KEBAB-CASE", Case::ScreamingKebab),
];

impl Case {
    /// The rule of that name.
    pub(crate) fn named(name: &str) -> Option<Case> {
        CASES.iter().find(|(known, _)| *known == name).map(|(_, case)| *case)
    }

    /// The wire name of a field.
    pub(crate) fn field(self, name: &str) -> String {
        match self {
            Case::Lower | Case::Snake => name.to_owned(),
            Case::Upper | Case::ScreamingSnake => name.to_ascii_uppercase(),
            Case::Pascal => pascal(name),
            Case::Camel => uncapitalised(&pascal(name)),
            Case::Kebab => name.replace('_', "-"),
            Case::ScreamingKebab => name.to_ascii_uppercase().replace('_', "-"),
        }
    }

    /// The wire name of a variant.
    pub(crate) fn variant(self, name: &str) -> String {
        match self {
            Case::Pascal => name.to_owned(),
            Case::Lower => name.to_ascii_lowercase(),
            Case::Upper => name.to_ascii_uppercase(),
            Case::Camel => uncapitalised(name),
            Case::Snake => snake(name),
            Case::ScreamingSnake => snake(name).to_ascii_uppercase(),
            Case::Kebab => snake(name).replace('_', "-"),
            Case::ScreamingKebab => snake(name).to_ascii_uppercase().replace('_', "-"),
        }
    }
}

/// Drops underscores and capitalises what follows each.
fn pascal(name: &str) -> String {
    let mut out = String::with_capacity(name.len());
    let mut capital = true;
    for c in name.chars() {
        if c == '_' {
            capital = true;
        } else if capital {
            out.push(c.to_ascii_uppercase());
            capital = false;
        } else {
            out.push(c);
        }
    }
    out
}

/// Puts an underscore before each capital but the first.
fn snake(name: &str) -> String {
    let mut out = String::with_capacity(name.len() + 4);
    for (i, c) in name.char_indices() {
        if i > 0 && c.is_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

/// The name with a small first letter.
fn uncapitalised(name: &str) -> String {
    let mut chars = name.chars();
    match chars.next() {
        Some(first) => first.to_ascii_lowercase().to_string() + chars.as_str(),
        None => String::new(),
    }
}
