//! The linter against what providers answered: each recorded verdict must be ours.

use std::path::PathBuf;

use geode::dialect::{ANTHROPIC, Dialect, LOCAL, OPENAI_STRICT, PLAIN, lint};
use geode::schema::Schema;
use serde_json::Value;

/// Recordings whose verdict is not about the schema.
const NOT_ABOUT_THE_SCHEMA: [(&str, &str); 4] = [
    ("twenty_one_strict_tools_are_rejected", "counts the tools of a request, not what is in one schema"),
    ("forced_tool_choice_under_thinking_is_rejected_upstream", "the tool choice is refused, not the schema"),
    ("tools_without_jinja", "the server runs without the option that tools need"),
    ("extractor_failure_surfaces_provider_error_context", "the model doesn't exist"),
];

fn shared() -> PathBuf {
    std::env::var_os("GEODE_SHARED")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../shared"), PathBuf::from)
}

fn dialect(provider: &str) -> &'static Dialect {
    match provider {
        "anthropic" => &ANTHROPIC,
        "openai" | "chatgpt" | "copilot" => &OPENAI_STRICT,
        "llamacpp" => &LOCAL,
        // Gateways and providers without a dialect of their own here.
        _ => &PLAIN,
    }
}

#[test]
fn the_linter_agrees_with_every_recorded_verdict() {
    let path = shared().join("corpora/provider_schema_outcomes.jsonl");
    let Ok(text) = std::fs::read_to_string(&path) else {
        println!("skipped: no recorded outcomes beside the repository");
        return;
    };
    let (mut agreed, mut excepted) = (0, 0);
    let mut disagreed = Vec::new();
    for line in text.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let file = row["file"].as_str().unwrap();
        if NOT_ABOUT_THE_SCHEMA.iter().any(|(name, _)| file.contains(name)) {
            excepted += 1;
            continue;
        }
        let schema = Schema::try_from(&row["schema"]).unwrap();
        let breaches = lint(&schema, dialect(row["provider"].as_str().unwrap()));
        if (row["status"] == 200) == breaches.is_empty() {
            agreed += 1;
        } else {
            disagreed.push(format!("{file}: status {}, {breaches:?}", row["status"]));
        }
    }
    println!("recorded verdicts agreed with: {agreed}");
    println!("recorded verdicts that the linter disagrees with: {}", disagreed.len());
    println!("recorded verdicts that are not about the schema: {excepted}");
    for (file, reason) in NOT_ABOUT_THE_SCHEMA {
        println!("{file} is not about the schema: {reason}");
    }
    assert!(disagreed.is_empty(), "{}", disagreed.join("\n"));
    assert_eq!(excepted, NOT_ABOUT_THE_SCHEMA.len());
}
