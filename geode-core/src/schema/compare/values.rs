//! Changes of values and of limits.

use std::cmp::Ordering;
use std::collections::HashSet;

use serde_json::Value;

use super::{Breaks, Compare};
use crate::schema::node::Node;

impl Compare<'_> {
    pub(super) fn values(&mut self, old: &Node, new: &Node, pointer: &str) {
        if let (Some(before), Some(after)) = (&old.constant, &new.constant) {
            if before != after {
                self.change(pointer, "const-changed", Breaks::Both, "another value is asked for: a new version");
            }
            return;
        }
        match (listed(old), listed(new)) {
            (None, None) => {}
            (None, Some(_)) => self.change(pointer, "enum-added", Breaks::Producer, "only listed values are accepted"),
            (Some(_), None) => self.change(pointer, "enum-removed", Breaks::Consumer, "any value is accepted"),
            (Some(before), Some(after)) => {
                let (known, told): (HashSet<_>, HashSet<_>) = (before.iter().collect(), after.iter().collect());
                for value in after.iter().filter(|value| !known.contains(value)) {
                    let reason = format!("a reader may meet {value}, which it doesn't know");
                    self.change(pointer, "enum-value-added", Breaks::Consumer, reason);
                }
                for value in before.iter().filter(|value| !told.contains(value)) {
                    self.change(pointer, "enum-value-removed", Breaks::Producer, format!("{value} is refused now"));
                }
                if before != after && known == told {
                    self.change(pointer, "enum-order-changed", Breaks::Neither, "the same values are accepted");
                }
            }
        }
    }

    pub(super) fn limits(&mut self, old: &Node, new: &Node, pointer: &str) {
        self.limit(pointer, &old.minimum, &new.minimum, LOWER, ["minimum-raised", "minimum-lowered"]);
        self.limit(pointer, &old.maximum, &new.maximum, UPPER, ["maximum-lowered", "maximum-raised"]);
        let kinds = ["exclusive-minimum-raised", "exclusive-minimum-lowered"];
        self.limit(pointer, &old.exclusive_minimum, &new.exclusive_minimum, LOWER, kinds);
        let kinds = ["exclusive-maximum-lowered", "exclusive-maximum-raised"];
        self.limit(pointer, &old.exclusive_maximum, &new.exclusive_maximum, UPPER, kinds);
        self.limit(pointer, &old.min_length, &new.min_length, LOWER, ["min-length-raised", "min-length-lowered"]);
        self.limit(pointer, &old.max_length, &new.max_length, UPPER, ["max-length-lowered", "max-length-raised"]);
        self.limit(pointer, &old.min_items, &new.min_items, LOWER, ["min-items-raised", "min-items-lowered"]);
        self.limit(pointer, &old.max_items, &new.max_items, UPPER, ["max-items-lowered", "max-items-raised"]);
        self.rule(pointer, &old.pattern, &new.pattern, ["pattern-added", "pattern-removed", "pattern-changed"]);
        self.rule(pointer, &old.format, &new.format, ["format-added", "format-removed", "format-changed"]);
        let kinds = ["multiple-of-added", "multiple-of-removed", "multiple-of-changed"];
        self.rule(pointer, &old.multiple_of, &new.multiple_of, kinds);
        match (old.unique_items, new.unique_items) {
            (false, true) => {
                self.change(pointer, "unique-items-added", Breaks::Producer, "equal elements are refused now")
            }
            (true, false) => {
                self.change(pointer, "unique-items-removed", Breaks::Consumer, "equal elements may come now")
            }
            _ => {}
        }
    }

    /// A limit that got tighter breaks who writes, one that got looser who reads.
    fn limit<T: PartialOrd>(
        &mut self,
        pointer: &str,
        old: &Option<T>,
        new: &Option<T>,
        tighter: Ordering,
        [tightened, loosened]: [&'static str; 2],
    ) {
        let direction = match (old, new) {
            (None, None) => None,
            (None, Some(_)) => Some(tighter),
            (Some(_), None) => Some(tighter.reverse()),
            (Some(old), Some(new)) => new.partial_cmp(old),
        };
        match direction {
            Some(direction) if direction == tighter => {
                self.change(pointer, tightened, Breaks::Producer, "values that were accepted are refused now");
            }
            Some(direction) if direction == tighter.reverse() => {
                self.change(pointer, loosened, Breaks::Consumer, "values that were refused may come now");
            }
            _ => {}
        }
    }

    /// A rule that is there or not; two different ones are not compared.
    fn rule<T: PartialEq>(
        &mut self,
        pointer: &str,
        old: &Option<T>,
        new: &Option<T>,
        [added, removed, changed]: [&'static str; 3],
    ) {
        match (old, new) {
            (None, Some(_)) => {
                self.change(pointer, added, Breaks::Producer, "values that were accepted may be refused now")
            }
            (Some(_), None) => self.change(pointer, removed, Breaks::Consumer, "values that were refused may come now"),
            (Some(old), Some(new)) if old != new => {
                self.change(pointer, changed, Breaks::Both, "other values are accepted");
            }
            _ => {}
        }
    }
}

/// A lower limit is tighter when it is greater.
const LOWER: Ordering = Ordering::Greater;
/// An upper limit is tighter when it is less.
const UPPER: Ordering = Ordering::Less;

fn listed(node: &Node) -> Option<Vec<&Value>> {
    match (&node.constant, &node.enumeration) {
        (Some(constant), _) => Some(vec![constant]),
        (None, Some(values)) => Some(values.iter().collect()),
        (None, None) => None,
    }
}
