//! Every dependency that is shipped may be: its licences are on the list of `deny.toml`. Needs no network once the tests are built.

use std::collections::BTreeSet;
use std::process::Command;

use serde_json::Value;

/// The list in `deny.toml`, one licence a line.
fn allowed() -> BTreeSet<String> {
    let text = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/deny.toml")).unwrap();
    let (_, list) = text.split_once("allow = [").unwrap();
    let (list, _) = list.split_once("\n]").unwrap();
    list.lines().filter_map(|line| line.trim().strip_prefix('"')?.strip_suffix("\",").map(str::to_owned)).collect()
}

/// Whether an SPDX expression can be met from the list. `AND` binds tighter than `OR`; some packages write `/` for `OR`.
fn permits(expression: &str, allowed: &BTreeSet<String>) -> bool {
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let mut words = spaced.split_whitespace().peekable();
    either(&mut words, allowed) && words.next().is_none()
}

type Words<'a> = std::iter::Peekable<std::str::SplitWhitespace<'a>>;

fn either(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut met = both(words, allowed);
    while words.next_if_eq(&"OR").is_some() {
        met |= both(words, allowed);
    }
    met
}

fn both(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let mut met = one(words, allowed);
    while words.next_if_eq(&"AND").is_some() {
        met &= one(words, allowed);
    }
    met
}

fn one(words: &mut Words<'_>, allowed: &BTreeSet<String>) -> bool {
    let Some(licence) = words.next() else { return false };
    if licence == "(" {
        let met = either(words, allowed);
        return words.next() == Some(")") && met;
    }
    match words.next_if_eq(&"WITH").and_then(|_| words.next()) {
        Some(exception) => allowed.contains(&format!("{licence} WITH {exception}")),
        None => allowed.contains(licence),
    }
}

/// The platform that this is built on: packages for others need not be there.
fn host() -> String {
    let output = Command::new("rustc").arg("-vV").output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    text.lines().find_map(|line| line.strip_prefix("host: ")).unwrap().to_owned()
}

#[test]
fn every_shipped_dependency_has_an_allowed_licence() {
    let allowed = allowed();
    assert!(allowed.contains("MIT") && allowed.len() > 5, "{allowed:?}");
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--all-features", "--locked", "--filter-platform", &host()])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();

    // From the packages that are published, along normal dependencies.
    let nodes = metadata["resolve"]["nodes"].as_array().unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    let mut pending: Vec<&str> = packages
        .iter()
        .filter(|package| {
            ["geode", "geode-core", "geode-derive", "geode-cli"].contains(&package["name"].as_str().unwrap())
        })
        .map(|package| package["id"].as_str().unwrap())
        .collect();
    let mut shipped = BTreeSet::new();
    while let Some(id) = pending.pop() {
        if !shipped.insert(id) {
            continue;
        }
        let node = nodes.iter().find(|node| node["id"] == id).unwrap();
        for dependency in node["deps"].as_array().unwrap() {
            if dependency["dep_kinds"].as_array().unwrap().iter().any(|kind| kind["kind"].is_null()) {
                pending.push(dependency["pkg"].as_str().unwrap());
            }
        }
    }
    assert!(shipped.len() > 50, "{}", shipped.len());

    let refused: Vec<String> = packages
        .iter()
        .filter(|package| shipped.contains(package["id"].as_str().unwrap()))
        .filter(|package| !permits(package["license"].as_str().unwrap_or_default(), &allowed))
        .map(|package| format!("{}: {}", package["name"], package["license"]))
        .collect();
    assert!(refused.is_empty(), "{}", refused.join("\n"));
}

#[test]
fn an_expression_is_read_by_its_operators() {
    let allowed = BTreeSet::from(["MIT".to_owned(), "ISC".to_owned()]);
    assert!(permits("MIT", &allowed) && permits("MIT/GPL-3.0", &allowed) && permits("GPL-3.0 OR ISC", &allowed));
    assert!(permits("(MIT OR GPL-3.0) AND ISC", &allowed));
    assert!(
        !permits("MIT AND GPL-3.0", &allowed) && !permits("(GPL-3.0 OR X) AND MIT", &allowed) && !permits("", &allowed)
    );
}
