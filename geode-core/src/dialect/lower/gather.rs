//! Definitions to one place, and the root written out.

use std::collections::HashMap;

use super::merge::merge;
use crate::schema::{Node, Schema, join, local_target};

/// Moves `definitions` and whatever else references point to under `$defs` of the root.
pub(super) fn gather_definitions(root: &mut Node) {
    let mut names: HashMap<String, String> = HashMap::new();
    for (name, _) in &root.definitions {
        names.insert(join("#/$defs", name), name.clone());
    }
    for (name, schema) in std::mem::take(&mut root.legacy_definitions) {
        let pointer = join("#/definitions", &name);
        let name = free_name(&root.definitions, &name);
        names.insert(pointer, name.clone());
        root.definitions.push((name, schema));
    }
    let mut missing = Vec::new();
    retarget(root, &names, &mut missing);
    if missing.iter().any(|reference| reference == "#") {
        let name = free_name(&root.definitions, root.title.as_deref().unwrap_or("root"));
        let copy = Node { definitions: Vec::new(), ..root.clone() };
        names.insert("#".to_owned(), name.clone());
        root.definitions.push((name, copy.into()));
        retarget(root, &names, &mut Vec::new());
    }
}

fn free_name(definitions: &[(String, Schema)], name: &str) -> String {
    let mut free = name.to_owned();
    let mut number = 2;
    while definitions.iter().any(|(taken, _)| *taken == free) {
        free = format!("{name}_{number}");
        number += 1;
    }
    free
}

fn retarget(node: &mut Node, names: &HashMap<String, String>, missing: &mut Vec<String>) {
    if let Some(reference) = &mut node.reference {
        match names.get(reference) {
            Some(name) => *reference = join("#/$defs", name),
            None => missing.push(reference.clone()),
        }
    }
    for (_, child) in node.children_mut() {
        if let Some(child) = child.node_mut() {
            retarget(child, names, missing);
        }
    }
}

/// A root that is a reference becomes what it refers to.
pub(super) fn write_out_root(root: &mut Node, definitions: &[(String, Schema)]) {
    for _ in 0..definitions.len() {
        let Some(target) = root.reference.as_deref().and_then(local_target) else { return };
        let Some(body) = definitions.iter().find(|(name, _)| *name == target).and_then(|(_, schema)| schema.node())
        else {
            return;
        };
        let alone = Node { reference: None, ..root.clone() };
        match merge(&alone, &Node { definitions: Vec::new(), legacy_definitions: Vec::new(), ..body.clone() }) {
            Some(merged) => *root = merged,
            None => return,
        }
    }
}
