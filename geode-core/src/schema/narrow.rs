//! Rules onto a schema. Of two limits the tighter one counts.

use std::cmp::Ordering;

use super::node::Node;
use crate::shape::{Limit, Rules};

/// Adds `rules` to what the node already asks for.
pub(super) fn narrow(node: &mut Node, rules: &Rules) {
    tighten(&mut node.minimum, rules.minimum, Ordering::Greater);
    tighten(&mut node.maximum, rules.maximum, Ordering::Less);
    tighten(&mut node.exclusive_minimum, rules.exclusive_minimum, Ordering::Greater);
    tighten(&mut node.exclusive_maximum, rules.exclusive_maximum, Ordering::Less);
    tighten(&mut node.min_length, rules.min_length.map(|count| count as u64), Ordering::Greater);
    tighten(&mut node.max_length, rules.max_length.map(|count| count as u64), Ordering::Less);
    tighten(&mut node.min_items, rules.min_items.map(|count| count as u64), Ordering::Greater);
    tighten(&mut node.max_items, rules.max_items.map(|count| count as u64), Ordering::Less);
    node.unique_items |= rules.unique_items;
    // What can't be narrowed by a comparison stands beside what is there.
    let mut beside = Node::default();
    let mut both = fill(&mut node.multiple_of, &mut beside.multiple_of, rules.multiple_of);
    both |= fill(&mut node.pattern, &mut beside.pattern, rules.pattern.map(|pattern| pattern.source.to_owned()));
    both |= fill(&mut node.format, &mut beside.format, rules.format.map(|format| format.format.name().to_owned()));
    // The derive has checked that the constant is JSON.
    let constant = rules.constant.and_then(|text| serde_json::from_str(text).ok());
    both |= fill(&mut node.constant, &mut beside.constant, constant);
    if both {
        node.all_of.push(beside.into());
    }
}

fn tighten<T: PartialOrd>(slot: &mut Option<T>, limit: Option<T>, tighter: Ordering) {
    let Some(limit) = limit else { return };
    if slot.as_ref().is_none_or(|current| limit.partial_cmp(current) == Some(tighter)) {
        *slot = Some(limit);
    }
}

/// Fills the slot, or the one beside it where another value is there. Whether it did the latter.
fn fill<T: PartialEq>(slot: &mut Option<T>, beside: &mut Option<T>, value: Option<T>) -> bool {
    match (&slot, value) {
        (None, value) => *slot = value,
        (Some(current), Some(value)) if *current != value => {
            *beside = Some(value);
            return true;
        }
        _ => {}
    }
    false
}

impl PartialOrd for Limit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        match (*self, *other) {
            (Limit::Integer(left), Limit::Integer(right)) => Some(left.cmp(&right)),
            (Limit::Unsigned(left), Limit::Unsigned(right)) => Some(left.cmp(&right)),
            // `Unsigned` is above every `i128`.
            (Limit::Integer(_), Limit::Unsigned(_)) => Some(Ordering::Less),
            (Limit::Unsigned(_), Limit::Integer(_)) => Some(Ordering::Greater),
            (left, right) => left.to_f64().partial_cmp(&right.to_f64()),
        }
    }
}

impl Limit {
    fn to_f64(self) -> f64 {
        match self {
            Limit::Integer(whole) => whole as f64,
            Limit::Unsigned(whole) => whole as f64,
            Limit::Real(real) => real,
        }
    }
}
