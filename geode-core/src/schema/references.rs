//! References between a schema and its definitions.
//!
//! Everything here works on the canonical form: definitions under `$defs` of the root, references `#/$defs/Name`.

use std::collections::HashMap;

use super::cycles;
use super::node::{Node, Schema};
use super::pointer::unescape;

/// The definition that a reference of the canonical form points to.
pub(crate) fn local_target(reference: &str) -> Option<String> {
    let token = reference.strip_prefix("#/$defs/")?;
    (!token.contains('/')).then(|| unescape(token))
}

/// Where each definition stands in the document.
type Index = HashMap<String, usize>;

fn index(root: &Node) -> Index {
    root.definitions.iter().enumerate().map(|(at, (name, _))| (name.clone(), at)).collect()
}

/// Adds the definitions that `schema` alone references, as often as it does: not those that they reference.
fn references(schema: &Schema, index: &Index, found: &mut Vec<usize>) {
    let Some(node) = schema.node() else { return };
    found.extend(target(node, index));
    for (_, child) in node.children() {
        references(child, index, found);
    }
}

/// The definition that a node references.
fn target(node: &Node, index: &Index) -> Option<usize> {
    index.get(&node.reference.as_deref().and_then(local_target)?).copied()
}

/// What each definition references directly.
fn edges(root: &Node, index: &Index) -> Vec<Vec<usize>> {
    let edges = root.definitions.iter().map(|(_, schema)| {
        let mut found = Vec::new();
        references(schema, index, &mut found);
        found
    });
    edges.collect()
}

/// The definitions that lead back to themselves, by their places.
fn recursive(root: &Node) -> Vec<bool> {
    cycles::in_cycle(&edges(root, &index(root)))
}

/// The definitions that lead back to themselves, in document order.
pub(crate) fn recursive_definitions(root: &Node) -> Vec<String> {
    let all = root.definitions.iter().zip(recursive(root));
    all.filter(|(_, recursive)| *recursive).map(|((name, _), _)| name.clone()).collect()
}

/// Drops the definitions that nothing reaches from the root.
pub(crate) fn prune(root: &mut Node) {
    let index = index(root);
    let edges = edges(root, &index);
    let definitions = std::mem::take(&mut root.definitions);
    let mut pending: Vec<usize> = target(root, &index).into_iter().collect();
    for (_, child) in root.children() {
        references(child, &index, &mut pending);
    }
    let mut reached = vec![false; definitions.len()];
    while let Some(at) = pending.pop() {
        if let (Some(reached @ false), Some(next)) = (reached.get_mut(at), edges.get(at)) {
            *reached = true;
            pending.extend(next);
        }
    }
    let kept = definitions.into_iter().zip(reached).filter(|(_, reached)| *reached);
    root.definitions = kept.map(|(definition, _)| definition).collect();
}

/// Puts definitions in the place of the references to them that `chosen` picks, by the reference's own node and the
/// definition's place. Recursive definitions stay.
///
/// `false` says that the schema would grow over a limit: references are then left in it.
pub(crate) fn inline(root: &mut Node, chosen: impl Fn(&Node, usize) -> bool) -> bool {
    let bodies = root.definitions.iter().zip(recursive(root));
    let bodies = bodies.map(|((_, body), recursive)| (!recursive).then(|| (body.clone(), parts(body)))).collect();
    let bodies = Bodies { index: index(root), bodies };
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
    let index = index(root);
    let mut found = Vec::new();
    for (_, child) in root.children() {
        references(child, &index, &mut found);
    }
    let mut counts = vec![0usize; root.definitions.len()];
    for at in found {
        if let Some(count) = counts.get_mut(at) {
            *count += 1;
        }
    }
    inline(root, |_, at| counts.get(at) == Some(&1));
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

/// The definitions that may be written out, each with its size.
struct Bodies {
    index: Index,
    bodies: Vec<Option<(Schema, usize)>>,
}

fn inline_in(
    schema: &mut Schema,
    bodies: &Bodies,
    chosen: &dyn Fn(&Node, usize) -> bool,
    room: &mut usize,
    level: usize,
) {
    let Some(node) = schema.node_mut() else { return };
    if let Some(target) = target(node, &bodies.index)
        && let Some(Some((body, parts))) = bodies.bodies.get(target)
        && chosen(node, target)
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
