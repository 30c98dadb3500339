//! Whether two schemas can be proved to accept no value in common.

use std::cell::Cell;
use std::collections::HashSet;

use serde_json::Value;

use super::merge::properties_of;
use crate::schema::{Node, Schema, Type, local_target};

/// References followed in one proof before it is given up.
const MOST_STEPS: usize = 32;

/// Comparisons in one proof before it is given up: branches multiply.
const MOST_COMPARISONS: usize = 10_000;

/// Whether each two of `branches` exclude each other, provably. `false` says nothing.
pub(super) fn all_disjoint(branches: &[Schema], definitions: &[(String, Schema)]) -> bool {
    let room = Cell::new(MOST_COMPARISONS);
    branches.iter().enumerate().all(|(index, left)| {
        branches.iter().skip(index + 1).all(|right| disjoint(left, right, definitions, MOST_STEPS, &room))
    })
}

fn disjoint(left: &Schema, right: &Schema, definitions: &[(String, Schema)], steps: usize, room: &Cell<usize>) -> bool {
    let (Some(steps), Some(left_over)) = (steps.checked_sub(1), room.get().checked_sub(1)) else { return false };
    room.set(left_over);
    let (Some(left), Some(right)) = (resolve(left, definitions), resolve(right, definitions)) else {
        return left == &Schema::Boolean(false) || right == &Schema::Boolean(false);
    };
    for (union, other) in [(left, right), (right, left)] {
        let branches = if union.any_of.is_empty() { &union.one_of } else { &union.any_of };
        if !branches.is_empty() {
            let other = Schema::from(other.clone());
            return branches.iter().all(|branch| disjoint(branch, &other, definitions, steps, room));
        }
    }
    values_disjoint(left, right)
        || types_disjoint(left, right)
        || objects_disjoint(left, right, definitions, steps, room)
}

fn resolve<'s>(schema: &'s Schema, definitions: &'s [(String, Schema)]) -> Option<&'s Node> {
    let mut node = schema.node()?;
    for _ in 0..MOST_STEPS {
        let Some(target) = node.reference.as_deref().and_then(local_target) else { return Some(node) };
        node = definitions.iter().find(|(name, _)| *name == target)?.1.node()?;
    }
    None
}

fn values(node: &Node) -> Option<Vec<&Value>> {
    node.constant.as_ref().map(|value| vec![value]).or_else(|| Some(node.enumeration.as_ref()?.iter().collect()))
}

fn values_disjoint(left: &Node, right: &Node) -> bool {
    match (values(left), values(right)) {
        (Some(left), Some(right)) => {
            let right: HashSet<&Value> = right.into_iter().collect();
            !left.iter().any(|value| right.contains(value))
        }
        _ => false,
    }
}

fn types(node: &Node) -> Vec<Type> {
    if node.types.is_empty() {
        values(node).map(|values| values.into_iter().map(Type::of).collect()).unwrap_or_default()
    } else {
        node.types.clone()
    }
}

fn types_disjoint(left: &Node, right: &Node) -> bool {
    let (left, right) = (types(left), types(right));
    let overlap =
        |a: &Type, b: &Type| a == b || matches!((a, b), (Type::Integer, Type::Number) | (Type::Number, Type::Integer));
    !left.is_empty() && !right.is_empty() && !left.iter().any(|a| right.iter().any(|b| overlap(a, b)))
}

/// Objects exclude each other by a property that both require with values in no common, or that one requires and the
/// other, closed, doesn't have.
fn objects_disjoint(
    left: &Node,
    right: &Node,
    definitions: &[(String, Schema)],
    steps: usize,
    room: &Cell<usize>,
) -> bool {
    if types(left) != [Type::Object] || types(right) != [Type::Object] {
        return false;
    }
    let excludes = |one: &Node, other: &Node| {
        let (of_one, of_other) = (properties_of(one), properties_of(other));
        let required = other.required_names();
        one.required.iter().flatten().any(|name| match (of_one.get(name.as_str()), of_other.get(name.as_str())) {
            (Some(a), Some(b)) => required.contains(name.as_str()) && disjoint(a, b, definitions, steps, room),
            (_, None) => other.additional == Some(Schema::Boolean(false)),
            _ => false,
        })
    };
    excludes(left, right) || excludes(right, left)
}
