//! Calls that can't be made, or don't end well: each is a result that the model can act on.

use tokio_util::sync::CancellationToken;

use super::*;

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

/// What a tool could take, it has to be given in words: nothing at all is no arguments.
#[tokio::test]
async fn an_empty_text_is_a_violation_where_there_is_something_to_pass() {
    let schema = json!({"type": "object", "properties": {"limit": {"type": "integer"}}});
    let tool = RawTool::new("list", "Lists.", schema, |arguments, _| async move { Ok::<_, ToolError>(arguments) });
    let tools = ToolSet::new().with_raw(tool.unwrap().tier(Tier::Safe)).plan(&PLAIN).unwrap();
    let done = Execution::new(&tools).run(&[call("a", "list", " "), call("b", "list", "{}")]).await;
    assert_eq!(error(&done[0])["error_type"], "validation");
    assert_eq!(text(&done[1]), "{}");
}

/// Sixty seconds, where neither the tool nor the run says otherwise.
#[tokio::test(start_paused = true)]
async fn a_call_has_the_runs_time_where_its_tool_sets_none() {
    let hangs = |name: &str| {
        let tool = RawTool::new(name, "Hangs.", json!({"type": "object"}), |_, _| {
            std::future::pending::<Result<Value, ToolError>>()
        });
        tool.unwrap().tier(Tier::Safe)
    };
    let own = hangs("own").timeout(Duration::from_secs(5));
    let tools = ToolSet::new().with_raw(hangs("hangs")).with_raw(own).plan(&PLAIN).unwrap();
    let calls = [call("a", "hangs", "{}"), call("b", "own", "{}")];
    let seconds = |done: Vec<Executed>| done.iter().map(|done| done.duration.as_secs()).collect::<Vec<_>>();
    assert_eq!(seconds(Execution::new(&tools).run(&calls).await), [60, 5]);
    assert_eq!(seconds(Execution::new(&tools).timeout(Duration::from_secs(9)).run(&calls).await), [9, 5]);
}
