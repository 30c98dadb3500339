//! Which nodes of a graph lead back to themselves.

/// What is known of one node.
#[derive(Clone, Default)]
struct Seen {
    /// When it was met first, counted from 1; 0 where it was not yet.
    order: usize,
    /// The earliest node that is known to be in its component.
    low: usize,
    /// Whether its component is still open.
    open: bool,
    cyclic: bool,
}

/// For each node, whether a way of one step or more leads from it to itself. `graph` lists the targets of each node;
/// targets beyond it are none.
///
/// Tarjan's strongly connected components, without recursion: a node is in a cycle if its component has several nodes, or
/// if it has an edge to itself. Linear in nodes and edges.
pub(crate) fn in_cycle(graph: &[Vec<usize>]) -> Vec<bool> {
    let mut seen = vec![Seen::default(); graph.len()];
    let (mut open, mut count) = (Vec::new(), 0);
    for start in 0..graph.len() {
        if seen.get(start).is_some_and(|seen| seen.order > 0) {
            continue;
        }
        // Nodes on the way, each with the edges that are still to be followed.
        let mut way: Vec<(usize, &[usize])> = vec![(start, &[])];
        while let Some((node, mut edges)) = way.pop() {
            let Some(at) = seen.get_mut(node) else { continue };
            if at.order == 0 {
                count += 1;
                *at = Seen { order: count, low: count, open: true, cyclic: false };
                open.push(node);
                edges = graph.get(node).map_or(&[], Vec::as_slice);
            }
            if let Some((&target, rest)) = edges.split_first() {
                way.push((node, rest));
                match seen.get(target).map(|target| (target.order, target.open)) {
                    Some((0, _)) => way.push((target, &[])),
                    Some((order, true)) => lower(&mut seen, node, order),
                    _ => {}
                }
                if target == node
                    && let Some(at) = seen.get_mut(node)
                {
                    at.cyclic = true;
                }
                continue;
            }
            let Some(&Seen { order, low, .. }) = seen.get(node) else { continue };
            if let Some(&(parent, _)) = way.last() {
                lower(&mut seen, parent, low);
            }
            if low == order {
                let first = open.iter().rposition(|of| *of == node).unwrap_or_default();
                let several = open.len() - first > 1;
                for of in open.drain(first..) {
                    if let Some(of) = seen.get_mut(of) {
                        of.open = false;
                        of.cyclic |= several;
                    }
                }
            }
        }
    }
    seen.into_iter().map(|seen| seen.cyclic).collect()
}

fn lower(seen: &mut [Seen], node: usize, low: usize) {
    if let Some(seen) = seen.get_mut(node) {
        seen.low = seen.low.min(low);
    }
}

#[cfg(test)]
mod tests;
