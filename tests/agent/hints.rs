//! Recovery, backpressure and diversity.

use std::sync::atomic::{AtomicU32, Ordering};

use geode::agent::{AgentEvent, Budget, RecoveryStep};
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use geode::tool::{Denial, NoArguments, Tier, ToolError, from_fn};
use serde_json::json;

use super::*;

/// Replies that call `tool` in each of some rounds, and then answer.
fn rounds_of(tool: &'static str, rounds: usize) -> Vec<geode::reply::Reply> {
    let mut replies: Vec<_> = (0..rounds).map(|_| calls([(tool, json!({}))])).collect();
    replies.push(text("done"));
    replies
}

fn steps(events: &Events) -> Vec<RecoveryStep> {
    let step = |event: &AgentEvent| if let AgentEvent::RecoveryStep { step, .. } = event { Some(*step) } else { None };
    events.all().iter().filter_map(step).collect()
}

/// A tool that can't be reached the first so many times.
fn shaky(name: &str, failures: u32, tier: Tier) -> impl geode::tool::Tool {
    let calls = AtomicU32::new(0);
    let tool = from_fn(name, "Shaky.", move |_: NoArguments| {
        let failed = calls.fetch_add(1, Ordering::SeqCst) < failures;
        async move { if failed { Err(ToolError::connection("no route")) } else { Ok("up again") } }
    });
    tool.tier(tier)
}

#[tokio::test]
async fn recovery_starts_with_the_call_after_two_failures() {
    let model = ScriptedAdapter::replies(rounds_of("shaky", 3));
    let (agent, events) = agent(&model);
    let mut session = agent.tool(shaky("shaky", 3, Tier::Safe)).session();
    session.run_text("go").await.unwrap();
    let started: Vec<AgentEvent> =
        events.all().into_iter().filter(|event| matches!(event, AgentEvent::RecoveryStarted { .. })).collect();
    assert_eq!(started, [AgentEvent::RecoveryStarted { tool: "shaky".into(), failures: 2 }]);
    // The third call fails and is made once more, unasked.
    assert_eq!(steps(&events), [RecoveryStep::Retry]);
    assert_eq!(text_of(&results(&session.history()[6])[0]), r#""up again""#);
}

#[tokio::test]
async fn a_stand_in_takes_over_and_its_result_says_so() {
    let model = ScriptedAdapter::replies(rounds_of("fails", 3));
    let (agent, events) = agent(&model);
    let cached = from_fn("cached", "From the cache.", |_: NoArguments| async { Ok("an old answer") });
    let mut session = agent.tool(cached.tier(Tier::Safe)).stand_in("fails", "cached").session();
    session.run_text("go").await.unwrap();
    assert_eq!(steps(&events), [RecoveryStep::StandIn]);
    let result = &results(&session.history()[6])[0];
    assert_eq!((result.name.as_str(), result.is_error), ("fails", false));
    assert_eq!(text_of(result), r#""an old answer""#);
    assert_eq!(result.content.len(), 2);
}

#[tokio::test]
async fn when_nothing_helps_the_model_is_told_to_leave_the_tool_alone() {
    let model = ScriptedAdapter::replies(rounds_of("fails", 3));
    let (agent, events) = agent(&model);
    let mut session = agent.session();
    session.run_text("go").await.unwrap();
    assert_eq!(steps(&events), [RecoveryStep::GiveUp]);
    let result = &results(&session.history()[6])[0];
    assert!(result.is_error);
    assert!(matches!(&result.content[1], Part::Text { text } if text.contains("Leave it alone")));
}

#[tokio::test]
async fn a_call_that_changes_something_is_never_repeated_unasked() {
    let model = ScriptedAdapter::replies(rounds_of("shaky", 3));
    let (agent, events) = agent(&model);
    let agent = agent.tool(shaky("shaky", 3, Tier::Write)).approver(geode::tool::ApproveAll);
    agent.run_text("go").await.unwrap();
    assert_eq!(steps(&events), [RecoveryStep::GiveUp]);
}

#[tokio::test]
async fn a_success_ends_the_row_of_failures() {
    let mut replies = rounds_of("fails", 2);
    replies.insert(1, calls([("search", json!({"text": "a"}))]));
    replies.insert(3, calls([("search", json!({"text": "b"}))]));
    replies.insert(4, calls([("fails", json!({}))]));
    let model = ScriptedAdapter::replies(replies);
    let (agent, events) = agent(&model);
    agent.run_text("go").await.unwrap();
    assert_eq!(events.count(|event| matches!(event, AgentEvent::Backpressure { .. })), 0);
}

/// A tool that fails, or not, by its number of calls, the first being 0.
fn by_turn(
    tier: Tier,
    outcome: impl Fn(u32) -> Result<&'static str, ToolError> + Send + Sync + 'static,
) -> impl geode::tool::Tool {
    let calls = AtomicU32::new(0);
    let tool = from_fn("turns", "Fails now and then.", move |_: NoArguments| {
        std::future::ready(outcome(calls.fetch_add(1, Ordering::SeqCst)))
    });
    tool.tier(tier)
}

fn started(events: &Events) -> usize {
    events.count(|event| matches!(event, AgentEvent::RecoveryStarted { .. }))
}

#[tokio::test]
async fn a_success_ends_the_failures_of_its_tool() {
    let model = ScriptedAdapter::replies(rounds_of("turns", 5));
    let (agent, events) = agent(&model);
    let turns = by_turn(Tier::Safe, |turn| if turn == 2 { Ok("up") } else { Err(ToolError::internal("down")) });
    agent.tool(turns).run_text("go").await.unwrap();
    // The third call was watched and succeeded; the fourth and the fifth begin a new row.
    assert_eq!((started(&events), steps(&events).len()), (1, 0));
}

#[tokio::test]
async fn only_a_fault_that_can_pass_is_tried_again_unasked() {
    for (error, expected) in [
        (ToolError::connection("no route"), vec![RecoveryStep::Retry, RecoveryStep::GiveUp]),
        (ToolError::not_found("no such order"), vec![RecoveryStep::GiveUp]),
        (ToolError::dependency("no database"), vec![RecoveryStep::GiveUp]),
    ] {
        let model = ScriptedAdapter::replies(rounds_of("turns", 3));
        let (agent, events) = agent(&model);
        agent.tool(by_turn(Tier::Safe, move |_| Err(error.clone()))).run_text("go").await.unwrap();
        assert_eq!(steps(&events), expected);
    }
}

/// A call that nobody let through says nothing about its tool.
#[tokio::test]
async fn what_was_not_allowed_is_no_failure_of_the_tool() {
    let denied = |from: u32| {
        let calls = AtomicU32::new(0);
        let tool =
            from_fn("turns", "Fails.", |_: NoArguments| async { Err::<(), _>(ToolError::connection("no route")) });
        tool.tier(Tier::Safe).authorize(move |_, _| match calls.fetch_add(1, Ordering::SeqCst) >= from {
            true => Err(Denial::new("not for you")),
            false => Ok(()),
        })
    };
    let model = ScriptedAdapter::replies(rounds_of("turns", 3));
    let (always, events) = agent(&model);
    always.tool(denied(0)).run_text("go").await.unwrap();
    assert_eq!(started(&events), 0);
    // It is a failed call all the same: the model is told to slow down.
    assert_eq!(events.count(|event| *event == AgentEvent::Backpressure { failures: 3 }), 1);

    // After two failures the third call is watched, and no step helps against a denial.
    let model = ScriptedAdapter::replies(rounds_of("turns", 3));
    let (in_the_end, events) = agent(&model);
    in_the_end.tool(denied(2)).stand_in("turns", "search").run_text("go").await.unwrap();
    assert_eq!((started(&events), steps(&events).len()), (1, 0));
}

#[tokio::test]
async fn three_failures_in_a_row_slow_the_model_down_once() {
    let model = ScriptedAdapter::replies([
        calls([("fails", json!({})), ("search", json!({})), ("no_such_tool", json!({}))]),
        calls([("search", json!({"text": "a"}))]),
        text("done"),
    ]);
    let (agent, events) = agent(&model);
    let mut session = agent.session();
    session.run_text("go").await.unwrap();
    assert_eq!(events.count(|event| *event == AgentEvent::Backpressure { failures: 3 }), 1);
    let told: Vec<usize> = model.requests().iter().map(|request| reminders(request).len()).collect();
    assert_eq!(told, [0, 1, 0]);
    assert!(reminders(&model.requests()[1])[0].contains("Slow down"));
    assert!(!serde_json::to_string(session.history()).unwrap().contains("Slow down"));
}

#[tokio::test]
async fn the_fifth_round_with_the_same_call_asks_for_something_else() {
    let mut replies: Vec<_> = (0..4).map(|_| calls([("search", json!({"text": "a"}))])).collect();
    // Twice in one round counts once, and other arguments don't count.
    replies[0] = calls([("search", json!({"text": "a"})), ("search", json!({"text": "a"}))]);
    replies.push(calls([("search", json!({"text": "b"}))]));
    let mut last = calls([("search", json!({}))]);
    last.tool_uses[0].input = "{ \"text\" : \"a\" }".to_owned();
    replies.extend([last, text("done")]);
    let model = ScriptedAdapter::replies(replies);
    let (agent, events) = agent(&model);
    agent.budget(Budget::default().rounds(20)).run_text("go").await.unwrap();
    assert_eq!(events.count(|event| *event == AgentEvent::Diversity { tool: "search".into(), rounds: 5 }), 1);
    let told: Vec<usize> = model.requests().iter().map(|request| reminders(request).len()).collect();
    assert_eq!(told, [0, 0, 0, 0, 0, 0, 1]);
}
