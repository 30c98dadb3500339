//! References between a schema and its definitions.
//!
//! Everything here works on the canonical form: definitions under `$defs` of the root, references `#/$defs/Name`.

use std::collections::{HashMap, HashSet};

use super::cycles;
use super::node::{Node, Schema};
use super::pointer::unescape;

/// The definition that a reference of the canonical form points to.
pub(crate) fn local_target(reference: &str) -> Option<String> {
    let token = reference.strip_prefix("#/$defs/")?;
    (!token.contains('/')).then(|| unescape(token))
}

/// How often each definition is referenced, from `schema` alone: not through what it references.
fn count_references(schema: &Schema, counts: &mut HashMap<String, usize>) {
    let Some(node) = schema.node() else { return };
    if let Some(target) = node.reference.as_deref().and_then(local_target) {
        *counts.entry(target).or_default() += 1;
    }
    for (_, child) in node.children() {
        count_references(child, counts);
    }
}

/// What each definition references directly.
fn edges(root: &Node) -> HashMap<&str, HashSet<String>> {
    root.definitions
        .iter()
        .map(|(name, schema)| {
            let mut counts = HashMap::new();
            count_references(schema, &mut counts);
            (name.as_str(), counts.into_keys().collect())
        })
        .collect()
}

/// All definitions that can be reached from `from`.
fn reachable(from: impl IntoIterator<Item = String>, edges: &HashMap<&str, HashSet<String>>) -> HashSet<String> {
    let mut reached = HashSet::new();
    let mut pending: Vec<String> = from.into_iter().collect();
    while let Some(name) = pending.pop() {
        if let Some(next) = edges.get(name.as_str())
            && reached.insert(name)
        {
            pending.extend(next.iter().cloned());
        }
    }
    reached
}

/// The definitions that lead back to themselves, in document order.
pub(crate) fn recursive_definitions(root: &Node) -> Vec<String> {
    let edges = edges(root);
    let names: Vec<&str> = root.definitions.iter().map(|(name, _)| name.as_str()).collect();
    let index: HashMap<&str, usize> = names.iter().enumerate().map(|(index, name)| (*name, index)).collect();
    let targets = |name: &str| edges.get(name).into_iter().flatten().filter_map(|to| index.get(to.as_str()).copied());
    let graph: Vec<Vec<usize>> = names.iter().map(|name| targets(name).collect()).collect();
    let in_cycle = cycles::in_cycle(&graph);
    names.into_iter().zip(in_cycle).filter(|(_, cyclic)| *cyclic).map(|(name, _)| name.to_owned()).collect()
}

/// Drops the definitions that nothing reaches from the root.
pub(crate) fn prune(root: &mut Node) {
    let definitions = std::mem::take(&mut root.definitions);
    let mut counts = HashMap::new();
    for (_, child) in root.children() {
        count_references(child, &mut counts);
    }
    if let Some(target) = root.reference.as_deref().and_then(local_target) {
        counts.insert(target, 1);
    }
    root.definitions = definitions;
    let reached = reachable(counts.into_keys(), &edges(root));
    root.definitions.retain(|(name, _)| reached.contains(name));
}

/// Puts definitions in the place of the references to them that `chosen` picks, by the reference's own node and the
/// definition's name. Recursive definitions stay.
///
/// `false` says that the schema would grow over a limit: references are then left in it.
pub(crate) fn inline(root: &mut Node, chosen: impl Fn(&Node, &str) -> bool) -> bool {
    let recursive: HashSet<String> = recursive_definitions(root).into_iter().collect();
    let bodies: HashMap<String, (Schema, usize)> = root
        .definitions
        .iter()
        .filter(|(name, _)| !recursive.contains(name))
        .map(|(name, body)| (name.clone(), (body.clone(), parts(body))))
        .collect();
    let mut room = MOST_INLINED;
    for (_, child) in root.children_mut() {
        inline_in(child, &bodies, &chosen, &mut room, 0);
    }
    prune(root);
    room > 0
}

/// Most parts of a schema that are written out in the places of references: forty definitions that each refer to the next
/// one twice would come to billions.
pub(crate) const MOST_INLINED: usize = 50_000;

/// Deepest nesting that writing out comes to: a JSON reader takes hardly more.
pub(crate) const MOST_LEVELS: usize = 100;

fn parts(schema: &Schema) -> usize {
    1 + schema.node().map_or(0, |node| node.children().into_iter().map(|(_, child)| parts(child)).sum())
}

/// Puts each definition that is referenced once in its only place.
pub(crate) fn inline_single_uses(root: &mut Node) {
    prune(root);
    let mut counts = HashMap::new();
    for (_, child) in root.children() {
        count_references(child, &mut counts);
    }
    inline(root, |_, name| counts.get(name) == Some(&1));
}

/// Makes every reference stand alone: what is beside it goes around it, into an `anyOf` of one.
pub(crate) fn wrap_references(root: &mut Node) {
    for (_, child) in root.children_mut() {
        let Some(node) = child.node_mut() else { continue };
        if node.reference.is_some() && node.keywords().len() > 1 {
            let alone = Node { reference: node.reference.take(), ..Node::default() };
            node.any_of.push(alone.into());
        }
        wrap_references(node);
    }
}

fn inline_in(
    schema: &mut Schema,
    bodies: &HashMap<String, (Schema, usize)>,
    chosen: &impl Fn(&Node, &str) -> bool,
    room: &mut usize,
    level: usize,
) {
    let Some(node) = schema.node_mut() else { return };
    if let Some(target) = node.reference.as_deref().and_then(local_target)
        && let Some((body, parts)) = bodies.get(&target)
        && chosen(node, &target)
    {
        *room = if level > MOST_LEVELS { 0 } else { room.saturating_sub(*parts) };
        if *room == 0 {
            return;
        }
        let mut replacement = body.clone();
        if let Some(inner) = replacement.node_mut() {
            keep_annotations(node, inner);
        }
        *schema = replacement;
        inline_in(schema, bodies, chosen, room, level + 1);
        return;
    }
    for (_, child) in node.children_mut() {
        inline_in(child, bodies, chosen, room, level + 1);
    }
}

/// Moves what stands beside a reference onto the schema that takes its place: the place's own words come first.
fn keep_annotations(reference: &mut Node, target: &mut Node) {
    let own = target.description.take();
    target.description = reference.description.take();
    if let Some(own) = own
        && target.description.as_deref() != Some(own.as_str())
    {
        target.describe(&own);
    }
    if reference.title.is_some() {
        target.title = reference.title.take();
    }
    if reference.default.is_some() {
        target.default = reference.default.take();
    }
    if reference.examples.is_some() {
        target.examples = reference.examples.take();
    }
}
