//! Schemas from files and from standard input.

use std::io::Read;

use geode_core::schema::Schema;

/// Reads a schema. `-` is standard input.
pub(crate) fn read(path: &str) -> Result<Schema, String> {
    let name = if path == "-" { "standard input" } else { path };
    let text = if path == "-" {
        let mut text = String::new();
        std::io::stdin().read_to_string(&mut text).map(|_| text)
    } else {
        std::fs::read_to_string(path)
    };
    let text = text.map_err(|error| format!("{name}: {error}"))?;
    text.parse().map_err(|error| format!("{name}: {error}"))
}
