//! Flattened fields: merged into the object that holds them, so that it stays one closed object.
//!
//! A flattened union makes one object for each of its variants.

use super::from_shape::{Builder, Properties};
use super::join;
use crate::shape::{Field, Role, Shape};

impl Builder {
    /// The properties of `fields`, one list for each way in which flattened unions can turn out.
    pub(super) fn alternatives(&mut self, fields: &'static [Field], pointer: &str) -> Vec<Properties> {
        let mut alternatives = vec![Vec::new()];
        for field in fields {
            if field.role() == Role::Flatten {
                let flattened = self.flattened(field.shape(), pointer);
                alternatives = product(&alternatives, &flattened);
                continue;
            }
            let schema = self.property(field, &join(&format!("{pointer}/properties"), field.key.name()));
            for properties in &mut alternatives {
                properties.push((field.key.name().to_owned(), schema.clone()));
            }
        }
        alternatives
    }

    /// The properties that a flattened value of `shape` puts into the object that holds it.
    pub(super) fn flattened(&mut self, shape: &'static Shape, pointer: &str) -> Vec<Properties> {
        match shape {
            Shape::Null => vec![Vec::new()],
            Shape::Annotated(annotated) => self.flattened(annotated.of.shape(), pointer),
            Shape::Object(object) => {
                self.guarded((object.id)(), pointer, |builder| builder.alternatives(object.fields, pointer))
            }
            Shape::Union(union) => self.guarded((union.id)(), pointer, |builder| builder.union_objects(union, pointer)),
            _ => {
                self.error(pointer, "only a struct or a tagged enum can be flattened");
                vec![Vec::new()]
            }
        }
    }

    fn guarded(
        &mut self,
        id: &'static str,
        pointer: &str,
        make: impl FnOnce(&mut Self) -> Vec<Properties>,
    ) -> Vec<Properties> {
        if self.flattening.contains(&id) {
            self.error(pointer, "a type can't be flattened into itself");
            return vec![Vec::new()];
        }
        self.flattening.push(id);
        let alternatives = make(self);
        self.flattening.pop();
        alternatives
    }
}

/// Every list of `left` followed by every list of `right`.
pub(super) fn product(left: &[Properties], right: &[Properties]) -> Vec<Properties> {
    left.iter().flat_map(|head| right.iter().map(move |tail| [head.as_slice(), tail].concat())).collect()
}
