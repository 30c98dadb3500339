//! One type for each schema: inferred where it is left out, split where there are several.

use serde_json::Value;

use crate::schema::{Node, Type};

/// Gives a schema without `type` the one that its other keywords imply.
pub(super) fn infer_type(node: &mut Node) {
    if !node.types.is_empty() || node.reference.is_some() || !node.any_of.is_empty() || !node.one_of.is_empty() {
        return;
    }
    let values = node.enumeration.iter().flatten().chain(&node.constant);
    for value in values {
        let of = Type::of(value);
        if !node.types.contains(&of) {
            node.types.push(of);
        }
    }
    if node.types.is_empty() && node.properties.is_some() {
        node.types = vec![Type::Object];
    }
}

/// Writes a list of types as `anyOf` where an enum, an object or an array is among them, or in any case.
pub(super) fn split_types(node: &mut Node, any: bool) {
    let structured = node.enumeration.is_some() || node.types.iter().any(|of| matches!(of, Type::Object | Type::Array));
    if node.types.len() < 2 || !(structured || any) || !node.any_of.is_empty() {
        return;
    }
    let whole = std::mem::take(node);
    node.title = whole.title.clone();
    node.description = whole.description.clone();
    node.default = whole.default.clone();
    node.definitions = whole.definitions.clone();
    for of in &whole.types {
        let branch = only_type(&whole, *of);
        if branch.enumeration.as_ref().is_none_or(|values| !values.is_empty()) {
            node.any_of.push(branch.into());
        }
    }
}

/// The part of a schema that speaks of one type.
fn only_type(whole: &Node, of: Type) -> Node {
    let mut node = Node { types: vec![of], ..Node::default() };
    let fits = |value: &&Value| Type::of(value) == of || (of == Type::Number && Type::of(value) == Type::Integer);
    if of != Type::Null {
        node.enumeration = whole.enumeration.as_ref().map(|values| values.iter().filter(fits).cloned().collect());
    } else if whole.enumeration.as_ref().is_some_and(|values| !values.contains(&Value::Null)) {
        node.enumeration = Some(Vec::new());
    }
    match of {
        Type::Object => {
            node.properties = whole.properties.clone();
            node.required = whole.required.clone();
            node.additional = whole.additional.clone();
        }
        Type::Array => {
            node.items = whole.items.clone();
            node.prefix_items = whole.prefix_items.clone();
            (node.min_items, node.max_items, node.unique_items) =
                (whole.min_items, whole.max_items, whole.unique_items);
        }
        Type::String => {
            (node.pattern, node.format) = (whole.pattern.clone(), whole.format.clone());
            (node.min_length, node.max_length) = (whole.min_length, whole.max_length);
        }
        Type::Integer | Type::Number => {
            (node.minimum, node.maximum, node.multiple_of) = (whole.minimum, whole.maximum, whole.multiple_of);
            (node.exclusive_minimum, node.exclusive_maximum) = (whole.exclusive_minimum, whole.exclusive_maximum);
        }
        Type::Null | Type::Boolean => {}
    }
    if of != Type::Null {
        node.other = whole.other.clone();
    }
    node
}
