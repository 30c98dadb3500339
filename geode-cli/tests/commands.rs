//! The built command, run.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const OPEN: &str = r#"{"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}"#;

fn geode(arguments: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_geode"))
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A command that stops at its arguments closes its input: that is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn said(output: &Output) -> (Option<i32>, String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn file(name: &str, text: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).unwrap();
    path.to_str().unwrap().to_owned()
}

#[test]
fn check_names_each_breach_with_its_place_and_rule() {
    let (code, out, _) = said(&geode(&["check", "-", "--for", "openai,plain"], OPEN));
    assert_eq!(code, Some(1));
    assert!(out.contains("OPENAI_STRICT: the root: OpenAI needs `additionalProperties: false`"), "{out}");
    assert!(out.contains("PLAIN: takes it"), "{out}");
}

#[test]
fn check_speaks_json() {
    let (code, out, _) = said(&geode(&["check", "-", "--for=anthropic", "--format=json"], OPEN));
    assert_eq!(code, Some(1));
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(found[0]["dialect"], "ANTHROPIC");
    assert_eq!(found[0]["breaches"][0]["keyword"], "additionalProperties");
}

#[test]
fn lower_writes_the_schema_and_says_what_got_lost() {
    let schema = r#"{"type": "array", "items": {"type": "integer", "minimum": 3}}"#;
    let (code, out, notes) = said(&geode(&["lower", "-", "--for", "anthropic"], schema));
    assert_eq!(code, Some(0));
    let lowered: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(lowered["properties"]["value"]["items"]["description"], "{minimum: 3}");
    assert!(notes.contains("minimum: Anthropic does not take `minimum`") && notes.contains("`value`"), "{notes}");

    let (code, out, _) = said(&geode(&["lower", "-", "--for", "openai", "--format", "json"], schema));
    assert_eq!(code, Some(0));
    let whole: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((&whole["strict"], &whole["wrapped_root"]), (&true.into(), &true.into()));
    assert_eq!(whole["schema"]["type"], "object");
}

#[test]
fn lower_refuses_what_can_not_be_said() {
    let open = r#"{"type": "object", "additionalProperties": {"type": "string"}}"#;
    let (code, out, notes) = said(&geode(&["lower", "-", "--for", "openai"], open));
    assert_eq!((code, out.as_str()), (Some(1), ""));
    assert!(notes.contains("{key, value}"), "{notes}");
}

#[test]
fn diff_tells_whom_a_change_breaks() {
    let old = file("old.json", r#"{"enum": ["a"]}"#);
    let (code, out, _) = said(&geode(&["diff", &old, "-"], r#"{"enum": ["a", "b"]}"#));
    assert_eq!(code, Some(1));
    assert!(out.contains("enum-value-added (breaks consumer)"), "{out}");
    let (code, out, _) = said(&geode(&["diff", &old, &old, "--format", "json"], ""));
    assert_eq!((code, out.trim()), (Some(0), "[]"));
    let (code, _, _) = said(&geode(&["diff", &old, "-"], r#"{"enum": ["a"], "description": "one"}"#));
    assert_eq!(code, Some(0));
}

#[test]
fn lower_names_the_root_and_check_says_what_to_write() {
    let schema =
        r#"{"type": "object", "properties": {"a": {"type": "string", "nullable": true}}, "if": {"required": ["a"]}}"#;
    let (code, _, notes) = said(&geode(&["lower", "-", "--for", "openai"], schema));
    assert_eq!(code, Some(0));
    assert!(notes.contains("the root: if: OpenAI does not take `if`"), "{notes}");
    let (_, out, _) = said(&geode(&["check", "-", "--for", "openai"], schema));
    assert!(
        out.contains("/properties/a: OpenAI does not take `nullable`; write `type` as a list with `null`"),
        "{out}"
    );
}

#[test]
fn the_guide_shows_what_the_commands_print() {
    let guide = include_str!("../../docs/guide.md");
    let blocks: Vec<&str> = guide.split("```text\n$ geode ").skip(1).collect();
    assert!(!blocks.is_empty());
    for block in blocks {
        let (command, shown) = block.split("\n```").next().unwrap().split_once('\n').unwrap();
        let output = Command::new(env!("CARGO_BIN_EXE_geode"))
            .args(command.split(' '))
            .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
            .output()
            .unwrap();
        assert_eq!(said(&output).1.trim_end(), shown, "geode {command}");
    }
}

#[test]
fn trouble_is_told_apart_from_findings() {
    for (arguments, input, expected) in [
        (&["check", "-"][..], OPEN, "--for"),
        (&["check", "-", "--for", "nobody"], OPEN, "no dialect"),
        (&["check", "missing.json", "--for", "openai"], "", "missing.json"),
        (&["check", "-", "--for", "openai"], "{", "not JSON"),
        (&["check", "-", "--for", "openai"], "type: object\nproperties: {}\n", "YAML is converted first"),
        (&["check", "-", "--for", "openai"], "[{}]", "expected a schema"),
        (&["check", "-", "--for", "openai"], r#"{"properties": {"a": {"type": "strin"}}}"#, "/properties/a/type"),
        (&["diff", "-", "-"], "", "only one"),
        (&["frobnicate"], "", "no command"),
        (&[], "", "name a command"),
    ] {
        let (code, out, notes) = said(&geode(arguments, input));
        assert_eq!((code, out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(notes.contains(expected), "{arguments:?}: {notes}");
    }
}

#[test]
fn help_names_every_command() {
    let (code, out, _) = said(&geode(&["--help"], ""));
    assert_eq!(code, Some(0));
    assert!(["diff", "check", "lower", "Exit status"].iter().all(|word| out.contains(word)));
}
