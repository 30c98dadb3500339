//! What the `claude` and `codex` programs print, through a real process: `fake_cli.sh` stands in for them.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use geode::adapter::{Adapter, CliAdapter, StreamEvent};
use geode::dialect::{CLAUDE_CLI, OPENAI_STRICT};
use geode::reply::Event;
use geode::request::{Mode, Request};
use geode::transport::{HeaderMap, StandardTransport, Transport, WireReply};
use serde_json::Value;

use crate::exchange::{Fault, LIMITS, is_accepted, line};
use crate::fixtures::ADA;
use crate::requests::person;

/// Runs of the index, and what each comes to.
const CLAUDE: &[(&str, &str)] = &[
    ("api_400", "error SchemaRejected 400 invalid_request_error"),
    ("api_401", "error Authentication 401 authentication_error"),
    ("api_429", "error RateLimited 429 rate_limit_error retryable"),
    ("api_529", "error Overloaded 529 overloaded_error retryable"),
    ("bad_schema", "error SchemaRejected"),
    ("bad_schema_json", "error SchemaRejected"),
    ("error_max_structured_output_retries", "other(error_max_structured_output_retries)  50/100"),
    ("invalid_then_ok", "stop {ada} 20/40"),
    ("max_tokens", "tokenlimit  40/80"),
    // Success by the program's word; the parser refuses the text.
    ("ok_but_no_structured_output", "stop I would rather talk. 20/40"),
    ("ok", "stop {ada} 10/20"),
    ("refusal", "refusal  refused[This model can't help with that.] 20/40"),
    ("schema_2020_12_rejected", "error SchemaRejected"),
    ("schema_unknown_keyword_rejected", "error SchemaRejected"),
    ("stream_json_ok", "stop {ada} 10/20"),
    ("stream_json_partial", "stop {ada} 10/20"),
    // Can't happen: the adapter always says `--verbose`.
    ("stream_json_without_verbose", "malformed Some(1)"),
];

const CODEX: &[(&str, &str)] = &[
    ("api_400", "error SchemaRejected 400 invalid_json_schema"),
    ("api_401", "error Authentication 401"),
    ("api_429", "error RateLimited 429 retryable"),
    ("api_500", "error Server retryable"),
    ("failed", "error Server retryable"),
    // Can't happen: the adapter doesn't use the flag. Another that a version lacks ends alike.
    ("full_auto_removed", "configuration"),
    ("incomplete", "tokenlimit {ada} 0/0"),
    // Can't happen: the adapter always says `--skip-git-repo-check`.
    ("no_git_repo", "malformed Some(1)"),
    ("ok", "stop {ada} 52/18"),
    // Success by the program's word; the parser refuses the text.
    ("ok_but_not_json", "stop not json 52/18"),
    // The program swallows it: the answer is empty, which the engine never takes for one.
    ("refusal", "stop  52/18"),
    ("schema_file_missing", "error SchemaRejected invalid_json_schema"),
    ("schema_file_not_json", "error SchemaRejected invalid_json_schema"),
    ("stream_cut", "cut  0/0"),
];

/// One run of the index.
struct Run {
    exit: i32,
    stdout: Option<PathBuf>,
    stderr: String,
}

fn runs(folder: &str) -> BTreeMap<String, Run> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/wire/fixtures").join(folder);
    let index: BTreeMap<String, Value> =
        serde_json::from_slice(&std::fs::read(folder.join("index.json")).unwrap()).unwrap();
    let runs: BTreeMap<String, Run> = index
        .into_iter()
        .map(|(name, run)| {
            let exit = i32::try_from(run["exit"].as_i64().unwrap()).unwrap();
            let stdout = run["stdout"].as_str().map(|file| folder.join(file));
            (name, Run { exit, stdout, stderr: run["stderr"].as_str().unwrap_or_default().to_owned() })
        })
        .collect();
    let named: Vec<_> = runs.values().filter_map(|run| run.stdout.clone()).chain([folder.join("index.json")]).collect();
    for file in std::fs::read_dir(&folder).unwrap() {
        let file = file.unwrap().path();
        assert!(named.contains(&file), "the index must name {}", file.display());
    }
    runs
}

/// Every run through a process, and its output cut everywhere.
async fn check(folder: &str, adapter: CliAdapter, request: &Request, expected: &[(&str, &str)]) {
    let expected: BTreeMap<&str, String> =
        expected.iter().map(|(name, line)| (*name, line.replace("{ada}", ADA))).collect();
    let runs = runs(folder);
    assert_eq!(
        runs.keys().map(String::as_str).collect::<Vec<_>>(),
        expected.keys().copied().collect::<Vec<_>>(),
        "the table must name every run of {folder}"
    );
    let mut wrong = Vec::new();
    for (name, run) in &runs {
        let request = Request { stream: name.starts_with("stream_json"), ..request.clone() };
        let found = line(&through_a_process(adapter.clone(), &request, run).await);
        if found != expected[name.as_str()] {
            wrong.push(format!("{folder}/{name}\n  wanted {}\n  got    {found}", expected[name.as_str()]));
        }
        if let Some(stdout) = &run.stdout {
            let stdout = std::fs::read_to_string(stdout).unwrap();
            never_accepted_cut(&adapter, &request, name, &stdout);
            same_line_by_line(&adapter, &request, name, run, &stdout, &found);
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

async fn through_a_process(adapter: CliAdapter, request: &Request, run: &Run) -> Result<geode::reply::Reply, Fault> {
    let stdout = run.stdout.as_deref().unwrap_or(Path::new(""));
    let adapter = adapter
        .program(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/wire/fake_cli.sh"))
        .environment("FAKE_EXIT", run.exit.to_string())
        .environment("FAKE_STDOUT", stdout.to_str().unwrap())
        .environment("FAKE_STDERR", run.stderr.as_str());
    let reply = StandardTransport::new().send(adapter.encode(request)?, LIMITS).await?;
    assert_eq!(reply.status, run.exit, "{}", String::from_utf8_lossy(&reply.stderr));
    Ok(adapter.decode(request, &reply)?)
}

/// Output that breaks off is no answer, even where the program says that all is well.
fn never_accepted_cut(adapter: &CliAdapter, request: &Request, name: &str, stdout: &str) {
    for end in 0..stdout.trim_end().len() {
        let body = stdout.as_bytes()[..end].to_vec().into();
        let cut = WireReply { status: 0, headers: HeaderMap::new(), body, stderr: Vec::new().into() };
        let outcome = adapter.decode(request, &cut).map(|reply| (reply, String::new())).map_err(Fault::from);
        assert!(!is_accepted(&outcome), "{name} cut at {end} of {} was accepted", stdout.len());
    }
}

/// Line by line comes to the same as in one piece. How the program ended is known to neither but the whole.
fn same_line_by_line(adapter: &CliAdapter, request: &Request, name: &str, run: &Run, stdout: &str, whole: &str) {
    let mut decoder = adapter.decoder(request);
    let mut events = Vec::new();
    for data in stdout.lines() {
        if let Err(fault) = decoder.event(&StreamEvent { name: None, data }, &mut events) {
            assert_eq!(line(&Err(Fault::from(fault))), whole, "{name}");
            return;
        }
        if matches!(events.last(), Some(Event::Done(_))) {
            break;
        }
    }
    assert_eq!(line(&Ok(decoder.finish())), whole, "{name}, which ended with {}", run.exit);
}

#[tokio::test]
async fn every_run_of_claude_comes_to_what_it_should() {
    check("claude_cli", CliAdapter::claude(), &person(&CLAUDE_CLI, Mode::Native), CLAUDE).await;
}

#[tokio::test]
async fn every_run_of_codex_comes_to_what_it_should() {
    check("codex_cli", CliAdapter::codex(), &person(&OPENAI_STRICT, Mode::Native), CODEX).await;
}
