//! The conjunction of two schemas as one: what `allOf` means, written out.

use std::cmp::Ordering;
use std::collections::{HashMap, HashSet};

use serde_json::Value;

use crate::schema::{Node, Schema, Type};

/// What both accept, or `None` where one schema can't say it.
pub(super) fn merge_schemas(left: &Schema, right: &Schema) -> Option<Schema> {
    match (left, right) {
        (Schema::Boolean(true), other) | (other, Schema::Boolean(true)) => Some(other.clone()),
        (Schema::Boolean(false), _) | (_, Schema::Boolean(false)) => Some(Schema::Boolean(false)),
        (Schema::Node(left), Schema::Node(right)) => merge(left, right).map(Schema::from),
    }
}

/// What both accept, or `None` where one node can't say it.
pub(super) fn merge(left: &Node, right: &Node) -> Option<Node> {
    if left == right {
        return Some(left.clone());
    }
    let mut node = Node {
        reference: equal(&left.reference, &right.reference)?,
        title: left.title.clone().or_else(|| right.title.clone()),
        description: left.description.clone(),
        types: types(&left.types, &right.types)?,
        constant: equal(&left.constant, &right.constant)?,
        format: equal(&left.format, &right.format)?,
        pattern: equal(&left.pattern, &right.pattern)?,
        multiple_of: equal(&left.multiple_of, &right.multiple_of)?,
        min_length: tighter(left.min_length, right.min_length, Ordering::Greater),
        max_length: tighter(left.max_length, right.max_length, Ordering::Less),
        minimum: tighter(left.minimum, right.minimum, Ordering::Greater),
        maximum: tighter(left.maximum, right.maximum, Ordering::Less),
        exclusive_minimum: tighter(left.exclusive_minimum, right.exclusive_minimum, Ordering::Greater),
        exclusive_maximum: tighter(left.exclusive_maximum, right.exclusive_maximum, Ordering::Less),
        min_items: tighter(left.min_items, right.min_items, Ordering::Greater),
        max_items: tighter(left.max_items, right.max_items, Ordering::Less),
        unique_items: left.unique_items || right.unique_items,
        prefix_items: one_of(&left.prefix_items, &right.prefix_items)?,
        any_of: one_of(&left.any_of, &right.any_of)?,
        one_of: one_of(&left.one_of, &right.one_of)?,
        all_of: [left.all_of.as_slice(), right.all_of.as_slice()].concat(),
        items: optional(&left.items, &right.items)?,
        additional: optional(&left.additional, &right.additional)?,
        default: left.default.clone().or_else(|| right.default.clone()),
        examples: left.examples.clone().or_else(|| right.examples.clone()),
        other: left.other.clone(),
        definitions: [left.definitions.as_slice(), right.definitions.as_slice()].concat(),
        ..Node::default()
    };
    if node.reference.is_some() && (left.reference.is_none() || right.reference.is_none()) {
        // What a reference leads to is not looked into here.
        return None;
    }
    if let Some(words) = right.description.as_deref().filter(|words| left.description.as_deref() != Some(*words)) {
        node.describe(words);
    }
    node.enumeration = enumeration(left, right);
    merge_objects(&mut node, left, right)?;
    for (keyword, value) in &right.other {
        match node.other.iter().find(|(other, _)| other == keyword) {
            None => node.other.push((keyword.clone(), value.clone())),
            Some((_, other)) if other == value => {}
            Some(_) => return None,
        }
    }
    Some(node)
}

fn equal<T: PartialEq + Clone>(left: &Option<T>, right: &Option<T>) -> Option<Option<T>> {
    match (left, right) {
        (Some(left), Some(right)) => (left == right).then(|| Some(left.clone())),
        (one, other) => Some(one.clone().or_else(|| other.clone())),
    }
}

fn one_of(left: &[Schema], right: &[Schema]) -> Option<Vec<Schema>> {
    match (left, right) {
        (list, []) | ([], list) => Some(list.to_vec()),
        _ => None,
    }
}

fn optional(left: &Option<Schema>, right: &Option<Schema>) -> Option<Option<Schema>> {
    match (left, right) {
        (Some(left), Some(right)) => merge_schemas(left, right).map(Some),
        (one, other) => Some(one.clone().or_else(|| other.clone())),
    }
}

fn tighter<T: PartialOrd>(left: Option<T>, right: Option<T>, tighter: Ordering) -> Option<T> {
    match (left, right) {
        (Some(left), Some(right)) => Some(if right.partial_cmp(&left) == Some(tighter) { right } else { left }),
        (one, other) => one.or(other),
    }
}

/// The types that both take; none at all is no schema that is worth writing.
fn types(left: &[Type], right: &[Type]) -> Option<Vec<Type>> {
    if left.is_empty() || right.is_empty() {
        return Some([left, right].concat());
    }
    let mut both: Vec<Type> = Vec::new();
    for of in left {
        if right.contains(of) || (*of == Type::Integer && right.contains(&Type::Number)) {
            both.push(*of);
        } else if *of == Type::Number && right.contains(&Type::Integer) {
            both.push(Type::Integer);
        }
    }
    (!both.is_empty()).then_some(both)
}

fn enumeration(left: &Node, right: &Node) -> Option<Vec<Value>> {
    match (&left.enumeration, &right.enumeration) {
        (Some(left), Some(right)) => {
            let right: HashSet<&Value> = right.iter().collect();
            Some(left.iter().filter(|value| right.contains(value)).cloned().collect())
        }
        (one, other) => one.clone().or_else(|| other.clone()),
    }
}

/// Properties of both. One that only one side names has to pass the other side's `additionalProperties`.
fn merge_objects(node: &mut Node, left: &Node, right: &Node) -> Option<()> {
    if left.properties.is_none() && right.properties.is_none() {
        node.required = left.required.clone().or_else(|| right.required.clone());
        return Some(());
    }
    let mut is_required = HashSet::new();
    let names = left.required.iter().chain(&right.required).flatten();
    let required: Vec<String> = names.filter(|name| is_required.insert(name.as_str())).cloned().collect();
    let (of_left, of_right) = (properties_of(left), properties_of(right));
    let (mut done, mut properties) = (HashSet::new(), Vec::new());
    for (name, _) in left.properties.iter().chain(&right.properties).flatten() {
        if !done.insert(name) {
            continue;
        }
        let side = |properties: &HashMap<&str, &Schema>, node: &Node| {
            let named = properties.get(name.as_str()).copied().or(node.additional.as_ref());
            named.cloned().unwrap_or(Schema::Boolean(true))
        };
        match merge_schemas(&side(&of_left, left), &side(&of_right, right))? {
            Schema::Boolean(false) if is_required.contains(name.as_str()) => return None,
            Schema::Boolean(false) => {}
            schema => properties.push((name.clone(), schema)),
        }
    }
    node.properties = Some(properties);
    node.required = (left.required.is_some() || right.required.is_some()).then_some(required);
    Some(())
}

pub(super) fn properties_of(node: &Node) -> HashMap<&str, &Schema> {
    node.properties.iter().flatten().map(|(name, schema)| (name.as_str(), schema)).collect()
}
