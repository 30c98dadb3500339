//! The public API, item by item, held to the committed list `tests/public_api.txt`. Reads the pages that `cargo doc`
//! writes: `scripts/public-api` makes them and runs this, and `scripts/public-api update` writes the list anew.

use std::fs;
use std::path::{Path, PathBuf};

/// Kinds of items that have a page of their own.
const KINDS: [&str; 10] = ["attr", "constant", "derive", "enum", "fn", "macro", "static", "struct", "trait", "type"];

/// Types of other packages that stand in a signature: their own documents list them.
const OF_OTHERS: [&str; 1] = ["struct geode::transport::HeaderMap"];

#[test]
#[ignore = "reads what `cargo doc` wrote: run scripts/public-api"]
fn the_public_api_is_the_committed_one() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut items = Vec::new();
    pages(&here.join("target/doc/geode"), "geode", &mut items);
    items.sort();
    let list = items.concat();
    assert!(items.len() > 200, "{} items: were the documents made?", items.len());

    let path = here.join("tests/public_api.txt");
    if std::env::var_os("GEODE_UPDATE_API").is_some() {
        fs::write(path, list).unwrap();
        return;
    }
    let committed = fs::read_to_string(path).unwrap();
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    let (old, new) = (lines(&committed), lines(&list));
    let gone = old.iter().filter(|line| !new.contains(line)).map(|line| format!("- {line}"));
    let come = new.iter().filter(|line| !old.contains(line)).map(|line| format!("+ {line}"));
    let changes: Vec<String> = gone.chain(come).collect();
    assert!(
        committed == list,
        "the public API changed:\n{}\nIf that is meant: scripts/public-api update",
        changes.join("\n")
    );
}

/// The items of a module's folder and of those below it.
fn pages(folder: &Path, module: &str, items: &mut Vec<String>) {
    let mut paths: Vec<PathBuf> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let file = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            pages(&path, &format!("{module}::{file}"), items);
        } else if let Some((kind, name)) = file.strip_suffix(".html").and_then(|name| name.split_once('.'))
            && KINDS.contains(&kind)
            && !name.ends_with('!')
        {
            let title = format!("{kind} {module}::{name}");
            if !OF_OTHERS.contains(&title.as_str()) {
                items.push(item(&title, &fs::read_to_string(&path).unwrap()));
            }
        }
    }
}

/// An item: its declaration, its own methods, and the traits that it has, automatic ones included.
fn item(title: &str, page: &str) -> String {
    let mut text = format!("{title}\n");
    for declaration in between(page, "<pre class=\"rust item-decl\"><code>", "</code></pre>") {
        text += &format!("    {}\n", plain(declaration));
    }
    // Blanket implementations say nothing of the item.
    let (page, _) = page.split_once("id=\"blanket-implementations\"").unwrap_or((page, ""));
    let (own, automatic) = page.split_once("id=\"synthetic-implementations\"").unwrap_or((page, ""));
    let headers = |part| between(part, "class=\"code-header\">", "</h").map(plain).collect::<Vec<_>>();
    let mut traits: Vec<String> = Vec::new();
    for header in headers(own) {
        match header.split_once(" for ") {
            _ if header.starts_with("pub ") => text += &format!("    {header}\n"),
            Some((implemented, _)) if header.starts_with("impl") => traits.push(trait_of(implemented)),
            _ => {}
        }
    }
    for header in headers(automatic) {
        let implemented = header.split_once(" for ").map(|(implemented, _)| trait_of(implemented));
        traits.extend(implemented.filter(|name| ["Send", "Sync", "Unpin"].contains(&name.trim_start_matches('!'))));
    }
    traits.retain(|name| name != "StructuralPartialEq");
    traits.sort();
    if !traits.is_empty() && !title.starts_with("trait ") {
        text += &format!("    impl {}\n", traits.join(", "));
    }
    text
}

/// `From<X>` of `impl<T> From<X>`.
fn trait_of(implemented: &str) -> String {
    let mut depth = 0;
    let generics = |character: char| {
        depth += i32::from(character == '<') - i32::from(character == '>');
        depth == 0 && character == ' '
    };
    implemented.split_once(generics).map_or(implemented, |(_, name)| name).to_owned()
}

fn between<'p>(page: &'p str, open: &'p str, close: &'p str) -> impl Iterator<Item = &'p str> {
    page.split(open).skip(1).filter_map(move |rest| rest.split_once(close)).map(|(inner, _)| inner)
}

/// Text of a piece of HTML, on one line.
fn plain(html: &str) -> String {
    let mut text = String::new();
    // Long declarations are folded behind a line that counts their members.
    let folded = between(html, "<summary", "</summary>").map(str::to_owned).collect::<Vec<_>>();
    let html = folded.iter().fold(html.to_owned(), |html, summary| html.replace(summary.as_str(), ""));
    for piece in html.replace("<div", " <div").replace("</div>", "</div> ").split('<') {
        text += piece.split_once('>').map_or(piece, |(_, behind)| behind);
    }
    for (entity, character) in [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&amp;", "&")] {
        text = text.replace(entity, character);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
