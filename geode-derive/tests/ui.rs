//! What the macros say about each mistake, a folder for each theme. `TRYBUILD=overwrite cargo test -p geode-derive --test
//! ui` writes the expectations anew; read the difference before committing it.

use std::path::Path;

use proc_macro2::TokenTree;

/// The message of every mistake is one that a case shows, so that somebody has read it as a user would.
#[test]
fn every_message_has_a_case() {
    let (mut sources, mut shown) = (Vec::new(), String::new());
    files(Path::new("src"), "rs", &mut |text| sources.push(text));
    files(Path::new("tests/ui"), "stderr", &mut |text| shown.push_str(&text));
    let messages: Vec<String> = sources.iter().flat_map(|source| literals(source)).collect();
    assert!(messages.len() > 100, "{} messages", messages.len());
    let unseen: Vec<&String> =
        messages.iter().filter(|message| !parts(message).all(|part| shown.contains(part))).collect();
    assert!(unseen.is_empty(), "no case in tests/ui shows {unseen:#?}");
}

fn files(folder: &Path, extension: &str, seen: &mut dyn FnMut(String)) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            files(&path, extension, seen);
        } else if path.extension().is_some_and(|found| found == extension) {
            seen(std::fs::read_to_string(path).unwrap());
        }
    }
}

/// The string literals that have a line of help.
fn literals(source: &str) -> Vec<String> {
    let tokens: proc_macro2::TokenStream = source.parse().unwrap();
    let mut found = Vec::new();
    visit(tokens, &mut found);
    found
}

fn visit(tokens: proc_macro2::TokenStream, found: &mut Vec<String>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => visit(group.stream(), found),
            TokenTree::Literal(literal) => {
                let text = syn::parse_str::<syn::LitStr>(&literal.to_string()).map(|text| text.value());
                found.extend(text.ok().filter(|text| text.contains("\nhelp: ")));
            }
            _ => {}
        }
    }
}

/// What of a format string stands in every message that is made of it.
fn parts(message: &str) -> impl Iterator<Item = &str> {
    let between = message.split('\n').flat_map(|line| line.split(['{', '}']).step_by(2));
    between.map(str::trim).filter(|part| part.len() > 3)
}

#[test]
fn every_mistake_is_explained() {
    trybuild::TestCases::new().compile_fail("tests/ui/*/*.rs");
}
