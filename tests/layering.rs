//! Imports in `geode-core` go upward only: a module may name the modules in its row, and no others.

use std::fs;
use std::path::{Path, PathBuf};

/// Each module of `geode-core`, with the modules of ours that it may import, lowest layer first. Every module stands here.
///
/// `json` and `output` know each other: the reader drives the trait, and the trait's methods take the reader.
#[rustfmt::skip]
const MAY_IMPORT: &[(&str, &[&str])] = &[
    // L0: words and rules that know nothing else of ours
    ("pattern", &[]),
    ("nearest", &[]),
    ("report", &[]),
    ("check", &[]),
    ("message", &[]),
    ("reply", &["message"]),
    // L1: the shape of a type
    ("shape", &["pattern"]),
    ("format", &["shape"]),
    // L2: text to values and back; schema documents; dialects
    ("json", &["shape", "pattern", "format", "report", "nearest", "check", "output"]),
    ("output", &["shape", "json", "report"]),
    ("schema", &["shape", "output"]),
    ("dialect", &["shape", "schema", "json"]),
    // L3: wire forms of others' types; raw schemas; one call's neutral form; codecs; IO; tools
    ("impls", &["shape", "output", "json", "report", "pattern"]),
    ("typed", &["output", "schema", "dialect"]),
    ("version", &[]),
    ("foreign", &[
        "impls", "shape", "output", "json", "report", "schema", "dialect", "raw_schema", "typed",
    ]),
    ("raw_schema", &["schema", "dialect", "json", "report"]),
    ("request", &["message", "dialect"]),
    ("transport", &[]),
    ("adapter", &["nearest", "message", "request", "reply", "shape", "schema", "dialect", "transport"]),
    ("outcome", &["report", "check", "reply", "request", "dialect", "transport", "adapter"]),
    ("tool", &["message", "nearest", "report", "shape", "json", "output", "schema", "dialect", "raw_schema", "adapter"]),
    // L4: policy
    ("telemetry", &["request", "reply", "outcome"]),
    ("engine", &[
        "check", "message", "reply", "report", "shape", "json", "output", "schema", "dialect", "raw_schema", "request",
        "transport", "adapter", "outcome", "tool", "telemetry",
    ]),
    // L5: what users call
    ("config", &["nearest", "message", "schema", "dialect", "raw_schema", "request", "tool", "engine", "client"]),
    ("client", &[
        "check", "message", "reply", "report", "shape", "json", "output", "schema", "dialect", "raw_schema", "request",
        "transport", "adapter", "outcome", "tool", "telemetry", "engine",
    ]),
    ("function", &["message", "request"]),
    ("record", &["json", "output", "schema", "report", "request", "outcome", "telemetry", "shape"]),
    ("volume", &["json", "output", "schema", "reply", "transport", "adapter", "outcome", "client"]),
    ("testing", &[
        "message", "reply", "report", "shape", "json", "output", "schema", "dialect", "request", "transport", "adapter",
        "outcome", "typed", "client",
    ]),
    ("lib", &[]),
    ("__private", &["function", "foreign", "with_schemars",
        "dialect", "schema", "impls", "json", "output", "pattern", "shape", "check", "format", "tool", "version",
    ]),
];

#[test]
fn imports_go_upward_only() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("geode-core/src");
    let mut faults = Vec::new();
    for file in sources(&root) {
        let module = module_of(&root, &file);
        let Some((_, allowed)) = MAY_IMPORT.iter().find(|(name, _)| *name == module) else {
            faults.push(format!("{}: `{module}` has no row in this test", file.display()));
            continue;
        };
        let text = fs::read_to_string(&file).unwrap();
        for imported in imports(&text) {
            if imported != module && !allowed.contains(&imported.as_str()) {
                faults.push(format!("{}: `{module}` must not import `{imported}`", file.display()));
            }
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// DESIGN.md draws the same layers.
#[test]
fn the_design_shows_every_module() {
    let design = include_str!("../DESIGN.md").split("\nL0 ").nth(1).unwrap().split("```").next().unwrap();
    let shown: Vec<&str> = design.split_whitespace().collect();
    for (module, _) in MAY_IMPORT.iter().filter(|(module, _)| !["lib", "__private"].contains(module)) {
        assert!(shown.contains(module), "DESIGN.md has no place for `{module}`");
    }
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
        // A macro's `$crate` is the user's path to us, not an import of ours.
        for rest in code.replace("$crate::", "").split("crate::").skip(1) {
            let name: String = rest.chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            if !name.is_empty() && !rest[name.len()..].starts_with('!') {
                found.push(name);
            }
        }
    }
    found
}
