use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use futures_util::future::BoxFuture;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::*;
use crate::dialect::PLAIN;
use crate::message::{Part, ToolUse};

/// What the tools of a test did, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 0}, "note": {"type": "string"}},
        "required": ["n"],
        "additionalProperties": false
    })
}

/// A tool that logs its begin and end, and takes a second.
fn slow(name: &'static str, tier: Tier, log: &Log) -> RawTool {
    let log = log.clone();
    RawTool::new(name, "Takes a second.", schema(), move |arguments, _| {
        let log = log.clone();
        async move {
            log.add(format!("{name} {} begins", arguments["n"]));
            tokio::time::sleep(Duration::from_secs(1)).await;
            log.add(format!("{name} {} ends", arguments["n"]));
            Ok(arguments["n"].clone())
        }
    })
    .unwrap()
    .tier(tier)
}

fn call(id: &str, name: &str, input: &str) -> ToolUse {
    ToolUse { id: id.into(), name: name.into(), input: input.into() }
}

fn text(executed: &Executed) -> &str {
    match &executed.result.content[..] {
        [Part::Text { text }] => text,
        other => panic!("not one text: {other:?}"),
    }
}

fn error(executed: &Executed) -> Value {
    assert!(executed.result.is_error);
    serde_json::from_str(text(executed)).unwrap()
}

/// Logs what it is asked, and denies calls with an odd `n`.
struct Odd(Log);

impl Odd {
    fn decide(proposal: &Proposal<'_>) -> Decision {
        let arguments: Value = serde_json::from_str(proposal.input).unwrap();
        if arguments["n"].as_u64().unwrap() % 2 == 1 { Decision::deny("odd") } else { Decision::Approve }
    }
}

impl Approver for Odd {
    fn approve<'a>(&'a self, proposal: Proposal<'a>) -> BoxFuture<'a, Decision> {
        self.0.add(format!("asked for {} {}", proposal.tool, proposal.input));
        Box::pin(std::future::ready(Odd::decide(&proposal)))
    }

    fn approve_batch<'a>(&'a self, proposals: &'a [Proposal<'a>]) -> BoxFuture<'a, Vec<Decision>> {
        self.0.add(format!("asked for a batch of {}", proposals.len()));
        Box::pin(std::future::ready(proposals.iter().map(Odd::decide).collect()))
    }
}

#[tokio::test(start_paused = true)]
async fn calls_run_by_tier_and_results_keep_the_order_of_the_calls() {
    let log = Log::default();
    let tools = ToolSet::new()
        .with_raw(slow("read", Tier::Safe, &log))
        .with_raw(slow("mcp", Tier::PreApproved, &log))
        .with_raw(slow("pay", Tier::Expensive, &log))
        .with_raw(slow("write", Tier::Write, &log))
        .with_raw(slow("erase", Tier::Dangerous, &log))
        .plan(&PLAIN)
        .unwrap();
    let approver = Odd(log.clone());
    let calls = [
        call("a", "erase", r#"{"n":2}"#),
        call("b", "pay", r#"{"n":4}"#),
        call("c", "read", r#"{"n":1}"#),
        call("d", "write", r#"{"n":6}"#),
        call("e", "pay", r#"{"n":5}"#),
        call("f", "mcp", r#"{"n":3}"#),
        call("g", "write", r#"{"n":7}"#),
    ];
    let started = tokio::time::Instant::now();
    let done = Execution::new(&tools).approver(&approver).run(&calls).await;

    let ids: Vec<&str> = done.iter().map(|done| done.result.tool_use_id.as_str()).collect();
    assert_eq!(ids, ["a", "b", "c", "d", "e", "f", "g"]);
    let failed: Vec<&str> =
        done.iter().filter(|done| done.result.is_error).map(|done| done.result.tool_use_id.as_str()).collect();
    assert_eq!(failed, ["e", "g"]);
    assert_eq!(error(&done[4])["error_type"], "permission");
    // One second for the three that run at once, one each for the two that were approved alone.
    assert_eq!(started.elapsed(), Duration::from_secs(3));
    let lines = log.lines();
    let (at_once, sequence) = lines.split_at(7);
    assert_eq!(at_once.iter().filter(|line| line.ends_with("ends")).count(), 3);
    assert!(at_once.contains(&"asked for a batch of 2".to_owned()));
    let expected = [
        "asked for erase {\"n\":2}",
        "erase 2 begins",
        "erase 2 ends",
        "asked for write {\"n\":6}",
        "write 6 begins",
        "write 6 ends",
        "asked for write {\"n\":7}",
    ];
    assert_eq!(sequence, expected);
}

#[tokio::test(start_paused = true)]
async fn one_expensive_call_is_no_batch() {
    let log = Log::default();
    let tools = ToolSet::new().with_raw(slow("pay", Tier::Expensive, &log)).plan(&PLAIN).unwrap();
    let approver = Odd(log.clone());
    let done = Execution::new(&tools).approver(&approver).run(&[call("a", "pay", r#"{"n":2}"#)]).await;
    assert_eq!(text(&done[0]), "2");
    assert_eq!(log.lines()[0], "asked for pay {\"n\":2}");
}

#[tokio::test]
async fn without_an_approver_nothing_that_needs_approval_runs() {
    for tier in [Tier::Expensive, Tier::Write, Tier::Dangerous] {
        let log = Log::default();
        let tools = ToolSet::new().with_raw(slow("act", tier, &log)).plan(&PLAIN).unwrap();
        let calls = [call("a", "act", r#"{"n":2}"#), call("b", "act", r#"{"n":4}"#)];
        for done in Execution::new(&tools).run(&calls).await {
            assert_eq!(error(&done)["error_type"], "permission");
        }
        assert!(log.lines().is_empty());
    }
}

#[tokio::test]
async fn an_approver_that_panics_or_forgets_a_call_denies_it() {
    struct Forgets;
    impl Approver for Forgets {
        fn approve<'a>(&'a self, _: Proposal<'a>) -> BoxFuture<'a, Decision> {
            panic!("no")
        }
        fn approve_batch<'a>(&'a self, _: &'a [Proposal<'a>]) -> BoxFuture<'a, Vec<Decision>> {
            Box::pin(std::future::ready(vec![Decision::deny("first")]))
        }
    }
    let log = Log::default();
    let tools = ToolSet::new()
        .with_raw(slow("pay", Tier::Expensive, &log))
        .with_raw(slow("write", Tier::Write, &log))
        .plan(&PLAIN)
        .unwrap();
    let calls = [call("a", "pay", r#"{"n":2}"#), call("b", "pay", r#"{"n":2}"#), call("c", "write", r#"{"n":2}"#)];
    for done in Execution::new(&tools).approver(&Forgets).run(&calls).await {
        assert_eq!(error(&done)["error_type"], "permission");
    }
    assert!(log.lines().is_empty());
}

#[tokio::test]
async fn a_bad_call_becomes_a_result_that_the_model_can_act_on() {
    let tools = ToolSet::new().with_raw(slow("lookup_order", Tier::Safe, &Log::default())).plan(&PLAIN).unwrap();
    let calls = [
        call("a", "lookup_odrer", r#"{"n":1}"#),
        call("b", "weather", r#"{"n":1}"#),
        call("c", "lookup_order", r#"{"n":-1,"note":7,"execute_refund":true}"#),
        call("d", "lookup_order", r#"{"n":"#),
        call("e", "lookup_order", ""),
    ];
    let done = Execution::new(&tools).run(&calls).await;
    let errors: Vec<Value> = done.iter().map(error).collect();

    assert_eq!(errors[0]["error_type"], "not_found");
    assert_eq!(errors[0]["hint"], "Did you mean `lookup_order`?");
    assert_eq!(errors[1]["context"]["tools"], json!(["lookup_order"]));
    assert_eq!(errors[2]["error_type"], "validation");
    assert_eq!(errors[2]["recoverable"], true);
    let pointers: Vec<&str> =
        errors[2]["context"].as_array().unwrap().iter().map(|one| one["pointer"].as_str().unwrap()).collect();
    assert_eq!(pointers.len(), 3, "{pointers:?}");
    assert!(pointers.contains(&"/n") && pointers.contains(&"/note"));
    assert_eq!(errors[3]["error_type"], "validation");
    // An empty text stands for `{}` only where there is nothing to pass.
    assert_eq!(errors[4]["error_type"], "validation");
}

#[tokio::test]
async fn an_empty_text_is_no_arguments_for_a_tool_that_takes_none() {
    let tool =
        RawTool::new(
            "now",
            "Now.",
            json!({"type": "object"}),
            |arguments, _| async move { Ok::<_, ToolError>(arguments) },
        );
    let tools = ToolSet::new().with_raw(tool.unwrap().tier(Tier::Safe)).plan(&PLAIN).unwrap();
    let done = Execution::new(&tools).run(&[call("a", "now", "")]).await;
    assert_eq!(text(&done[0]), "{}");
}

#[tokio::test(start_paused = true)]
async fn error_panic_and_timeout_are_results() {
    fn failing<F>(name: &str, run: impl Fn() -> F + Send + Sync + 'static) -> RawTool
    where
        F: Future<Output = Result<Value, ToolError>> + Send + 'static,
    {
        let tool = RawTool::new(name, "Fails.", json!({"type": "object"}), move |_, _| run());
        tool.unwrap().tier(Tier::Safe).timeout(Duration::from_secs(2))
    }
    let tools = ToolSet::new()
        .with_raw(failing("errs", || async { Err(ToolError::not_found("no order 7").hint("Ask for its number.")) }))
        .with_raw(failing("panics", || async { panic!("secret") }))
        .with_raw(failing("panics_early", || -> std::future::Ready<Result<Value, ToolError>> { panic!("secret") }))
        .with_raw(failing("hangs", std::future::pending))
        .plan(&PLAIN)
        .unwrap();
    let calls: Vec<ToolUse> =
        ["errs", "panics", "panics_early", "hangs"].iter().map(|name| call(name, name, "{}")).collect();
    let done = Execution::new(&tools).run(&calls).await;
    let expected = json!({
        "error": "no order 7", "error_type": "not_found", "recoverable": true, "hint": "Ask for its number."
    });
    assert_eq!(error(&done[0]), expected);
    for panicked in &done[1..3] {
        assert_eq!(panicked.status, Status::Panicked);
        assert_eq!(error(panicked)["error_type"], "internal");
        assert!(!text(panicked).contains("secret"));
    }
    assert_eq!(error(&done[3])["error_type"], "timeout");
    assert_eq!(done[3].duration, Duration::from_secs(2));
}

#[tokio::test(start_paused = true)]
async fn cancelling_gives_every_open_call_a_result() {
    let log = Log::default();
    let tools = ToolSet::new()
        .with_raw(slow("read", Tier::Safe, &log))
        .with_raw(slow("write", Tier::Write, &log))
        .plan(&PLAIN)
        .unwrap();
    let cancel = CancellationToken::new();
    let calls = [call("a", "read", r#"{"n":1}"#), call("b", "write", r#"{"n":2}"#)];
    let execution = Execution::new(&tools).approver(&ApproveAll).cancellation(cancel.clone());
    let (done, ()) = tokio::join!(execution.run(&calls), async {
        tokio::time::sleep(Duration::from_millis(500)).await;
        cancel.cancel();
    });
    assert_eq!(done.len(), 2);
    for done in &done {
        assert_eq!(error(done)["error_type"], "cancelled");
    }
    assert_eq!(log.lines(), ["read 1 begins"]);
}

#[tokio::test]
async fn valid_arguments_are_no_permission() {
    let ran = Arc::new(AtomicUsize::new(0));
    let counted = Arc::clone(&ran);
    let refund = RawTool::new("refund", "Pays back.", schema(), move |arguments, context| {
        counted.fetch_add(1, Ordering::SeqCst);
        async move { Ok::<_, ToolError>(json!({"to": context.caller().id(), "n": arguments["n"]})) }
    })
    .unwrap()
    .authorize(|arguments, caller| {
        match (arguments["n"].as_u64(), caller.claim("limit").and_then(Value::as_u64)) {
            (Some(n), Some(limit)) if n <= limit => Ok(()),
            _ => Err(Denial::new("it is over the caller's limit")),
        }
    });
    let tools = ToolSet::new().with_raw(refund).plan(&PLAIN).unwrap();
    let log = Log::default();
    let approver = Odd(log.clone());
    let execution =
        Execution::new(&tools).caller(Arc::new(Caller::new("customer-7").with_claim("limit", 10))).approver(&approver);
    let done = execution.run(&[call("a", "refund", r#"{"n":8}"#), call("b", "refund", r#"{"n":12}"#)]).await;
    assert_eq!(text(&done[0]), r#"{"n":8,"to":"customer-7"}"#);
    assert_eq!(error(&done[1])["error_type"], "authorization");
    assert_eq!(error(&done[1])["error"], "the call is not allowed: it is over the caller's limit");
    // What is not allowed is not put to the approver, and does not run.
    assert_eq!(log.lines(), ["asked for refund {\"n\":8}"]);
    assert_eq!(ran.load(Ordering::SeqCst), 1);
}

#[tokio::test]
async fn images_go_as_images() {
    let tool = RawTool::new("shot", "A screenshot.", json!({"type": "object"}), |_, _| async {
        Ok::<_, ToolError>(Image::from_base64("image/png", "iVBORw0KGgo="))
    });
    let tools = ToolSet::new().with_raw(tool.unwrap().tier(Tier::Safe)).plan(&PLAIN).unwrap();
    let done = Execution::new(&tools).run(&[call("a", "shot", "{}")]).await;
    assert!(matches!(&done[0].result.content[..], [Part::Image { media_type, .. }] if media_type == "image/png"));
}

fn long_text() -> String {
    (0..5_000).map(|n| format!("row {n} ä\n")).collect()
}

fn long(name: &str) -> RawTool {
    let tool = RawTool::new(name, "Much text.", json!({"type": "object"}), |_, _| async {
        Ok::<_, ToolError>(Content::text(long_text()))
    });
    tool.unwrap().tier(Tier::Safe)
}

#[tokio::test]
async fn a_long_result_is_offloaded_and_read_back_in_slices() {
    let store = Arc::new(ResultStore::temporary(300));
    assert!(!store.is_used());
    let reading = store::reading_tool(Arc::clone(&store)).unwrap();
    let tools = ToolSet::new().with_raw(long("rows")).with_raw(reading).plan(&PLAIN).unwrap();
    let execution = Execution::new(&tools).store(&store);
    let done = execution.run(&[call("a", "rows", "{}")]).await;
    let summary: Value = serde_json::from_str(text(&done[0])).unwrap();
    assert!(store.is_used());
    assert_eq!(done[0].offloaded.as_deref(), Some("result-1"));
    assert_eq!(summary["ref_id"], "result-1");
    assert_eq!(summary["characters"], long_text().chars().count());
    assert!(text(&done[0]).len() < 1_000);

    let (mut whole, mut offset) = (String::new(), Some(0));
    while let Some(from) = offset {
        let input = json!({"ref_id": "result-1", "offset": from, "characters": 100_000}).to_string();
        let slice = execution.run(&[call("b", READ_RESULT, &input)]).await;
        let slice: Value = serde_json::from_str(text(&slice[0])).unwrap();
        let part = slice["text"].as_str().unwrap();
        assert!(store::estimated_tokens(part) <= 300, "a slice is over the guard itself");
        whole.push_str(part);
        offset = slice["next_offset"].as_u64();
    }
    assert_eq!(whole, long_text());

    for ref_id in ["result-2", "../result-1", "result-", "/etc/passwd"] {
        let input = json!({"ref_id": ref_id, "offset": 0, "characters": 10}).to_string();
        let gone = execution.run(&[call("c", READ_RESULT, &input)]).await;
        assert_eq!(error(&gone[0])["error_type"], "not_found");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn stored_results_are_private_and_go_with_the_run_unless_kept() {
    use std::os::unix::fs::PermissionsExt;
    let mode = |path: &std::path::Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let tools = ToolSet::new().with_raw(long("rows")).plan(&PLAIN).unwrap();

    let store = ResultStore::temporary(300);
    Execution::new(&tools).store(&store).run(&[call("a", "rows", "{}")]).await;
    let directory = store.directory().unwrap().unwrap();
    assert_eq!(mode(&directory), 0o700);
    assert_eq!(mode(&directory.join("result-1")), 0o600);
    drop(store);
    assert!(!directory.exists());

    let home = tempfile::tempdir().unwrap();
    let kept = home.path().join("results");
    let store = ResultStore::kept_in(&kept, 300).unwrap();
    Execution::new(&tools).store(&store).run(&[call("a", "rows", "{}")]).await;
    drop(store);
    assert_eq!(mode(&kept), 0o700);
    let later = ResultStore::kept_in(&kept, 300).unwrap();
    assert!(later.is_used());
    assert!(later.read("result-1", 0, 5).is_ok());
    let again = Execution::new(&tools).store(&later).run(&[call("a", "rows", "{}")]).await;
    assert_eq!(again[0].offloaded.as_deref(), Some("result-2"));
}

#[test]
fn bad_definitions_name_the_tool_and_the_fault() {
    async fn nothing(_: String, _: Value, _: ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
    let cases = [
        (r#"{"a":1}"#, "the definitions can't be read"),
        (r#"[{"name":"a b","input_schema":{"type":"object"}}]"#, "tool `a b`: a name has 1 to 64"),
        (r#"[{"name":"__x","input_schema":{"type":"object"}}]"#, "reserved"),
        (r#"[{"name":"a","input_schema":{"type":"array"}}]"#, "tool `a`: the input schema must have"),
        (
            r#"[{"name":"a","input_schema":{"type":"object","minProperties":-1}}]"#,
            "tool `a`: the input schema is wrong at /minProperties",
        ),
        (
            r#"[{"name":"a","input_schema":{"type":"object","properties":{"b":{"$ref":"https://example.org/b.json"}}}}]"#,
            "tool `a`: the input schema is wrong at /properties/b",
        ),
        (
            r#"[{"name":"a","input_schema":{"type":"object"}},{"name":"a","input_schema":{"type":"object"}}]"#,
            "tool `a`: the name comes twice",
        ),
        (r#"[{"name":"a","teir":"safe","input_schema":{"type":"object"}}]"#, "teir"),
    ];
    for (json, expected) in cases {
        let error = ToolSet::from_definitions(json, nothing).unwrap_err().to_string();
        assert!(error.contains(expected), "{error:?} lacks {expected:?}");
    }
    let set = r#"[{"name":"a","tier":"dangerous","parameters":{"type":"object"}},{"name":"lookup","input_schema":{"type":"object"}}]"#;
    let set = ToolSet::from_definitions(set, nothing).unwrap();
    assert_eq!((set.tier("a"), set.tier("lookup")), (Some(Tier::Dangerous), Some(Tier::Write)));
    assert_eq!(set.pick(["lookup"]).unwrap().names().collect::<Vec<_>>(), ["lookup"]);
    assert_eq!(set.pick(["loookup"]).unwrap_err().to_string(), "there is no tool `loookup`; did you mean `lookup`?");
}
