//! Changes of unions.

use std::collections::{HashMap, HashSet, VecDeque};

use serde_json::Value;

use super::{Breaks, Compare, effective_types, resolve};
use crate::schema::node::{Node, Schema};
use crate::schema::places::Places;

/// What makes two branches versions of one, as text.
type Key<'s> = fn(&'s Schema, &Places<'s>) -> Option<String>;

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
        let places = if added { &self.new } else { &self.old };
        let branches: Vec<&'s Node> = union.any_of.iter().filter_map(|branch| resolve(branch, places).node()).collect();
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
        let pairs = self.pairs(before, after);
        let matched: HashSet<usize> = pairs.iter().flatten().copied().collect();
        for (index, (old, place)) in before.iter().zip(pairs).enumerate() {
            match place.and_then(|place| Some((place, after.get(place)?))) {
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
        for (index, new) in after.iter().enumerate().filter(|(index, _)| !matched.contains(index)) {
            if new.is_null() {
                self.change(pointer, "null-allowed", added, "a reader may meet `null` now");
            } else {
                let at = format!("{pointer}/{keyword}/{index}");
                self.change(&at, "alternative-added", added, "a reader may meet a variant that it doesn't know");
            }
        }
    }

    /// For each old branch, the new one that is a version of it: the same definition, else the same text, else the same
    /// tag or types.
    fn pairs(&self, before: &'s [Schema], after: &'s [Schema]) -> Vec<Option<usize>> {
        let mut pairs = vec![None; before.len()];
        let mut taken = HashSet::new();
        let keys: [Key<'s>; 3] = [
            |schema, _| schema.node()?.reference.clone(),
            |schema, _| Some(schema.to_string()),
            |schema, places| Some(kind(resolve(schema, places).node()?)),
        ];
        for key in keys {
            let mut places: HashMap<String, VecDeque<usize>> = HashMap::new();
            for (place, new) in after.iter().enumerate().filter(|(place, _)| !taken.contains(place)) {
                if let Some(key) = key(new, &self.new) {
                    places.entry(key).or_default().push_back(place);
                }
            }
            for (old, pair) in before.iter().zip(&mut pairs).filter(|(_, pair)| pair.is_none()) {
                *pair = key(old, &self.old).and_then(|key| places.get_mut(&key)?.pop_front());
                taken.extend(*pair);
            }
        }
        pairs
    }
}

/// What tells branches apart: their only value, else their tag, else their types and the name of their first property.
fn kind(node: &Node) -> String {
    match (only_value(node), tag(node)) {
        (Some(value), _) => format!("value {value}"),
        (None, Some((name, value))) => format!("tag {name} {value}"),
        (None, None) => format!("types {:?} {:?}", effective_types(node), names(node)),
    }
}

fn only_value(node: &Node) -> Option<&Value> {
    match (&node.constant, node.enumeration.as_deref()) {
        (Some(value), _) | (None, Some([value])) => Some(value),
        _ => None,
    }
}

/// The first property that can hold one value only, and that value.
fn tag(node: &Node) -> Option<(&str, &Value)> {
    node.properties.iter().flatten().find_map(|(name, schema)| Some((name.as_str(), only_value(schema.node()?)?)))
}

/// Names of the first property: what tells untagged objects apart.
fn names(node: &Node) -> Option<&str> {
    Some(node.properties.as_ref()?.first()?.0.as_str())
}
