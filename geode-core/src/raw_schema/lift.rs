//! What lowering changed, undone in an answer.

use serde_json::Value;

use crate::schema::{Node, Schema, Type, join};

/// The value inside the wrapper that a dialect wanted around a root.
pub(super) fn unwrapped(value: &mut Value) -> Option<Value> {
    let members = value.as_object_mut()?;
    if members.len() == 1 { members.get_mut("value").map(Value::take) } else { None }
}

/// Definitions of a document, by the references to them.
#[derive(Default)]
struct Definitions<'s>(Vec<(String, &'s Schema)>);

impl<'s> Definitions<'s> {
    fn of(schema: &'s Schema, root: &'s Node) -> Self {
        let modern = root.definitions.iter().map(|(name, schema)| (join("#/$defs", name), schema));
        let legacy = root.legacy_definitions.iter().map(|(name, schema)| (join("#/definitions", name), schema));
        Definitions(modern.chain(legacy).chain([("#".to_owned(), schema)]).collect())
    }

    fn follow(&self, schema: &'s Schema) -> Option<&'s Node> {
        let mut node = schema.node()?;
        for _ in 0..=self.0.len() {
            let Some(reference) = &node.reference else { return Some(node) };
            node = self.0.iter().find(|(name, _)| name == reference)?.1.node()?;
        }
        None
    }
}

/// Takes away each `null` that stands for an absent optional property: where the schema doesn't take `null` itself.
pub(crate) fn drop_nulls(value: &mut Value, schema: &Schema) {
    let definitions = schema.node().map(|root| Definitions::of(schema, root)).unwrap_or_default();
    drop_nulls_in(value, schema, &definitions, &mut Fuel { steps: 100_000, levels: 200 });
}

/// What may still be looked at: branches can lead back to where they stand, or double with each reference. When it is used
/// up, nulls stay, and the schema refuses them.
struct Fuel {
    steps: usize,
    levels: usize,
}

impl Fuel {
    fn burn<T>(&mut self, deeper: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.steps = self.steps.checked_sub(1)?;
        self.levels = self.levels.checked_sub(1)?;
        let result = deeper(self);
        self.levels += 1;
        Some(result)
    }
}

fn drop_nulls_in<'s>(value: &mut Value, schema: &'s Schema, definitions: &Definitions<'s>, fuel: &mut Fuel) {
    fuel.burn(|fuel| drop_nulls_here(value, schema, definitions, fuel));
}

fn drop_nulls_here<'s>(value: &mut Value, schema: &'s Schema, definitions: &Definitions<'s>, fuel: &mut Fuel) {
    let Some(node) = definitions.follow(schema) else { return };
    match value {
        Value::Object(members) => {
            for (name, property) in node.properties.iter().flatten() {
                let optional = !node.is_required(name) && !takes_null(property, definitions, fuel);
                if optional && members.get(name).is_some_and(Value::is_null) {
                    members.remove(name);
                } else if let Some(member) = members.get_mut(name) {
                    drop_nulls_in(member, property, definitions, fuel);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = &node.items {
                items.iter_mut().for_each(|item| drop_nulls_in(item, schema, definitions, fuel));
            }
        }
        _ => return,
    }
    for branch in node.any_of.iter().chain(&node.one_of).chain(&node.all_of) {
        drop_nulls_in(value, branch, definitions, fuel);
    }
}

fn takes_null<'s>(schema: &'s Schema, definitions: &Definitions<'s>, fuel: &mut Fuel) -> bool {
    let takes = |fuel: &mut Fuel| {
        definitions.follow(schema).is_some_and(|node| {
            node.types.contains(&Type::Null)
                || node.any_of.iter().chain(&node.one_of).any(|branch| takes_null(branch, definitions, fuel))
        })
    };
    fuel.burn(takes).unwrap_or(false)
}
