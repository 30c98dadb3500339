//! The canonical schema of a shape: draft 2020-12, closed, everything required, in declaration order.

use std::collections::HashMap;

use serde_json::Value;

use super::name::type_name;
use super::node::{Node, Schema, Type};
use super::read::SchemaError;
use super::references::inline_single_uses;
use super::union::enumeration_node;
use super::{join, name_of, narrow::narrow};
use crate::shape::{Annotated, Edge, Field, Object, Role, Rules, Shape};

/// The canonical schema of `shape`: what the parser accepts, and nothing else.
///
/// Types that are used more than once or contain themselves stand under `$defs`.
///
/// # Errors
///
/// Where the shape has no wire form: two flattened properties of one name, or a `null` that could mean two things.
pub fn from_shape(shape: &'static Shape) -> Result<Schema, Vec<SchemaError>> {
    let mut builder = Builder::default();
    let mut root = builder.schema(shape, &[], "");
    if let Some(name) = root.node().and_then(|node| node.reference.as_deref()).and_then(super::local_target)
        && let Some((_, body)) = builder.definitions.iter().find(|(other, _)| *other == name)
    {
        root = body.clone();
    }
    if !builder.errors.is_empty() {
        return Err(builder.errors);
    }
    if let Some(node) = root.node_mut() {
        node.title = Some(name_of(shape).into_owned());
        node.definitions = builder.definitions;
        inline_single_uses(node);
    }
    Ok(root)
}

/// Most references and branches in a row that are followed in looking for a `null`.
const MOST_STEPS: usize = 16;

/// The properties of one closed object.
pub(super) type Properties = Vec<(String, Schema)>;

#[derive(Default)]
pub(super) struct Builder {
    pub(super) definitions: Vec<(String, Schema)>,
    /// Place of each type's definition, by the type's identity.
    places: HashMap<String, usize>,
    /// Flattened types on the way from the root, to stop at one that contains itself.
    pub(super) flattening: Vec<&'static str>,
    pub(super) errors: Vec<SchemaError>,
}

impl Builder {
    /// The schema of a value of `shape` under `rules`, the outermost first.
    pub(super) fn schema(&mut self, shape: &'static Shape, rules: &[&'static Rules], pointer: &str) -> Schema {
        let mut node = match shape {
            Shape::Null => Node { types: vec![Type::Null], ..Node::default() },
            Shape::Boolean => Node { types: vec![Type::Boolean], ..Node::default() },
            Shape::Integer { minimum, maximum } => {
                Node { types: vec![Type::Integer], minimum: Some(*minimum), maximum: Some(*maximum), ..Node::default() }
            }
            Shape::Number => Node { types: vec![Type::Number], ..Node::default() },
            Shape::String => Node { types: vec![Type::String], ..Node::default() },
            Shape::JsonText => Node {
                types: vec![Type::String],
                other: vec![("contentMediaType".to_owned(), Value::from("application/json"))],
                ..Node::default()
            },
            Shape::Array { items, minimum, maximum, unique } => Node {
                types: vec![Type::Array],
                items: Some(self.schema(items.shape(), &inner(rules), &format!("{pointer}/items"))),
                min_items: minimum.map(|count| count as u64),
                max_items: maximum.map(|count| count as u64),
                unique_items: *unique,
                ..Node::default()
            },
            Shape::Map { key, value } => self.map(key, value, rules, pointer),
            Shape::Nullable(of) => return self.nullable(of, rules, pointer),
            Shape::Enumeration(enumeration) if rules.is_empty() => {
                return self.definition(enumeration.name, (enumeration.id)().to_owned(), &|_, _| {
                    enumeration_node(enumeration).into()
                });
            }
            Shape::Enumeration(enumeration) => enumeration_node(enumeration),
            Shape::Object(object) => {
                return self
                    .definition(object.name, (object.id)().to_owned(), &|builder, _| builder.object(object, pointer));
            }
            Shape::Union(union) => {
                return self
                    .definition(union.name, (union.id)().to_owned(), &|builder, _| builder.union(union, pointer));
            }
            Shape::Annotated(annotated) => return self.annotated(annotated, rules, pointer),
            #[cfg(feature = "schemars")]
            Shape::Foreign(foreign) => return self.foreign(foreign, pointer),
        };
        for rules in rules {
            narrow(&mut node, rules);
        }
        node.into()
    }

    /// A reference to the definition of a type, which is made when it is met first.
    pub(super) fn definition(
        &mut self,
        name: &str,
        identity: String,
        make: &dyn Fn(&mut Self, &str) -> Schema,
    ) -> Schema {
        if let Some((name, _)) = self.places.get(&identity).and_then(|place| self.definitions.get(*place)) {
            return Schema::reference(name);
        }
        let key = self.free_name(&type_name(name, &identity));
        // Holds the place, so that definitions stand in the order in which the types are met.
        let index = self.definitions.len();
        self.places.insert(identity, index);
        self.definitions.push((key.clone(), Schema::Boolean(true)));
        let body = make(self, &key);
        if let Some(slot) = self.definitions.get_mut(index) {
            slot.1 = body;
        }
        Schema::reference(&key)
    }

    /// A name for a definition that no other one has.
    pub(super) fn free_name(&self, base: &str) -> String {
        let mut name = base.to_owned();
        let mut number = 2;
        while self.definitions.iter().any(|(taken, _)| *taken == name) {
            name = format!("{base}_{number}");
            number += 1;
        }
        name
    }

    fn annotated(&mut self, annotated: &'static Annotated, rules: &[&'static Rules], pointer: &str) -> Schema {
        if let Some(name) = annotated.name
            && rules.is_empty()
        {
            let identity = format!("{name} at {annotated:p}");
            return self.definition(name, identity, &|builder, _| builder.annotated_body(annotated, &[], pointer));
        }
        self.annotated_body(annotated, rules, pointer)
    }

    fn annotated_body(&mut self, annotated: &'static Annotated, rules: &[&'static Rules], pointer: &str) -> Schema {
        let mut all = rules.to_vec();
        all.extend(constraining(annotated.rules));
        let mut schema = self.schema(annotated.of.shape(), &all, pointer);
        annotate(&mut schema, annotated.description, annotated.examples);
        schema
    }

    fn nullable(&mut self, of: &Edge, rules: &[&'static Rules], pointer: &str) -> Schema {
        let inner = self.schema(of.shape(), rules, pointer);
        let ambiguous = self.takes_null(&inner, MOST_STEPS);
        let mut node = match inner {
            Schema::Node(node) if is_bare_union(&node) => *node,
            inner => Node { any_of: vec![inner], ..Node::default() },
        };
        if ambiguous {
            self.error(pointer, "`null` could mean two things here: an `Option` of a type that can be `null` itself");
        }
        node.any_of.push(Schema::of_type(Type::Null));
        node.into()
    }

    /// Whether `null` is one of the values, as far as it can be seen within so many steps.
    fn takes_null(&self, schema: &Schema, steps: usize) -> bool {
        let (Some(node), Some(steps)) = (schema.node(), steps.checked_sub(1)) else { return false };
        let target = node.reference.as_deref().and_then(super::local_target);
        let definition = self.definitions.iter().find(|(name, _)| Some(name) == target.as_ref());
        node.types.contains(&Type::Null)
            || node.any_of.iter().chain(&node.one_of).any(|branch| self.takes_null(branch, steps))
            || definition.is_some_and(|(_, body)| self.takes_null(body, steps))
    }

    fn map(&mut self, key: &Edge, value: &Edge, rules: &[&'static Rules], pointer: &str) -> Node {
        let base = format!("{pointer}/items/properties");
        let entry = Node::closed_object(vec![
            ("key".to_owned(), self.schema(key.shape(), &[], &join(&base, "key"))),
            ("value".to_owned(), self.schema(value.shape(), &inner(rules), &join(&base, "value"))),
        ]);
        Node { types: vec![Type::Array], items: Some(entry.into()), ..Node::default() }
    }

    fn object(&mut self, object: &'static Object, pointer: &str) -> Schema {
        let alternatives = self.alternatives(object.fields, pointer);
        let mut schema = self.closed(alternatives, pointer);
        annotate(&mut schema, object.description, &[]);
        schema
    }

    /// Closed objects as one schema: the object itself where there is one, else `anyOf`.
    pub(super) fn closed(&mut self, alternatives: Vec<Properties>, pointer: &str) -> Schema {
        let mut branches = Vec::with_capacity(alternatives.len());
        for properties in alternatives {
            for (index, (name, _)) in properties.iter().enumerate() {
                if properties.iter().take(index).any(|(other, _)| other == name) {
                    self.error(&join(pointer, name), "two properties have this name once flattened fields are merged");
                }
            }
            branches.push(Node::closed_object(properties).into());
        }
        any_of(branches)
    }

    pub(super) fn property(&mut self, field: &'static Field, pointer: &str) -> Schema {
        let mut schema = match field.role() {
            Role::Constant(text) => {
                Node { types: vec![Type::String], constant: Some(Value::from(text)), ..Node::default() }.into()
            }
            _ => {
                let rules: Vec<_> = constraining(field.rules()).collect();
                self.schema(field.shape(), &rules, pointer)
            }
        };
        annotate(&mut schema, field.description(), field.examples());
        schema
    }

    pub(super) fn error(&mut self, pointer: &str, reason: &str) {
        self.errors.push(SchemaError { pointer: pointer.to_owned(), reason: reason.to_owned() });
    }
}

/// One schema that accepts what any of `branches` accepts.
pub(super) fn any_of(mut branches: Vec<Schema>) -> Schema {
    match branches.pop() {
        Some(only) if branches.is_empty() => only,
        Some(last) => {
            branches.push(last);
            Node { any_of: branches, ..Node::default() }.into()
        }
        None => Schema::Boolean(false),
    }
}

/// Whether the node is `anyOf` with words about it and nothing else.
fn is_bare_union(node: &Node) -> bool {
    !node.any_of.is_empty() && node.keywords().iter().all(|keyword| matches!(*keyword, "anyOf" | "description"))
}

/// Rules that say anything, as a list of none or one.
fn constraining(rules: &'static Rules) -> impl Iterator<Item = &'static Rules> {
    std::iter::once(rules).filter(|rules| !rules.is_none())
}

fn inner(rules: &[&'static Rules]) -> Vec<&'static Rules> {
    rules.iter().filter_map(|rules| rules.inner).flat_map(constraining).collect()
}

/// Puts words about one place before the words about its type.
pub(super) fn annotate(schema: &mut Schema, description: Option<&str>, examples: &[&str]) {
    let Some(node) = schema.node_mut() else { return };
    if let Some(description) = description {
        let own = node.description.replace(description.to_owned());
        if let Some(own) = own {
            node.describe(&own);
        }
    }
    // The derive has checked that each example is JSON.
    let examples: Vec<Value> = examples.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
    if !examples.is_empty() {
        node.examples = Some(examples);
    }
}
