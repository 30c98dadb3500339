//! The table of what each adapter can do, as Markdown, made from the capabilities.

use std::fmt::Write;

use super::registry::{ENTRIES, Entry, MODEL};
use super::{Capabilities, Enforcement};

/// One row an adapter: what it enforces, what it can do, and where that is known from.
///
/// ```
/// assert!(geode_core::adapter::table().contains("| `openai-payg` | enforced |"));
/// ```
pub fn table() -> String {
    let mut table = String::from(
        "| adapter | schema | tools | both at once | strict tools | forced choice | streaming | dialect | off the wire | key \
         | source |\n|---|---|---|---|---|---|---|---|---|---|---|\n",
    );
    for entry in ENTRIES {
        // Any value stands for a key: nothing is sent. The model is the default one.
        if let Ok(adapter) = entry.build(&|name| (name != MODEL).then(|| "http://localhost/v1".to_owned())) {
            row(&mut table, entry, adapter.capabilities_for(None));
        }
    }
    table
}

fn row(table: &mut String, entry: &Entry, able: &Capabilities) {
    let schema = match able.native {
        Enforcement::Enforced => "enforced",
        Enforcement::Hint => "hint",
        Enforcement::None => "none",
    };
    let both = if able.schema_suppresses_tools { "no: the schema wins" } else { yes(able.tools_with_schema) };
    let keys: Vec<String> = entry.keys.iter().map(|key| format!("`{key}`")).collect();
    // Writing to a string can't fail.
    let _ = writeln!(
        table,
        "| `{}` | {schema} | {} | {both} | {} | {} | {} | `{}` | {} | {} | {} |",
        entry.name,
        yes(able.tools),
        yes(able.strict_tools),
        yes(able.forced_tool_choice),
        yes(able.streaming),
        able.dialect.name,
        off_the_wire(able),
        if keys.is_empty() { "none".to_owned() } else { keys.join(" or ") },
        able.source,
    );
}

/// What the schema that is sent can't say, so that the parser alone holds the answer to it.
fn off_the_wire(able: &Capabilities) -> String {
    let constraints = [
        ("length", "maxLength"),
        ("pattern", "pattern"),
        ("range", "maximum"),
        ("multiple_of", "multipleOf"),
        ("items", "maxItems"),
        ("unique", "uniqueItems"),
        ("format", "format"),
    ];
    let taken = |keyword: &str| {
        able.dialect.keywords.is_none_or(|keywords| keywords.contains(&keyword))
            && !able.dialect.ignored.contains(&keyword)
    };
    let lost: Vec<&str> =
        constraints.into_iter().filter(|(_, keyword)| !taken(keyword)).map(|(name, _)| name).collect();
    match able.native {
        Enforcement::None => "all".to_owned(),
        _ if lost.is_empty() => "nothing".to_owned(),
        _ => lost.join(", "),
    }
}

fn yes(holds: bool) -> &'static str {
    if holds { "yes" } else { "no" }
}
