//! Enums without data: schemars spells variants that have documentation as a union of constants, ours is one `enum`.

use serde_json::Value;

use crate::schema::{Node, Schema, Type};

/// Writes each union of names as one `enum`, what the names mean in its description.
pub(super) fn fold_names(schema: &mut Schema) {
    let Some(node) = schema.node_mut() else { return };
    if let Some((names, meanings)) = folded(node) {
        node.one_of.clear();
        node.types = vec![Type::String];
        node.enumeration = Some(names);
        node.describe(&meanings);
    }
    for (_, child) in node.children_mut() {
        fold_names(child);
    }
}

/// The names that a union lists, and a line for each that says what it means.
fn folded(node: &Node) -> Option<(Vec<Value>, String)> {
    if node.one_of.is_empty() || !node.any_of.is_empty() {
        return None;
    }
    let branches = node.one_of.iter().map(names).collect::<Option<Vec<_>>>()?;
    let lines = branches.iter().filter_map(|(names, description)| {
        let name = names.first()?.as_str()?;
        Some(format!("- `{name}`: {}", (*description)?))
    });
    let meanings = lines.collect::<Vec<_>>().join("\n");
    Some((branches.iter().flat_map(|(names, _)| names.iter().cloned()).collect(), meanings))
}

/// The names that a schema is the list of, and what they mean.
fn names(schema: &Schema) -> Option<(&[Value], Option<&str>)> {
    let node = schema.node()?;
    let names = node.enumeration.as_deref().or(node.constant.as_ref().map(std::slice::from_ref))?;
    let bare = Node {
        types: vec![Type::String],
        enumeration: node.enumeration.clone(),
        constant: node.constant.clone(),
        description: node.description.clone(),
        ..Node::default()
    };
    (*node == bare).then_some((names, node.description.as_deref()))
}
