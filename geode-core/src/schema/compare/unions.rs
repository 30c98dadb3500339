//! Changes of unions.

use serde_json::Value;

use super::{Breaks, Compare, effective_types, resolve};
use crate::schema::node::{Node, Schema};

impl<'s> Compare<'s> {
    pub(super) fn unions(&mut self, old: &'s Node, new: &'s Node, pointer: &str) {
        for (keyword, before, after) in [
            ("anyOf", &old.any_of, &new.any_of),
            ("oneOf", &old.one_of, &new.one_of),
            ("allOf", &old.all_of, &new.all_of),
        ] {
            if !before.is_empty() && !after.is_empty() {
                self.branches(keyword, before, after, pointer);
            }
        }
        let unions = |node: &Node| (!node.any_of.is_empty(), !node.one_of.is_empty(), !node.all_of.is_empty());
        match (unions(old), unions(new)) {
            (before, after) if before == after => {}
            // A type that is made an `Option`, or an `Option` that is made plain, says so.
            ((false, ..), (true, ..)) if self.is_option_of(new, old, true, pointer) => {}
            ((true, ..), (false, ..)) if self.is_option_of(old, new, false, pointer) => {}
            _ => self.change(pointer, "union-changed", Breaks::Both, "the alternatives are put in another way"),
        }
    }

    /// Whether `union` is `plain` or `null`; then compares the two and says that `null` came or went.
    fn is_option_of(&mut self, union: &'s Node, plain: &'s Node, added: bool, pointer: &str) -> bool {
        let [inner, null] = union.any_of.as_slice() else { return false };
        let (Some(inner), true) = (inner.node(), null.is_null()) else { return false };
        // What was said of the union itself has been compared already.
        self.changes.retain(|change| change.pointer != pointer);
        if added {
            self.nodes(plain, inner, pointer);
            self.change(pointer, "null-allowed", Breaks::Consumer, "a reader may meet `null` now");
        } else {
            self.nodes(inner, plain, pointer);
            self.change(pointer, "null-forbidden", Breaks::Producer, "`null` is refused now");
        }
        true
    }

    fn branches(&mut self, keyword: &str, before: &'s [Schema], after: &'s [Schema], pointer: &str) {
        let (added, removed) = match keyword {
            "allOf" => (Breaks::Producer, Breaks::Consumer),
            _ => (Breaks::Consumer, Breaks::Producer),
        };
        let mut unmatched: Vec<(usize, &'s Schema)> = after.iter().enumerate().collect();
        for (index, old) in before.iter().enumerate() {
            let same = unmatched.iter().position(|(_, new)| self.alike(old, new));
            match same.map(|position| unmatched.remove(position)) {
                Some((place, new)) => self.schemas(old, new, &format!("{pointer}/{keyword}/{place}")),
                None if old.is_null() => {
                    self.change(pointer, "null-forbidden", removed, "`null` is refused now");
                }
                None => {
                    let at = format!("{pointer}/{keyword}/{index}");
                    self.change(&at, "alternative-removed", removed, "a way to write the value is gone");
                }
            }
        }
        for (index, new) in unmatched {
            if new.is_null() {
                self.change(pointer, "null-allowed", added, "a reader may meet `null` now");
            } else {
                let at = format!("{pointer}/{keyword}/{index}");
                self.change(&at, "alternative-added", added, "a reader may meet a variant that it doesn't know");
            }
        }
    }

    /// Whether two branches are versions of one: the same tag, else the same definition, else the same types.
    fn alike(&self, old: &'s Schema, new: &'s Schema) -> bool {
        let reference = |schema: &'s Schema| schema.node().and_then(|node| node.reference.as_deref());
        if let (Some(old), Some(new)) = (reference(old), reference(new)) {
            return old == new;
        }
        let (Some(old), Some(new)) = (resolve(old, self.old).node(), resolve(new, self.new).node()) else {
            return old == new;
        };
        match (tag(old), tag(new)) {
            (Some(old), Some(new)) => old == new,
            (None, None) => old == new || (effective_types(old) == effective_types(new) && names(old) == names(new)),
            _ => false,
        }
    }
}

/// The first property that can hold one value only, and that value.
fn tag(node: &Node) -> Option<(&str, &Value)> {
    node.properties.iter().flatten().find_map(|(name, schema)| {
        let property = schema.node()?;
        match (&property.constant, property.enumeration.as_deref()) {
            (Some(value), _) | (None, Some([value])) => Some((name.as_str(), value)),
            _ => None,
        }
    })
}

/// Names of the first property: what tells untagged objects apart.
fn names(node: &Node) -> Option<&str> {
    Some(node.properties.as_ref()?.first()?.0.as_str())
}
