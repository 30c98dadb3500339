//! Hostile files: the command ends soon, says what is wrong with which file, and never panics.

use std::io::Read;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// Generous: a debug build on a busy machine.
const FAST: Duration = Duration::from_secs(30);

fn geode(arguments: &[&str]) -> Output {
    let start = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_geode")).args(arguments).stdin(Stdio::null()).output().unwrap();
    assert!(start.elapsed() < FAST, "{arguments:?} took {:?}", start.elapsed());
    output
}

fn file(name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("hostile-{name}"));
    std::fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().to_owned()
}

/// Every command on a file, each with its exit status and what it says.
fn commands(path: &str) -> Vec<(Option<i32>, String)> {
    let runs: [&[&str]; 4] = [
        &["check", path, "--for", "openai,anthropic,gemini,plain"],
        &["lower", path, "--for", "openai"],
        &["diff", path, path],
        &["diff", path, path, "--format", "json"],
    ];
    let run = |arguments: &[&str]| {
        let output = geode(arguments);
        let said = format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
        assert!(!said.contains("panicked"), "{arguments:?}: {said}");
        (output.status.code(), said)
    };
    runs.into_iter().map(run).collect()
}

#[test]
fn what_is_no_schema_is_trouble_that_names_the_file() {
    let folder = env!("CARGO_TARGET_TMPDIR").to_owned();
    let mut files = vec![
        ("a directory", folder, "directory"),
        ("nothing there", "/nowhere/schema.json".to_owned(), "schema.json"),
        ("an empty file", file("empty", ""), "not JSON"),
        ("no UTF-8", file("latin", b"{\"title\": \"caf\xe9\"}"), "UTF-8"),
        ("two byte order marks", file("marks", "\u{feff}\u{feff}{}"), "not JSON"),
        ("a NUL", file("nul", "{}\0"), "not JSON"),
        ("100,000 levels", file("deep", "[".repeat(100_000)), "not JSON"),
        ("100,000 levels of items", file("items", r#"{"items":"#.repeat(100_000)), "not JSON"),
        ("17 MB of blanks", file("blanks", " ".repeat(17 << 20)), "larger than"),
        ("a key twice", file("twice", r#"{"type":"string","type":"integer"}"#), ""),
    ];
    if Path::new("/dev/zero").exists() {
        files.push(("no end", "/dev/zero".to_owned(), "larger than"));
    }
    for (what, path, word) in files {
        for (code, said) in commands(&path) {
            assert_eq!(code, Some(2), "{what}: {said}");
            assert!(said.starts_with(&format!("geode: {path}: ")) && said.contains(word), "{what}: {said}");
            assert!(said.len() < 1000, "{what}: {} bytes", said.len());
        }
    }
}

#[test]
fn large_and_crooked_schemas_are_worked_through() {
    let properties: Vec<String> = (0..5_000).map(|n| format!(r#""p{n}":{{"type":"string"}}"#)).collect();
    for (what, text) in [
        ("one byte order mark", "\u{feff}{\"type\":\"string\"}".to_owned()),
        ("100 levels", format!("{}{{}}{}", r#"{"items":"#.repeat(100), "}".repeat(100))),
        ("5,000 properties", format!(r#"{{"type":"object","properties":{{{}}}}}"#, properties.join(","))),
        ("a reference to itself", r##"{"$ref":"#"}"##.to_owned()),
        ("a pattern that explodes", r#"{"type":"string","pattern":"((a{1000}){1000}){1000}"}"#.to_owned()),
    ] {
        for (code, said) in commands(&file("crooked", text)) {
            assert!(matches!(code, Some(0 | 1)), "{what}: {code:?} {}", said.chars().take(500).collect::<String>());
        }
    }
}

#[test]
fn a_name_can_not_drive_the_terminal() {
    let schema = r#"{"type":"object","properties":{"a\u001b[2J\u009b\u202e":{"type":"strange"}}}"#;
    let (_, refused) = commands(&file("escape", schema)).swap_remove(0);
    let schema = schema.replace("strange", "string");
    for (_, said) in commands(&file("escape", schema)).into_iter().chain([(None, refused)]) {
        assert!(!said.contains(['\u{1b}', '\u{9b}', '\u{202e}']), "{said:?}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_failure() {
    let schema = file("long", format!(r#"{{"enum":[{}]}}"#, vec!["\"a long value\""; 50_000].join(",")));
    let mut child = Command::new(env!("CARGO_BIN_EXE_geode"))
        .args(["lower", &schema, "--for", "plain"])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut first = [0; 10];
    child.stdout.take().unwrap().read_exact(&mut first).unwrap();
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), String::from_utf8_lossy(&output.stderr).as_ref()), (Some(0), ""));
}
