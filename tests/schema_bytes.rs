//! A schema's bytes are the same from run to run, so that a provider's prompt cache keeps working.

use std::collections::{BTreeMap, HashMap};
use std::env;
use std::process::Command;

use geode::StructuredOutput;
use geode::dialect::{ANTHROPIC, OPENAI_STRICT};

/// Everything whose order could depend on a hash: maps, definitions, recursion, a union.
#[derive(StructuredOutput)]
#[geode(version = "4")]
struct Everything {
    zebra: HashMap<String, Leaf>,
    apple: BTreeMap<u8, Leaf>,
    #[geode(range(min = 1, max = 9))]
    small: u8,
    tree: Option<Box<Tree>>,
    step: Step,
}

#[derive(StructuredOutput)]
struct Leaf {
    name: String,
    size: Option<f64>,
}

#[derive(StructuredOutput)]
struct Tree {
    leaf: Leaf,
    kids: Vec<Tree>,
}

#[derive(StructuredOutput)]
#[serde(tag = "kind")]
enum Step {
    Walk { metres: u32 },
    Read(Leaf),
    Wait,
}

#[derive(StructuredOutput)]
#[geode(version = "1")]
struct Flat {
    step: Step,
    leaves: HashMap<String, Leaf>,
}

/// All that goes to a provider.
fn bytes() -> String {
    let mut text = geode::schema::<Everything>().to_string();
    for dialect in [&OPENAI_STRICT, &ANTHROPIC] {
        let plan = geode::plan::<Flat>(dialect);
        text.push('\n');
        text.push_str(&plan.as_ref().unwrap().schema.to_string());
    }
    text
}

const CHILD: &str = "GEODE_TEST_SCHEMA_BYTES";

/// Not a test by itself: the child process that the other one starts, for hashes with other seeds.
#[test]
#[expect(clippy::print_stdout, reason = "the parent reads it")]
fn child() {
    if env::var_os(CHILD).is_some() {
        println!("<<{}>>", bytes());
    }
}

#[test]
fn bytes_are_stable_from_run_to_run() {
    let run = || {
        let output = Command::new(env::current_exe().unwrap())
            .args(["--exact", "child", "--nocapture"])
            .env(CHILD, "1")
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        text.split_once("<<").and_then(|(_, rest)| rest.split_once(">>")).unwrap().0.to_owned()
    };
    let here = bytes();
    for _ in 0..3 {
        assert_eq!(run(), here);
    }
}

#[test]
fn bytes_are_stable_from_release_to_release() {
    let text = geode::schema::<Flat>().to_string();
    assert_eq!(text, include_str!("schema_bytes.json").trim_end(), "a change here empties every user's prompt cache");
}
