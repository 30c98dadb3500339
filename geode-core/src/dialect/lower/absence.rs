//! `Option` within a budget: an absent property as long as it lasts, then a nullable one.

use std::collections::HashSet;

use crate::dialect::facts::Limits;
use crate::schema::{Node, Schema};

/// Turns nullable properties into optional ones, in document order, as far as the limit of optional properties goes.
/// Unions that have other branches than `null` stay as they are: to make them optional would save none. So does the one
/// property of a wrapper around the root: it is the answer. Says whether there was any.
pub(super) fn use_budget(schema: &mut Schema, limits: &Limits, wrapped_root: bool) -> bool {
    let mut left = limits.optional.unwrap_or(usize::MAX).saturating_sub(count_optional(schema));
    let before = left;
    match schema.node_mut() {
        Some(wrapper) if wrapped_root => {
            wrapper.children_mut().into_iter().for_each(|(_, child)| spend(child, &mut left))
        }
        _ => spend(schema, &mut left),
    }
    left < before
}

fn count_optional(schema: &Schema) -> usize {
    let Some(node) = schema.node() else { return 0 };
    let required = node.required_names();
    let here = node.properties.iter().flatten().filter(|(name, _)| !required.contains(name.as_str())).count();
    here + node.children().into_iter().map(|(_, child)| count_optional(child)).sum::<usize>()
}

fn spend(schema: &mut Schema, left: &mut usize) {
    let Some(node) = schema.node_mut() else { return };
    let mut optional = HashSet::new();
    for (name, property) in node.properties.iter_mut().flatten() {
        if *left > 0
            && let Some(inner) = without_null(property)
        {
            *property = inner;
            optional.insert(name.clone());
            *left -= 1;
        }
    }
    if let Some(required) = &mut node.required {
        required.retain(|name| !optional.contains(name));
    }
    for (_, child) in node.children_mut() {
        spend(child, left);
    }
}

/// What a property that is one schema or `null` is when it is not `null`.
fn without_null(schema: &Schema) -> Option<Schema> {
    let node = schema.node()?;
    let [inner, null] = node.any_of.as_slice() else { return None };
    let bare = Node {
        any_of: node.any_of.clone(),
        description: node.description.clone(),
        examples: node.examples.clone(),
        ..Node::default()
    };
    if !null.is_null() || *node != bare {
        return None;
    }
    let mut inner = inner.clone();
    let target = inner.node_mut()?;
    let own = std::mem::replace(&mut target.description, node.description.clone());
    if let Some(own) = own {
        target.describe(&own);
    }
    if node.examples.is_some() {
        target.examples = node.examples.clone();
    }
    Some(inner)
}
