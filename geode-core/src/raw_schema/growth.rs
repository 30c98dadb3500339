//! How many schemas one value is held against: references multiply.

use std::collections::HashMap;

use crate::schema::{Node, Schema, SchemaError, join};

/// Most schemas that one value may be held against. Forty definitions that each name the next one twice under `allOf`
/// would come to billions, each time an answer is read.
const MOST: u64 = 100_000;

/// Refuses a schema by which reading an answer would take for ever.
pub(super) fn refuse_growth(schema: &Schema) -> Result<(), SchemaError> {
    let Some(root) = schema.node() else { return Ok(()) };
    let modern = root.definitions.iter().map(|(name, body)| (join("#/$defs", name), body));
    let legacy = root.legacy_definitions.iter().map(|(name, body)| (join("#/definitions", name), body));
    let mut counting = Counting { bodies: modern.chain(legacy).collect(), counted: HashMap::new() };
    counting.visit(schema, "")
}

struct Counting<'s> {
    bodies: HashMap<String, &'s Schema>,
    /// By reference. One that is being counted counts as one, so that circles end.
    counted: HashMap<&'s str, u64>,
}

impl<'s> Counting<'s> {
    fn visit(&mut self, schema: &'s Schema, pointer: &str) -> Result<(), SchemaError> {
        if self.of(schema) > MOST {
            return Err(SchemaError {
                pointer: pointer.to_owned(),
                reason: format!("one value would be held against over {MOST} schemas; refer to fewer of them"),
            });
        }
        let children = schema.node().map(Node::children).unwrap_or_default();
        children.into_iter().try_for_each(|(token, child)| self.visit(child, &format!("{pointer}{token}")))
    }

    fn of(&mut self, schema: &'s Schema) -> u64 {
        let Some(node) = schema.node() else { return 1 };
        let branches = node.all_of.iter().chain(&node.any_of).chain(&node.one_of);
        let sum = branches.fold(1u64, |sum, branch| sum.saturating_add(self.of(branch)));
        sum.saturating_add(node.reference.as_deref().map_or(0, |reference| self.of_reference(reference)))
    }

    fn of_reference(&mut self, reference: &'s str) -> u64 {
        if let Some(counted) = self.counted.get(reference) {
            return *counted;
        }
        self.counted.insert(reference, 1);
        let count = self.bodies.get(reference).copied().map_or(1, |body| self.of(body));
        self.counted.insert(reference, count);
        count
    }
}
