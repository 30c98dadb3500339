//! Doc comments to descriptions.

use syn::{Attribute, Meta};

use super::meta::string;

/// The text of the doc comments, paragraphs and line breaks kept, the common indent removed.
pub(crate) fn text(attributes: &[Attribute]) -> Option<String> {
    let mut lines = Vec::new();
    for attribute in attributes {
        if let Meta::NameValue(pair) = &attribute.meta
            && pair.path.is_ident("doc")
            && let Some(line) = string(&pair.value)
        {
            lines.extend(line.value().split('\n').map(str::to_owned));
        }
    }
    let indent = |line: &String| line.len() - line.trim_start_matches(' ').len();
    let common = lines.iter().filter(|line| !line.trim().is_empty()).map(indent).min().unwrap_or(0);
    let lines = lines.iter().map(|line| line.get(common..).unwrap_or("").trim_end());
    let text = lines.collect::<Vec<_>>().join("\n");
    let text = text.trim_matches('\n');
    (!text.is_empty()).then(|| text.to_owned())
}
