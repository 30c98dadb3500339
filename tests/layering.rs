//! Imports in `geode-core` go upward only: a module may name modules of its own layer's table row, and no others.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module of `geode-core`, with the modules of ours that it may import. What is not listed fails the test.
const MAY_IMPORT: &[(&str, &[&str])] = &[
    ("pattern", &[]),
    ("shape", &["pattern"]),
    ("report", &[]),
    ("nearest", &[]),
    ("check", &[]),
    ("json", &["shape", "pattern", "report", "output", "nearest", "check"]),
    ("schema", &["shape", "output"]),
    ("dialect", &["schema", "shape", "json"]),
    ("output", &["shape", "json", "report"]),
];

#[test]
fn imports_go_upward_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("geode-core/src");
    let mut faults = Vec::new();
    for file in sources(&root) {
        let module = module_of(&root, &file);
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == module) else { continue };
        let text = fs::read_to_string(&file).unwrap();
        for imported in imports(&text) {
            if imported != module && !allowed.contains(&imported.as_str()) {
                faults.push(format!("{}: `{module}` must not import `{imported}`", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

fn sources(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(sources(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") && !path.ends_with("tests.rs") {
            found.push(path);
        }
    }
    found
}

/// First component below `src`, without its extension.
fn module_of(root: &Path, file: &Path) -> String {
    let below = file.strip_prefix(root).unwrap();
    let first = below.components().next().unwrap().as_os_str().to_string_lossy();
    first.trim_end_matches(".rs").to_owned()
}

/// Every `x` of a `crate::x` in code.
fn imports(text: &str) -> Vec<String> {
    let mut found = Vec::new();
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        for rest in code.split("crate::").skip(1) {
            let name: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            if !name.is_empty() && !rest[name.len()..].starts_with('!') {
                found.push(name);
            }
        }
    }
    found
}
