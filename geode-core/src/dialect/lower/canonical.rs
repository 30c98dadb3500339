//! Raw schemas to the canonical form that the other passes work on.

use std::collections::HashSet;

use super::Lowering;
use super::disjoint::all_disjoint;
use super::gather::{gather_definitions, write_out_root};
use super::merge::{merge, merge_schemas};
use super::types::{infer_type, split_types};
use crate::dialect::facts::Absence;
use crate::dialect::{Breach, Weakening};
use crate::schema::{Node, Schema, Type, inline_single_uses, join, local_target};

impl Lowering {
    /// Says the same in the keywords that strict providers share: definitions under `$defs`, `allOf` merged, `oneOf` as
    /// `anyOf` where its branches exclude each other, a type everywhere, objects closed, and every property required
    /// where the dialect wants that.
    pub(super) fn canonical(&mut self, mut schema: Schema) -> Schema {
        gather_definitions(&mut schema);
        let Some(root) = schema.node_mut() else { return schema };
        let definitions = root.definitions.clone();
        write_out_root(root, &definitions);
        self.rewrite(&mut schema, "", &definitions);
        // Whoever takes the definitions of others' types counts how often each is used.
        if !self.lenient
            && let Some(root) = schema.node_mut()
        {
            inline_single_uses(root);
        }
        schema
    }

    fn rewrite(&mut self, schema: &mut Schema, pointer: &str, definitions: &[(String, Schema)]) {
        let Some(node) = schema.node_mut() else { return };
        merge_all_of(node, definitions);
        if !node.one_of.is_empty() && !self.dialect.takes("oneOf") && node.any_of.is_empty() {
            if all_disjoint(&node.one_of, definitions) {
                node.any_of = std::mem::take(&mut node.one_of);
            } else if !self.lenient {
                let rule = "the branches of `oneOf` may overlap, so that `anyOf` would say less".to_owned();
                self.refuse(pointer, "oneOf", rule, "give each branch a required property of one value of its own");
            }
        }
        distribute(node, self.dialect.beside_any_of);
        infer_type(node);
        split_types(node, self.lenient);
        collapse(node);
        self.close(node, pointer);
        for (token, child) in node.children_mut() {
            self.rewrite(child, &format!("{pointer}{token}"), definitions);
        }
        if self.dialect.absence == Absence::Never {
            self.require_all(node, pointer);
        }
    }

    fn refuse(&mut self, pointer: &str, keyword: &str, rule: String, help: &'static str) {
        self.breaches.push(Breach { pointer: pointer.to_owned(), keyword: keyword.to_owned(), rule, help });
    }

    /// Closes an object that says nothing of further properties. One that has no others would accept `{}` alone.
    fn close(&mut self, node: &mut Node, pointer: &str) {
        if !self.dialect.closed || !node.is_object() || node.additional == Some(Schema::Boolean(false)) {
            return;
        }
        let open = node.additional.is_some() && node.additional != Some(Schema::Boolean(true));
        let bare = node.additional.is_none() && node.properties.as_ref().is_some_and(|list| !list.is_empty());
        if self.lenient && !bare {
            return;
        }
        if open || node.properties.as_ref().is_none_or(Vec::is_empty) {
            let rule = format!("{} takes only closed objects, and this one's keys are open", self.dialect.provider);
            self.refuse(pointer, "additionalProperties", rule, "write it as an array of {key, value} objects");
        } else if node.additional.is_some() {
            let rule = format!("{} takes only closed objects, and this one asks for more keys", self.dialect.provider);
            self.refuse(pointer, "additionalProperties", rule, "name the properties and set it to false");
        } else {
            node.additional = Some(Schema::Boolean(false));
            self.weakenings.push(Weakening {
                pointer: pointer.to_owned(),
                keyword: "additionalProperties".to_owned(),
                reason: "closed: keys beyond the named ones, which the schema lets pass, can't come".to_owned(),
            });
        }
    }

    /// Requires what was optional, and lets it be `null` instead.
    fn require_all(&mut self, node: &mut Node, pointer: &str) {
        let required = node.required.take().unwrap_or_default();
        let Some(properties) = &mut node.properties else {
            node.required = (!required.is_empty()).then_some(required);
            return;
        };
        let known: HashSet<&String> = required.iter().collect();
        for (name, schema) in properties.iter_mut().filter(|(name, _)| !known.contains(name)) {
            make_nullable(schema);
            self.weakenings.push(Weakening {
                pointer: join(&format!("{pointer}/properties"), name),
                keyword: "required".to_owned(),
                reason: format!("{} requires every property: `null` stands for an absent one", self.dialect.provider),
            });
        }
        node.required = Some(properties.iter().map(|(name, _)| name.clone()).collect());
    }
}

fn make_nullable(schema: &mut Schema) {
    let Some(node) = schema.node_mut() else { return };
    if node.types.contains(&Type::Null) || node.any_of.iter().any(Schema::is_null) {
        return;
    }
    if !node.any_of.is_empty() && node.keywords().iter().all(|keyword| matches!(*keyword, "anyOf" | "description")) {
        node.any_of.push(Schema::of_type(Type::Null));
        return;
    }
    let mut inner = std::mem::take(node);
    node.description = inner.description.take();
    node.any_of = vec![inner.into(), Schema::of_type(Type::Null)];
}

/// Most times that what an `allOf` refers to is written out, and most branches that it may come to have: it can lead back
/// to itself, or double with each step.
const MOST_ROUNDS: usize = 64;
const MOST_BRANCHES: usize = 256;

/// Writes `allOf`, and constraints beside a reference, as one schema where that can be.
fn merge_all_of(node: &mut Node, definitions: &[(String, Schema)]) {
    let before = node.clone();
    for _ in 0..MOST_ROUNDS {
        merge_once(node, definitions);
        if node.all_of.is_empty() {
            return;
        }
        if node.all_of.len() > MOST_BRANCHES {
            break;
        }
    }
    *node = before;
}

fn merge_once(node: &mut Node, definitions: &[(String, Schema)]) {
    let constrained =
        node.keywords().into_iter().any(|keyword| keyword != "$ref" && !crate::dialect::lint::is_annotation(keyword));
    if node.reference.is_some() && constrained {
        let alone = Node { reference: node.reference.take(), ..Node::default() };
        node.all_of.insert(0, alone.into());
    }
    if node.all_of.is_empty() {
        return;
    }
    if let [only] = node.all_of.as_slice()
        && let Some(reference) =
            only.node().filter(|branch| branch.keywords() == ["$ref"]).and_then(|branch| branch.reference.clone())
        && !constrained_beside_all_of(node)
    {
        node.all_of.clear();
        node.reference = Some(reference);
        return;
    }
    let mut merged = Node { all_of: Vec::new(), ..node.clone() };
    for branch in &node.all_of {
        let branch = resolved(branch, definitions);
        match merge_schemas(&merged.clone().into(), &branch) {
            Some(Schema::Node(both)) => merged = *both,
            _ => return,
        }
    }
    *node = merged;
}

fn constrained_beside_all_of(node: &Node) -> bool {
    node.keywords().into_iter().any(|keyword| keyword != "allOf" && !crate::dialect::lint::is_annotation(keyword))
}

/// The schema that a reference leads to; a recursive one stays a reference.
fn resolved(schema: &Schema, definitions: &[(String, Schema)]) -> Schema {
    let mut schema = schema.clone();
    for _ in 0..definitions.len() {
        let Some(target) = schema.node().and_then(|node| node.reference.as_deref()).and_then(local_target) else {
            return schema;
        };
        match definitions.iter().find(|(name, _)| *name == target) {
            Some((_, body)) => schema = body.clone(),
            None => return schema,
        }
    }
    schema
}

/// Moves what stands beside `anyOf` into its branches, for a dialect that wants `anyOf` alone.
fn distribute(node: &mut Node, beside: Option<&[&str]>) {
    let Some(beside) = beside else { return };
    if node.any_of.is_empty() || node.keywords().iter().all(|keyword| *keyword == "anyOf" || beside.contains(keyword)) {
        return;
    }
    let mut base = Node { any_of: Vec::new(), ..node.clone() };
    let kept = Node {
        title: base.title.take(),
        description: base.description.take(),
        definitions: std::mem::take(&mut base.definitions),
        ..Node::default()
    };
    let base = Schema::from(base);
    let branches: Option<Vec<Schema>> = node.any_of.iter().map(|branch| merge_schemas(&base, branch)).collect();
    if let Some(any_of) = branches {
        *node = Node { any_of, ..kept };
    }
}

/// `anyOf` of one schema, with words about it, is that schema.
fn collapse(node: &mut Node) {
    if let [Schema::Node(only)] = node.any_of.as_slice()
        && only.reference.is_none()
    {
        let outer = Node { any_of: Vec::new(), ..node.clone() };
        if let Some(merged) = merge(&outer, only) {
            *node = merged;
        }
    }
}
