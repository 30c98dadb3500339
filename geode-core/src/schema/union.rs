//! Enums: with data as `anyOf` of closed objects, the tag first; without as one flat `enum`.

use serde_json::Value;

use super::flatten::product;
use super::from_shape::{Builder, Properties, annotate, any_of};
use super::join;
use super::node::{Node, Schema, Type};
use crate::shape::{Body, Enumeration, Tagging, Union, Variant};

impl Builder {
    pub(super) fn union(&mut self, union: &'static Union, pointer: &str) -> Schema {
        let mut branches = match union.tagging {
            Tagging::External => self.external(union, pointer),
            Tagging::Untagged => {
                union.variants.iter().map(|variant| self.described_variant(variant, pointer, Self::body)).collect()
            }
            Tagging::Internal { .. } | Tagging::Adjacent { .. } => union
                .variants
                .iter()
                .map(|variant| {
                    self.described_variant(variant, pointer, |builder, _, pointer| {
                        let alternatives = builder.variant_objects(union, variant, pointer);
                        builder.closed(alternatives, pointer)
                    })
                })
                .collect(),
        };
        flatten_unions(&mut branches);
        let mut schema = any_of(branches);
        annotate(&mut schema, union.description, &[]);
        schema
    }

    fn described_variant(
        &mut self,
        variant: &'static Variant,
        pointer: &str,
        make: impl FnOnce(&mut Self, &'static Variant, &str) -> Schema,
    ) -> Schema {
        let mut schema = make(self, variant, pointer);
        annotate(&mut schema, variant.description, &[]);
        schema
    }

    /// Externally tagged: the unit variants together as one `enum` of strings, each other one an object of one property.
    fn external(&mut self, union: &'static Union, pointer: &str) -> Vec<Schema> {
        let mut branches = Vec::new();
        let units: Vec<_> = union.variants.iter().filter(|variant| matches!(variant.body, Body::Unit)).collect();
        let mut units_done = false;
        for variant in union.variants {
            if !matches!(variant.body, Body::Unit) {
                branches.push(self.described_variant(variant, pointer, |builder, variant, pointer| {
                    let body = builder.body(variant, &join(pointer, variant.key.name));
                    Node::closed_object(vec![(variant.key.name.to_owned(), body)]).into()
                }));
            } else if !std::mem::replace(&mut units_done, true) {
                let mut node = one_of_names(units.iter().map(|unit| unit.key.name));
                node.describe(&described(units.iter().map(|unit| (unit.key.name, unit.description))));
                branches.push(node.into());
            }
        }
        branches
    }

    /// What a variant carries, by itself.
    fn body(&mut self, variant: &'static Variant, pointer: &str) -> Schema {
        match &variant.body {
            Body::Unit => Schema::of_type(Type::Null),
            Body::Newtype(edge) => self.schema(edge.shape(), &[], pointer),
            Body::Fields(fields) => {
                let alternatives = self.alternatives(fields, pointer);
                self.closed(alternatives, pointer)
            }
        }
    }

    /// The objects that a union's values are, for flattening it.
    pub(super) fn union_objects(&mut self, union: &'static Union, pointer: &str) -> Vec<Properties> {
        union.variants.iter().flat_map(|variant| self.variant_objects(union, variant, pointer)).collect()
    }

    fn variant_objects(&mut self, union: &'static Union, variant: &'static Variant, pointer: &str) -> Vec<Properties> {
        let tag_value = || -> Schema { one_of_names(std::iter::once(variant.key.name)).into() };
        match union.tagging {
            Tagging::External => {
                let body = self.body(variant, &join(pointer, variant.key.name));
                vec![vec![(variant.key.name.to_owned(), body)]]
            }
            Tagging::Internal { tag } => {
                let head = vec![vec![(tag.name.to_owned(), tag_value())]];
                product(&head, &self.body_objects(variant, pointer))
            }
            Tagging::Adjacent { tag, content } => {
                let mut properties = vec![(tag.name.to_owned(), tag_value())];
                if !matches!(variant.body, Body::Unit) {
                    properties.push((content.name.to_owned(), self.body(variant, &join(pointer, content.name))));
                }
                vec![properties]
            }
            Tagging::Untagged => self.body_objects(variant, pointer),
        }
    }

    fn body_objects(&mut self, variant: &'static Variant, pointer: &str) -> Vec<Properties> {
        match &variant.body {
            Body::Unit => vec![Vec::new()],
            Body::Newtype(edge) => self.flattened(edge.shape(), pointer),
            Body::Fields(fields) => self.alternatives(fields, pointer),
        }
    }
}

/// Puts the branches of a bare `anyOf` in its place.
fn flatten_unions(branches: &mut Vec<Schema>) {
    *branches = std::mem::take(branches)
        .into_iter()
        .flat_map(|branch| match branch {
            Schema::Node(node)
                if *node == (Node { any_of: node.any_of.clone(), ..Node::default() }) && !node.any_of.is_empty() =>
            {
                node.any_of
            }
            other => vec![other],
        })
        .collect();
}

fn one_of_names(names: impl Iterator<Item = &'static str>) -> Node {
    Node { types: vec![Type::String], enumeration: Some(names.map(Value::from).collect()), ..Node::default() }
}

pub(super) fn enumeration_node(enumeration: &'static Enumeration) -> Node {
    let mut node = Node {
        types: vec![if enumeration.integer { Type::Integer } else { Type::String }],
        description: enumeration.description.map(str::to_owned),
        enumeration: Some(
            enumeration
                .values
                .iter()
                .map(|value| match value.name.parse::<i64>() {
                    Ok(number) if enumeration.integer => Value::from(number),
                    _ => Value::from(value.name),
                })
                .collect(),
        ),
        ..Node::default()
    };
    node.describe(&described(enumeration.values.iter().map(|value| (value.name, value.description))));
    node
}

/// What names mean, a line each, for those that say so.
fn described(names: impl Iterator<Item = (&'static str, Option<&'static str>)>) -> String {
    names.filter_map(|(name, description)| Some(format!("- `{name}`: {}", description?))).collect::<Vec<_>>().join("\n")
}
