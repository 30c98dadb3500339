//! Schemas from files and from standard input.

use std::fs::File;
use std::io::{self, Read};

use geode_core::schema::Schema;

/// Largest input that is read. A schema is far smaller, and a device may have no end.
const MOST_BYTES: u64 = 16 * 1024 * 1024;

/// Reads a schema. `-` is standard input.
pub(crate) fn read(path: &str) -> Result<Schema, String> {
    let name = if path == "-" { "standard input" } else { path };
    let text = text(path).map_err(|error| format!("{name}: {error}"))?;
    // Some editors put a byte order mark first.
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    text.parse().map_err(|error| {
        let hint = if looks_like_yaml(path, text) { "; YAML is converted first: `yq -o json`, say" } else { "" };
        format!("{name}: {error}{hint}")
    })
}

/// Whether a text that is no JSON is likely to be YAML: by its name, or because it begins with a bare word.
fn looks_like_yaml(path: &str, text: &str) -> bool {
    let named = [".yaml", ".yml"].iter().any(|end| path.ends_with(end));
    named
        || text.trim_start().starts_with(|first: char| first.is_alphabetic() || matches!(first, '#' | '$' | '-' | '%'))
}

fn text(path: &str) -> io::Result<String> {
    let source: Box<dyn Read> = if path == "-" { Box::new(io::stdin()) } else { Box::new(File::open(path)?) };
    let mut text = String::new();
    let length = source.take(MOST_BYTES + 1).read_to_string(&mut text)? as u64;
    if length > MOST_BYTES {
        return Err(io::Error::other(format!("larger than {MOST_BYTES} bytes: no schema is")));
    }
    Ok(text)
}
