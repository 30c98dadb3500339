//! Enums: with data as `anyOf` of closed objects, the tag first; without as one flat `enum`.

use serde_json::Value;

use super::flatten::product;
use super::from_shape::{Builder, Properties, annotate, any_of};
use super::join;
use super::node::{Node, Schema, Type};
use crate::shape::{Body, Enumeration, Tagging, Union, Variant};

impl Builder {
    pub(super) fn union(&mut self, union: &'static Union, pointer: &str) -> Schema {
        let mut branches = Vec::new();
        let mut units_done = false;
        for variant in union.variants {
            if is_bare_string(union, variant) {
                if !std::mem::replace(&mut units_done, true) {
                    branches.push(unit_names(union));
                }
                continue;
            }
            let mut schema = match tagging(union, variant) {
                Tagging::Untagged | Tagging::Version { .. } => self.body(variant, pointer),
                _ => {
                    let alternatives = self.variant_objects(union, variant, pointer);
                    self.closed(alternatives, pointer)
                }
            };
            annotate(&mut schema, variant.description, &[]);
            branches.push(schema);
        }
        flatten_unions(&mut branches);
        let mut schema = any_of(branches);
        annotate(&mut schema, union.description, &[]);
        schema
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
        let tag_value = || -> Schema { one_of_names(std::iter::once(variant.name)).into() };
        match tagging(union, variant) {
            Tagging::External => {
                let body = self.body(variant, &join(pointer, variant.name));
                vec![vec![(variant.name.to_owned(), body)]]
            }
            Tagging::Internal { tag } => {
                let head = vec![vec![(tag.to_owned(), tag_value())]];
                product(&head, &self.body_objects(variant, pointer))
            }
            Tagging::Adjacent { tag, content } => {
                let mut properties = vec![(tag.to_owned(), tag_value())];
                if !matches!(variant.body, Body::Unit) {
                    properties.push((content.to_owned(), self.body(variant, &join(pointer, content))));
                }
                vec![properties]
            }
            Tagging::Untagged | Tagging::Version { .. } => self.body_objects(variant, pointer),
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

/// How a value says that it is this variant.
fn tagging(union: &Union, variant: &Variant) -> Tagging {
    if variant.untagged { Tagging::Untagged } else { union.tagging }
}

/// Externally tagged unit variants are bare strings.
fn is_bare_string(union: &Union, variant: &Variant) -> bool {
    matches!((tagging(union, variant), &variant.body), (Tagging::External, Body::Unit))
}

/// All bare strings of a union together: one `enum`.
fn unit_names(union: &'static Union) -> Schema {
    let units = || union.variants.iter().filter(|variant| is_bare_string(union, variant));
    let mut node = one_of_names(units().map(|unit| unit.name));
    node.describe(&described(units().map(|unit| (unit.name, unit.description))));
    node.into()
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
