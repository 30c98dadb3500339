//! Types that others describe: their schema becomes a definition, and its own definitions stand beside the others.

use std::collections::{HashMap, HashSet};

use super::from_shape::Builder;
use super::node::{Node, Schema};
use super::{join, legal_name, local_target};
use crate::shape::Foreign;

impl Builder {
    /// A reference to the definition of a foreign type.
    pub(super) fn foreign(&mut self, foreign: &'static Foreign, pointer: &str) -> Schema {
        let name = legal_name(&(foreign.name)());
        self.definition(&name, (foreign.id)().to_owned(), &|builder, key| match (foreign.schema)() {
            Ok(text) => match text.parse::<Schema>() {
                Ok(mut schema) => {
                    builder.adopt(&mut schema, key);
                    schema
                }
                Err(error) => {
                    builder.error(&format!("{pointer}{}", error.pointer), &error.reason);
                    Schema::Boolean(true)
                }
            },
            Err(reasons) => {
                for unfit in reasons {
                    builder.error(&format!("{pointer}{}", unfit.pointer), &unfit.reason);
                }
                Schema::Boolean(true)
            }
        })
    }

    /// Moves the definitions of a document to our own, under names that are free here; those that are here already stay.
    /// One that is the whole document is the definition `key`.
    fn adopt(&mut self, schema: &mut Schema, key: &str) {
        let Some(node) = schema.node_mut() else { return };
        let mut definitions = std::mem::take(&mut node.definitions);
        let mut names = HashMap::new();
        definitions.retain(|(name, body)| {
            let whole = body.node() == Some(node);
            names.extend(whole.then(|| (name.clone(), key.to_owned())));
            !whole
        });
        let known = self.known(&definitions);
        for (name, _) in &definitions {
            let own = legal_name(name);
            names.insert(name.clone(), if known.contains(name) { own } else { self.free_name(&own) });
        }
        rename(node, &names);
        for (name, mut body) in definitions.into_iter().filter(|(name, _)| !known.contains(name)) {
            if let Some(node) = body.node_mut() {
                rename(node, &names);
            }
            self.definitions.extend(names.get(&name).map(|own| (own.clone(), body)));
        }
    }

    /// The definitions that stand here already, with all that they refer to.
    fn known(&self, definitions: &[(String, Schema)]) -> HashSet<String> {
        let here =
            |(name, body): &&(String, Schema)| self.definitions.iter().any(|(own, known)| own == name && known == body);
        let mut known: HashSet<String> = definitions.iter().filter(here).map(|(name, _)| name.clone()).collect();
        loop {
            let strange = |(name, body): &&(String, Schema)| known.contains(name) && refers_beyond(body, &known);
            let Some((name, _)) = definitions.iter().find(strange) else { return known };
            known.remove(name);
        }
    }
}

/// Whether a schema refers to anything else than these definitions.
fn refers_beyond(schema: &Schema, known: &HashSet<String>) -> bool {
    let Some(node) = schema.node() else { return false };
    node.reference.as_deref().and_then(local_target).is_some_and(|target| !known.contains(&target))
        || node.children().iter().any(|(_, child)| refers_beyond(child, known))
}

/// Makes references follow definitions to their new names.
fn rename(node: &mut Node, names: &HashMap<String, String>) {
    let target = node.reference.as_deref().and_then(local_target);
    if let Some(name) = target.and_then(|target| names.get(&target)) {
        node.reference = Some(join("#/$defs", name));
    }
    for (_, child) in node.children_mut() {
        if let Some(child) = child.node_mut() {
            rename(child, names);
        }
    }
}
