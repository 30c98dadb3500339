//! Keywords that a dialect doesn't take: off the wire, into the description and the weakenings.

use serde_json::Value;

use super::Lowering;
use crate::dialect::Weakening;
use crate::dialect::lint::is_older;
use crate::schema::{Node, Schema};
use crate::shape::Limit;

/// What one node loses: phrases for its description.
struct Lost<'l> {
    lowering: &'l mut Lowering,
    pointer: &'l str,
    phrases: Vec<String>,
}

impl Lost<'_> {
    /// Notes a keyword that stays off the wire, and says it in the description.
    fn keyword(&mut self, keyword: &str, value: &str, reason: String) {
        self.phrases.push(format!("{keyword}: {value}"));
        self.silent(keyword, reason);
    }

    /// Notes a keyword that stays off the wire and would tell a model nothing.
    fn silent(&mut self, keyword: &str, reason: String) {
        self.lowering.weakenings.push(Weakening {
            pointer: self.pointer.to_owned(),
            keyword: keyword.to_owned(),
            reason,
        });
    }

    fn refused(&self, keyword: &str) -> Option<String> {
        let dialect = self.lowering.dialect;
        (!dialect.takes(keyword)).then(|| format!("{} does not take `{keyword}`", dialect.provider))
    }

    /// Takes a keyword away where the dialect doesn't take it.
    fn drop<T: serde::Serialize>(&mut self, keyword: &str, slot: &mut Option<T>) {
        if let Some(reason) = self.refused(keyword)
            && let Some(value) = slot.take()
        {
            self.keyword(keyword, &text(&value), reason);
        }
    }

    fn limit(&mut self, keyword: &str, slot: &mut Option<Limit>) {
        let Some(limit) = *slot else { return };
        let dialect = self.lowering.dialect;
        let too_large = dialect.largest_limit.is_some_and(|largest| exceeds(limit, largest));
        let reason = match self.refused(keyword) {
            Some(reason) => reason,
            None if too_large => format!("{keyword} is beyond what every JSON reader keeps exact"),
            None => return,
        };
        *slot = None;
        // How wide an integer type is would only distract a model.
        if too_large || is_width(limit) {
            self.silent(keyword, reason);
        } else {
            self.keyword(keyword, &text(&limit), reason);
        }
    }
}

impl Lowering {
    /// Takes off the wire what the dialect doesn't take, here and below.
    pub(super) fn keywords(&mut self, schema: &mut Schema, pointer: &str) {
        let Some(node) = schema.node_mut() else { return };
        if self.dialect.keywords.is_none() {
            return;
        }
        if !self.dialect.takes("const") && node.enumeration.is_none() {
            node.enumeration = node.constant.take().map(|value| vec![value]);
        }
        let mut lost = Lost { lowering: self, pointer, phrases: Vec::new() };
        lost.numbers(node);
        lost.strings(node);
        lost.arrays(node);
        lost.annotations(node);
        let phrases = lost.phrases;
        if !phrases.is_empty() {
            node.describe(&format!("{{{}}}", phrases.join(", ")));
        }
        for (token, child) in node.children_mut() {
            self.keywords(child, &format!("{pointer}{token}"));
        }
    }
}

impl Lost<'_> {
    fn numbers(&mut self, node: &mut Node) {
        self.limit("minimum", &mut node.minimum);
        self.limit("maximum", &mut node.maximum);
        self.limit("exclusiveMinimum", &mut node.exclusive_minimum);
        self.limit("exclusiveMaximum", &mut node.exclusive_maximum);
        self.drop("multipleOf", &mut node.multiple_of);
    }

    fn strings(&mut self, node: &mut Node) {
        self.drop("minLength", &mut node.min_length);
        self.drop("maxLength", &mut node.max_length);
        self.drop("pattern", &mut node.pattern);
        let dialect = self.lowering.dialect;
        if let Some(what) = node.pattern.as_deref().and_then(|pattern| dialect.patterns.breach(pattern))
            && let Some(pattern) = node.pattern.take()
        {
            self.keyword("pattern", &pattern, format!("{} takes no {what} in a pattern", dialect.provider));
        }
        if let Some(format) = node.format.take_if(|format| !dialect.takes_format(format)) {
            self.keyword("format", &format, format!("{} does not take the format `{format}`", dialect.provider));
        }
    }

    fn arrays(&mut self, node: &mut Node) {
        let dialect = self.lowering.dialect;
        self.drop("minItems", &mut node.min_items);
        self.drop("maxItems", &mut node.max_items);
        if let (Some(count), Some(most)) = (node.min_items, dialect.min_items)
            && count > most
        {
            node.min_items = Some(most);
            let reason = format!("{} takes no `minItems` above {most}", dialect.provider);
            self.keyword("minItems", &count.to_string(), reason);
        }
        if node.unique_items
            && let Some(reason) = self.refused("uniqueItems")
        {
            node.unique_items = false;
            self.keyword("uniqueItems", "true", reason);
        }
    }

    /// Words, and every keyword that the tree doesn't know.
    fn annotations(&mut self, node: &mut Node) {
        if self.refused("title").is_some() {
            node.title = None;
        }
        if let Some(reason) = self.refused("default")
            && node.default.take().is_some()
        {
            self.silent("default", reason);
        }
        if self.refused("examples").is_some()
            && let Some(examples) = node.examples.take()
        {
            let examples: Vec<_> = examples.iter().map(text).collect();
            node.describe(&format!("Examples: {}", examples.join(", ")));
        }
        let other = std::mem::take(&mut node.other);
        for (keyword, value) in other {
            let older = || is_older(&keyword).then(|| format!("`{keyword}` has the form of an older draft"));
            match self.refused(&keyword).or_else(older) {
                None => node.other.push((keyword, value)),
                Some(_) if matches!(keyword.as_str(), "$schema" | "$id" | "$comment" | "$anchor") => {}
                Some(reason) => self.keyword(&keyword, &text(&value), reason),
            }
        }
    }
}

/// A value as it stands in a description: strings bare, the rest as JSON.
fn text<T: serde::Serialize>(value: &T) -> String {
    let json = serde_json::to_string(value).unwrap_or_default();
    match serde_json::from_str(&json) {
        Ok(Value::String(text)) => text,
        _ => json,
    }
}

fn exceeds(limit: Limit, largest: i128) -> bool {
    match limit {
        Limit::Integer(whole) => whole.unsigned_abs() > largest.unsigned_abs(),
        Limit::Unsigned(_) => true,
        Limit::Real(_) => false,
    }
}

/// Whether a limit only says how wide an integer type is. Bytes are left out: 0 to 255 is worth saying.
fn is_width(limit: Limit) -> bool {
    const WIDTHS: [i128; 5] =
        [i16::MIN as i128, i32::MIN as i128, i16::MAX as i128, i32::MAX as i128, u32::MAX as i128];
    matches!(limit, Limit::Integer(whole) if WIDTHS.contains(&whole))
}
