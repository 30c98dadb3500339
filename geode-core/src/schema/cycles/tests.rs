use super::in_cycle;

/// What the algorithm says, by following every way.
fn by_search(graph: &[Vec<usize>]) -> Vec<bool> {
    let reaches = |from: usize, to: usize| {
        let (mut reached, mut pending) = (vec![false; graph.len()], graph[from].clone());
        while let Some(node) = pending.pop() {
            if !std::mem::replace(&mut reached[node], true) {
                pending.extend(&graph[node]);
            }
        }
        reached[to]
    };
    (0..graph.len()).map(|node| reaches(node, node)).collect()
}

#[test]
fn the_same_as_following_every_way() {
    let mut dice = 7u64;
    let mut roll = |sides: u64| {
        dice = dice.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((dice >> 33) % sides) as usize
    };
    for round in 0..2_000 {
        let nodes = 1 + round % 9;
        let graph: Vec<Vec<usize>> = (0..nodes).map(|_| (0..roll(3)).map(|_| roll(nodes as u64)).collect()).collect();
        assert_eq!(in_cycle(&graph), by_search(&graph), "{graph:?}");
    }
}

#[test]
fn a_long_chain_needs_no_stack() {
    let mut graph: Vec<Vec<usize>> = (1..=200_000).map(|next| vec![next]).collect();
    graph.push(Vec::new());
    assert!(!in_cycle(&graph).contains(&true));
    graph[200_000].push(0);
    assert!(!in_cycle(&graph).contains(&false));
}
