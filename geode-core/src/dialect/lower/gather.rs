//! Definitions to one place, and the root written out.

use std::collections::{HashMap, HashSet};

use super::merge::merge;
use crate::schema::{Node, Places, Schema, join, local_target};

/// Moves `definitions`, and whatever else of the document references point to, under `$defs` of the root.
pub(super) fn gather_definitions(schema: &mut Schema) {
    let document = schema.clone();
    let places = Places::of(&document);
    let Some(root) = schema.node_mut() else { return };
    let legacy = std::mem::take(&mut root.legacy_definitions);
    let mut gathered = Gathered {
        names: root.definitions.iter().map(|(name, _)| (join("#/$defs", name), name.clone())).collect(),
        taken: root.definitions.iter().map(|(name, _)| name.clone()).collect(),
        missing: Vec::new(),
        found: false,
    };
    for (name, schema) in legacy {
        let name = gathered.name(join("#/definitions", &name), &name);
        root.definitions.push((name, schema));
    }
    loop {
        gathered.retarget(root);
        for reference in std::mem::take(&mut gathered.missing) {
            let place = places.pointer_of(&reference).map(|pointer| format!("#{pointer}"));
            if let Some(name) = place.as_ref().and_then(|place| gathered.names.get(place)) {
                gathered.names.insert(reference, name.clone());
            } else if let Some(found) = places.find(&reference).filter(|_| !gathered.names.contains_key(&reference)) {
                let title = found.node().and_then(|node| node.title.as_deref());
                let last = reference.rsplit(['/', '#']).next().filter(|last| !last.is_empty());
                let name = gathered.name(reference.clone(), last.or(title).unwrap_or("root"));
                let mut copy = found.clone();
                if let Some(node) = copy.node_mut() {
                    // What references lead to in there is looked up in the document.
                    (node.definitions, node.legacy_definitions) = (Vec::new(), Vec::new());
                }
                root.definitions.push((name, copy));
            } else {
                continue;
            }
            gathered.found = true;
        }
        if !std::mem::take(&mut gathered.found) {
            return;
        }
    }
}

/// What is known of a document's definitions.
struct Gathered {
    /// Names under `$defs`, by the references to them.
    names: HashMap<String, String>,
    taken: HashSet<String>,
    /// References to something else.
    missing: Vec<String>,
    /// Whether one of them was found, so that the document has to be gone through again.
    found: bool,
}

impl Gathered {
    /// A free name for what `reference` leads to.
    fn name(&mut self, reference: String, wanted: &str) -> String {
        let mut free = wanted.to_owned();
        let mut number = 2;
        while !self.taken.insert(free.clone()) {
            free = format!("{wanted}_{number}");
            number += 1;
        }
        self.names.insert(reference, free.clone());
        free
    }

    fn retarget(&mut self, node: &mut Node) {
        if let Some(reference) = &mut node.reference
            && local_target(reference).is_none_or(|target| !self.taken.contains(&target))
        {
            match self.names.get(reference) {
                Some(name) => *reference = join("#/$defs", name),
                None => self.missing.push(reference.clone()),
            }
        }
        for (_, child) in node.children_mut() {
            if let Some(child) = child.node_mut() {
                // No reference needs them any more, and a copy would have the same ones.
                child.other.retain(|(keyword, _)| !matches!(keyword.as_str(), "$anchor" | "$id"));
                self.retarget(child);
            }
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
