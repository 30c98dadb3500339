//! What lowering changed, undone in an answer.

use serde_json::Value;

use crate::schema::{Node, Places, Schema, Type};

/// The value inside the wrapper that a dialect wanted around a root.
pub(super) fn unwrapped(value: &mut Value) -> Option<Value> {
    let members = value.as_object_mut()?;
    if members.len() == 1 { members.get_mut("value").map(Value::take) } else { None }
}

/// Takes away each `null` that stands for an absent optional property: where the schema doesn't take `null` itself.
pub(crate) fn drop_nulls(value: &mut Value, schema: &Schema) {
    drop_nulls_in(value, schema, &Places::of(schema), &mut Fuel { steps: 100_000, levels: 200 });
}

/// Most references that lead on to another in a row.
const MOST_STEPS: usize = 64;

/// What a schema says, behind its references.
fn follow<'s>(schema: &'s Schema, places: &Places<'s>) -> Option<&'s Node> {
    let mut node = schema.node()?;
    for _ in 0..MOST_STEPS {
        let Some(reference) = &node.reference else { return Some(node) };
        node = places.find(reference)?.node()?;
    }
    None
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

fn drop_nulls_in<'s>(value: &mut Value, schema: &'s Schema, places: &Places<'s>, fuel: &mut Fuel) {
    fuel.burn(|fuel| drop_nulls_here(value, schema, places, fuel));
}

fn drop_nulls_here<'s>(value: &mut Value, schema: &'s Schema, places: &Places<'s>, fuel: &mut Fuel) {
    let Some(node) = follow(schema, places) else { return };
    match value {
        Value::Object(members) => {
            let required = node.required_names();
            for (name, property) in node.properties.iter().flatten() {
                let optional = !required.contains(name.as_str()) && !takes_null(property, places, fuel);
                if optional && members.get(name).is_some_and(Value::is_null) {
                    members.remove(name);
                } else if let Some(member) = members.get_mut(name) {
                    drop_nulls_in(member, property, places, fuel);
                }
            }
        }
        Value::Array(items) => {
            if let Some(schema) = &node.items {
                items.iter_mut().for_each(|item| drop_nulls_in(item, schema, places, fuel));
            }
        }
        _ => return,
    }
    for branch in node.any_of.iter().chain(&node.one_of).chain(&node.all_of) {
        drop_nulls_in(value, branch, places, fuel);
    }
}

fn takes_null<'s>(schema: &'s Schema, places: &Places<'s>, fuel: &mut Fuel) -> bool {
    let takes = |fuel: &mut Fuel| {
        follow(schema, places).is_some_and(|node| {
            node.types.contains(&Type::Null)
                || node.any_of.iter().chain(&node.one_of).any(|branch| takes_null(branch, places, fuel))
        })
    };
    fuel.burn(takes).unwrap_or(false)
}
