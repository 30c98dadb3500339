//! Doc comments to descriptions.

use syn::{Attribute, Expr, Meta};

use super::literal::string;

/// The text of the doc comments, paragraphs and line breaks kept, the common indent removed.
pub(crate) fn text(attributes: &[Attribute]) -> Option<String> {
    let mut lines = Vec::new();
    for attribute in attributes {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let Some(text) = string(&pair.value)
        {
            lines.extend(undecorated(&text.value()));
        }
    }
    let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let common = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let lines = lines.iter().map(|line| line.get(common..).unwrap_or("").trim_end());
    let text = lines.collect::<Vec<_>>().join("\n");
    let text = text.trim_matches('\n');
    (!text.is_empty()).then(|| text.to_owned())
}

/// The lines of one doc comment, without the column of stars of a block comment, as rustdoc drops it.
fn undecorated(text: &str) -> Vec<String> {
    let lines = text.split('\n');
    let star = |line: &str| {
        let starred = line.trim_start_matches([' ', '\t']);
        starred.starts_with('*').then(|| line.len() - starred.len())
    };
    let mut stars = lines.clone().skip(1).filter(|line| !line.trim().is_empty()).map(star);
    // a star at the margin is an item of a list
    let decorated = matches!(stars.next(), Some(Some(column)) if column > 0 && stars.all(|star| star == Some(column)));
    let bare = |(index, line): (usize, &str)| match line.trim_start().strip_prefix('*') {
        Some(bare) if decorated && index > 0 => bare.to_owned(),
        _ => line.to_owned(),
    };
    lines.enumerate().map(bare).collect()
}

/// Doc comments that are no literal: they are text only once macros are expanded, and a derive comes before that.
pub(super) fn unread(attributes: &[Attribute]) -> impl Iterator<Item = &Expr> {
    attributes.iter().filter_map(|attribute| match &attribute.meta {
        Meta::NameValue(pair) if pair.path.is_ident("doc") && string(&pair.value).is_none() => Some(&pair.value),
        _ => None,
    })
}
