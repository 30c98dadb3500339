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
            // A version that gets others beside it, or loses them.
            ((false, ..), (true, ..)) if self.is_one_of(new, old, true, pointer) => {}
            ((true, ..), (false, ..)) if self.is_one_of(old, new, false, pointer) => {}
            _ => self.change(pointer, "union-changed", Breaks::Both, "the alternatives are put in another way"),
        }
    }

    /// Whether `union` is `plain` or `null`; then compares the two and says that `null` came or went.
    fn is_option_of(&mut self, union: &'s Node, plain: &'s Node, added: bool, pointer: &str) -> bool {
        let [inner, null] = union.any_of.as_slice() else { return false };
        let (Some(inner), true) = (inner.node(), null.is_null()) else { return false };
        // What was said of the union itself has been compared already.
        self.forget(pointer);
        if added {
            self.nodes(plain, inner, pointer);
            self.change(pointer, "null-allowed", Breaks::Consumer, "a reader may meet `null` now");
        } else {
            self.nodes(inner, plain, pointer);
            self.change(pointer, "null-forbidden", Breaks::Producer, "`null` is refused now");
        }
        true
    }

    /// Whether `union` has a branch with the tag that `plain` has; then compares the two and says which branches came or
    /// went.
    fn is_one_of(&mut self, union: &'s Node, plain: &'s Node, added: bool, pointer: &str) -> bool {
        let root = if added { self.new } else { self.old };
        let branches: Vec<&'s Node> = union.any_of.iter().filter_map(|branch| resolve(branch, root).node()).collect();
        let own = branches.iter().position(|branch| tag(plain).is_some() && tag(branch) == tag(plain));
        let Some(own) = own.filter(|_| branches.len() == union.any_of.len()) else { return false };
        self.forget(pointer);
        for (index, branch) in branches.into_iter().enumerate() {
            let at = format!("{pointer}/anyOf/{index}");
            match (index == own, added) {
                (true, true) => self.nodes(plain, branch, &at),
                (true, false) => self.nodes(branch, plain, pointer),
                (false, true) => {
                    let reason = "a reader may meet a variant that it doesn't know";
                    self.change(&at, "alternative-added", Breaks::Consumer, reason);
                }
                (false, false) => {
                    self.change(&at, "alternative-removed", Breaks::Producer, "a way to write the value is gone");
                }
            }
        }
        true
    }

    /// Takes back what was said of two nodes, because it is not these two that belong together.
    fn forget(&mut self, pointer: &str) {
        let below = format!("{pointer}/");
        self.changes.retain(|change| change.pointer != pointer && !change.pointer.starts_with(&below));
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
