//! Configuration that is a bomb.

use geode::config::{AgentConfig, ConfigError, StructuredOutputConfig};

use crate::fast;

/// Nine lists, each of ten of the one before: a thousand million words when written out.
fn laughs(first: &str, open: &str, close: &str, entry: &dyn Fn(usize, usize) -> String) -> String {
    let mut text = format!("a0: &a0 {first}\n");
    for level in 1..10 {
        let entries: Vec<String> = (0..10).map(|n| entry(level - 1, n)).collect();
        text += &format!("a{level}: &a{level} {open}{}{close}\n", entries.join(", "));
    }
    text + "instruction: *a9\n"
}

fn yaml() -> Vec<(&'static str, String)> {
    let steps = |levels: usize| (0..levels).map(|n| format!("{}a:\n", " ".repeat(n))).collect::<String>();
    let keys = |count: usize| (0..count).map(|n| format!("key{n}: 1\n")).collect::<String>();
    vec![
        ("laughs in lists", laughs("lol", "[", "]", &|below, _| format!("*a{below}"))),
        ("laughs in maps", laughs("{k: lol}", "{", "}", &|below, n| format!("k{n}: *a{below}"))),
        ("laughs by merging", laughs("{k: lol}", "{", "}", &|below, _| format!("<<: *a{below}"))),
        ("a list in itself", "instruction: &a [*a]\n".to_owned()),
        ("an alias of nothing", "instruction: *a\n".to_owned()),
        ("lists, 100,000 deep", format!("tools: {}", "[".repeat(100_000))),
        ("maps, 100,000 deep", format!("tools: {}", "{a: ".repeat(100_000))),
        ("steps, 1,000 deep", steps(1_000)),
        ("a key of a megabyte", format!("{}: 1\n", "k".repeat(1 << 20))),
        ("5,000 unknown keys", keys(5_000)),
        ("a key 5,000 times", "instruction: a\n".repeat(5_000)),
        ("a tag", "instruction: !!python/object/apply:os.system [ls]\n".to_owned()),
        ("a NUL", "instruction: a\0b\n\0: 1\n".to_owned()),
        ("several documents", "instruction: a\n---\ninstruction: b\n".to_owned()),
        ("numbers beyond all", "instruction: a\nrounds: 1e999\nseconds: 99999999999999999999999999\n".to_owned()),
        ("no numbers", "instruction: a\nrounds: .nan\nseconds: -.inf\n".to_owned()),
    ]
}

fn json() -> Vec<(&'static str, String)> {
    let keys: Vec<String> = (0..5_000).map(|n| format!("\"key{n}\":\n1")).collect();
    vec![
        ("lists, 100,000 deep", "[".repeat(100_000)),
        ("objects, 100,000 deep", r#"{"tools":"#.repeat(100_000)),
        ("5,000 unknown keys", format!("{{{}}}", keys.join(",\n"))),
        ("a key 5,000 times", format!("{{{}\"a\":1}}", "\"instruction\":\"a\",".repeat(5_000))),
        ("a NUL", "{\"instruction\":\"a\0\"}".to_owned()),
        ("a lone surrogate", r#"{"instruction":"\ud800"}"#.to_owned()),
    ]
}

fn refused(what: &str, result: Result<(), ConfigError>) {
    let error = result.expect_err(what);
    assert!(error.problems().len() < 100, "{what}: {} problems", error.problems().len());
    let longest = if what.contains("megabyte") { 2 << 20 } else { 20_000 };
    assert!(error.to_string().len() < longest, "{what}: {} bytes", error.to_string().len());
}

#[test]
fn bombs_are_refused_fast() {
    for (what, text) in yaml() {
        refused(what, fast(what, || AgentConfig::from_yaml(&text)).map(drop));
        refused(what, fast(what, || StructuredOutputConfig::from_yaml(&text)).map(drop));
    }
    for (what, text) in json() {
        refused(what, fast(what, || AgentConfig::from_json(&text)).map(drop));
        refused(what, fast(what, || StructuredOutputConfig::from_json(&text)).map(drop));
    }
}
