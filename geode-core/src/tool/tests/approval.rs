//! Tiers, approval and authorization: what runs, when, and by whose leave.

use std::sync::atomic::{AtomicUsize, Ordering};

use futures_util::future::BoxFuture;

use super::*;

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

/// A tool of this tier that may be called with an even `n` alone.
fn even_alone(tier: Tier, log: &Log) -> RawTool {
    slow("act", tier, log).authorize(|arguments, _| match arguments["n"].as_u64() {
        Some(n) if n % 2 == 0 => Ok(()),
        _ => Err(Denial::new("odd")),
    })
}

#[tokio::test(start_paused = true)]
async fn every_tier_is_authorized_before_anybody_is_asked() {
    for tier in [Tier::Safe, Tier::PreApproved, Tier::Expensive, Tier::Write, Tier::Dangerous] {
        let log = Log::default();
        let tools = ToolSet::new().with_raw(even_alone(tier, &log)).plan(&PLAIN).unwrap();
        let approver = Odd(log.clone());
        let calls = [1, 2, 3].map(|n| call(&n.to_string(), "act", &format!("{{\"n\":{n}}}")));
        let done = Execution::new(&tools).approver(&approver).run(&calls).await;
        assert_eq!(text(&done[1]), "2", "{tier:?}");
        for refused in [&done[0], &done[2]] {
            assert_eq!(error(refused)["error_type"], "authorization", "{tier:?}");
        }
        let lines = log.lines();
        assert!(lines.iter().all(|line| line.contains('2')), "{tier:?}: {lines:?}");
    }
}

/// An authorization that panics or stalls is none.
#[tokio::test(start_paused = true)]
async fn an_authorization_that_does_not_end_well_allows_nothing() {
    struct Doubtful(Log, bool);
    impl Tool for Doubtful {
        type Arguments = NoArguments;
        type Output = ();
        fn name(&self) -> &str {
            "doubtful"
        }
        fn description(&self) -> &str {
            "Nobody knows who may."
        }
        fn tier(&self) -> Tier {
            Tier::Safe
        }
        fn timeout(&self) -> Option<Duration> {
            Some(Duration::from_secs(4))
        }
        async fn authorize(&self, _: &NoArguments, _: &Caller) -> Result<(), Denial> {
            if self.1 { panic!("secret") } else { std::future::pending().await }
        }
        async fn call(&self, _: NoArguments, _: ToolContext) -> Result<(), ToolError> {
            self.0.add("it ran");
            Ok(())
        }
    }
    for (panics, expected, seconds) in [(true, "internal", 0), (false, "timeout", 4)] {
        let log = Log::default();
        let tools = ToolSet::new().with(Doubtful(log.clone(), panics)).plan(&PLAIN).unwrap();
        let started = tokio::time::Instant::now();
        let done = Execution::new(&tools).run(&[call("a", "doubtful", "{}")]).await;
        assert_eq!(error(&done[0])["error_type"], expected);
        assert!(!text(&done[0]).contains("secret"));
        assert_eq!(started.elapsed().as_secs(), seconds);
        assert!(log.lines().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn approved_expensive_calls_run_at_once_and_beside_the_safe_ones() {
    let log = Log::default();
    let tools = ToolSet::new()
        .with_raw(slow("read", Tier::Safe, &log))
        .with_raw(slow("pay", Tier::Expensive, &log))
        .plan(&PLAIN)
        .unwrap();
    let calls =
        [("a", "pay"), ("b", "read"), ("c", "pay"), ("d", "pay")].map(|(id, name)| call(id, name, r#"{"n":2}"#));
    let started = tokio::time::Instant::now();
    Execution::new(&tools).approver(&ApproveAll).run(&calls).await;
    assert_eq!(started.elapsed(), Duration::from_secs(1));
}

#[tokio::test(start_paused = true)]
async fn calls_that_write_are_judged_by_what_those_before_them_left_behind() {
    let log = Log::default();
    let seen = log.clone();
    let once = slow("write", Tier::Write, &log).authorize(move |_, _| {
        match seen.lines().iter().any(|line| line.ends_with("ends")) {
            true => Err(Denial::new("it was written already")),
            false => Ok(()),
        }
    });
    let tools = ToolSet::new().with_raw(once).with_raw(slow("read", Tier::Safe, &log)).plan(&PLAIN).unwrap();
    let write = |id| call(id, "write", r#"{"n":2}"#);
    let done = Execution::new(&tools).approver(&ApproveAll).run(&[write("a"), write("b")]).await;
    assert_eq!((done[0].result.is_error, done[1].result.is_error), (false, true));
    // What only reads comes first, wherever it stands.
    let done = Execution::new(&tools).approver(&ApproveAll).run(&[write("a"), call("b", "read", r#"{"n":1}"#)]).await;
    assert_eq!((done[0].result.is_error, done[1].result.is_error), (true, false));
}

#[tokio::test(start_paused = true)]
async fn sixteen_calls_run_at_a_time() {
    let tools = ToolSet::new().with_raw(slow("read", Tier::Safe, &Log::default())).plan(&PLAIN).unwrap();
    let calls: Vec<ToolUse> = (0..17).map(|n| call(&n.to_string(), "read", r#"{"n":1}"#)).collect();
    for (count, seconds) in [(16, 1), (17, 2)] {
        let started = tokio::time::Instant::now();
        Execution::new(&tools).run(&calls[..count]).await;
        assert_eq!(started.elapsed(), Duration::from_secs(seconds));
    }
}

/// What nobody has classified waits for approval, and its description does not change that.
#[test]
fn a_tool_that_nobody_classified_writes() {
    let closure = from_fn("closure", "Only reads.", |_: NoArguments| async { Ok(()) });
    let raw = RawTool::new("raw", "Only reads.", schema(), |_, _| async { Ok::<_, ToolError>(()) }).unwrap();
    let tools = ToolSet::new().with(closure).with_raw(raw);
    assert_eq!((tools.tier("closure"), tools.tier("raw")), (Some(Tier::Write), Some(Tier::Write)));
}

#[test]
fn a_tool_of_the_same_name_takes_the_others_place() {
    let log = Log::default();
    let tools = ToolSet::new().with_raw(slow("a", Tier::Safe, &log)).with_raw(slow("b", Tier::Safe, &log));
    let tools = tools.with_raw(slow("a", Tier::Dangerous, &log));
    assert_eq!(tools.names().collect::<Vec<_>>(), ["a", "b"]);
    assert_eq!(tools.tier("a"), Some(Tier::Dangerous));
}
