//! Each setting of an agent reaches the place that it is about.

use std::time::Duration;

use geode::agent::{AgentEvent, Budget, CancellationToken};
use geode::client::Client;
use geode::message::Message;
use geode::request::Mode;
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use geode::tool::{Caller, Denial, NoArguments, Tier, ToolError, from_fn, from_fn_with_context};
use serde_json::json;

use super::*;

/// A model that calls `name` once, and then answers.
fn calling(name: &str) -> ScriptedAdapter {
    ScriptedAdapter::replies([calls([(name, json!({}))]), text("done")])
}

#[tokio::test]
async fn tools_are_authorized_for_and_told_of_the_caller() {
    let who = || {
        let tool = from_fn_with_context("who", "Who asks.", |_: NoArguments, context| async move {
            Ok::<_, ToolError>(context.caller().id().to_owned())
        });
        tool.tier(Tier::Safe).authorize(|_, caller: &Caller| match caller.claim("role") == Some(&json!("clerk")) {
            true => Ok(()),
            false => Err(Denial::new("clerks only")),
        })
    };
    let mut session =
        agent(&calling("who")).0.tool(who()).caller(Caller::new("c-7").with_claim("role", "clerk")).session();
    session.run_text("go").await.unwrap();
    assert_eq!(text_of(&results(&session.history()[2])[0]), r#""c-7""#);
    let mut session = agent(&calling("who")).0.tool(who()).session();
    session.run_text("go").await.unwrap();
    assert!(text_of(&results(&session.history()[2])[0]).contains("clerks only"));
}

#[tokio::test(start_paused = true)]
async fn the_time_for_a_call_holds_for_tools_that_set_none() {
    let hang = from_fn("hang", "Never ends.", |_: NoArguments| std::future::pending::<Result<(), ToolError>>());
    let (agent, events) = agent(&calling("hang"));
    agent.tool(hang.tier(Tier::Safe)).tool_timeout(Duration::from_secs(7)).run_text("go").await.unwrap();
    let seven =
        |event: &AgentEvent| matches!(event, AgentEvent::ToolFinished { duration, .. } if duration.as_secs() == 7);
    assert_eq!(events.count(seven), 1);
}

#[tokio::test]
async fn long_results_are_kept_where_they_are_to_be_and_last_as_long_as_the_session() {
    let rows = || from_fn("rows", "Rows.", |_: NoArguments| async { Ok("0123456789".repeat(100)) }).tier(Tier::Safe);
    let read = calls([("__read_result__", json!({"ref_id": "result-1", "offset": 0, "characters": 5}))]);
    let script = || [calls([("rows", json!({}))]), text("done"), read.clone(), text("done again")];

    let home = tempfile::tempdir().unwrap();
    let kept = agent(&ScriptedAdapter::replies(script())).0.tool(rows()).token_guard(100).keep_results(home.path());
    kept.run_text("go").await.unwrap();
    assert!(std::fs::read_to_string(home.path().join("result-1")).unwrap().contains("0123456789"));

    // What one run of a session stored, the next can read.
    let mut session = agent(&ScriptedAdapter::replies(script())).0.tool(rows()).token_guard(100).session();
    session.run_text("go").await.unwrap();
    session.run_text("And the rest?").await.unwrap();
    assert!(text_of(&results(&session.history()[6])[0]).contains(r#""text":"\"0123""#));
}

/// The agent's own schema holds for runs that name no type, as JSON text too; a run for a type and a call aside have
/// their own.
#[tokio::test]
async fn the_agents_schema_holds_for_runs_that_name_no_type() {
    let schema = json!({"title": "Count", "type": "object", "properties": {"n": {"type": "integer", "maximum": 9}},
                        "required": ["n"], "additionalProperties": false});
    let replies = [r#"{"n": 11}"#, r#"{"n": 7}"#, r#"{"n": 8}"#, VERDICT, VERDICT].map(text);
    let model = ScriptedAdapter::replies(replies);
    let mut session = agent(&model).0.response_schema((&schema).try_into().unwrap()).session();
    assert_eq!(session.run_text("go").await.unwrap().value, r#"{"n":7}"#);
    assert_eq!(session.run_value("go").await.unwrap().value, json!({"n": 8}));
    assert_eq!(session.run::<Verdict>("go").await.unwrap().value, verdict());
    assert_eq!(session.ask::<Verdict>("And?").await.unwrap().value, verdict());
    let names: Vec<_> = model.requests().into_iter().map(|request| request.output.unwrap().name).collect();
    assert_eq!(names, ["Count", "Count", "Count", "Verdict", "Verdict"]);
    assert!(agent(&model).0.run_value("go").await.unwrap_err().is_configuration(), "no schema was set");
}

#[tokio::test]
async fn a_model_of_the_agents_own_its_limit_and_its_instruction_are_asked_for() {
    let model = ScriptedAdapter::replies([text("done")]);
    agent(&model).0.model("m-2").max_output_tokens(33).run_text("go").await.unwrap();
    let request = &model.requests()[0];
    assert_eq!((request.model.as_deref(), request.max_output_tokens), (Some("m-2"), Some(33)));
    assert_eq!(request.system.as_deref(), Some("Decide about refunds."));
}

/// The model call itself is given up, not only what follows it.
#[tokio::test(start_paused = true)]
async fn cancelling_and_the_time_of_the_run_end_a_model_call() {
    struct Stalling;
    impl geode::transport::Transport for Stalling {
        fn send<'a>(
            &'a self,
            _: geode::transport::WireRequest,
            _: geode::transport::ExchangeLimits,
        ) -> futures_util::future::BoxFuture<'a, Result<geode::transport::WireReply, geode::transport::TransportError>>
        {
            Box::pin(std::future::pending())
        }
        fn stream<'a>(
            &'a self,
            _: geode::transport::WireRequest,
            _: geode::transport::ExchangeLimits,
        ) -> futures_util::future::BoxFuture<'a, Result<geode::transport::WireStream, geode::transport::TransportError>>
        {
            Box::pin(std::future::pending())
        }
        fn keeps_timeout(&self) -> bool {
            true
        }
    }
    let stalled = || Client::builder(ScriptedAdapter::replies([text("never")])).transport(Stalling).build().agent();
    let begun = tokio::time::Instant::now();
    let timed = stalled().budget(Budget::default().time(Duration::from_secs(10)));
    let error = timed.run_text("go").await.unwrap_err();
    assert!(error.is_transport() && begun.elapsed() == Duration::from_secs(10), "{error} {:?}", begun.elapsed());

    let token = CancellationToken::new();
    let agent = stalled().cancellation(token.clone());
    let mut session = agent.session();
    let (outcome, ()) = tokio::join!(session.run_text("go"), async {
        tokio::time::sleep(Duration::from_secs(3)).await;
        token.cancel();
    });
    assert_eq!(outcome.unwrap_err().failure().kind(), "user_cancelled");
    assert_eq!(begun.elapsed(), Duration::from_secs(13));
    // A session whose agent was cancelled sends nothing more.
    assert_eq!(session.go_on_text().await.unwrap_err().rounds(), 0);
}

/// Dropping a run loses its current round; the history keeps calls and results together.
#[tokio::test(start_paused = true)]
async fn dropping_a_run_stops_its_tools_and_leaves_a_complete_history() {
    let (sender, mut stopped) = tokio::sync::mpsc::unbounded_channel::<()>();
    let hang = from_fn("hang", "Never ends.", move |_: NoArguments| {
        let alive = sender.clone();
        async move {
            let _alive = alive;
            std::future::pending::<Result<(), ToolError>>().await
        }
    });
    let model = ScriptedAdapter::replies([calls([("search", json!({"text": "a"}))]), calls([("hang", json!({}))])]);
    let agent = agent(&model).0.tool(hang.tier(Tier::Safe));
    let mut session = agent.session();
    let run = tokio::time::timeout(Duration::from_secs(5), session.run_text("go"));
    assert!(run.await.is_err());
    let [Message::User { .. }, Message::Assistant { .. }, Message::ToolResults { .. }] = session.history() else {
        panic!("{:?}", session.history())
    };
    drop((session, agent));
    let gone = tokio::sync::mpsc::error::TryRecvError::Disconnected;
    assert_eq!(stopped.try_recv(), Err(gone), "the tool's future is still there");
}

/// A reminder that stands in a saved history is none of the new run's.
#[tokio::test]
async fn reminders_are_not_resumed() {
    let model = ScriptedAdapter::replies([text("done")]);
    let saved = vec![Message::user("one"), Message::Reminder { text: "Slow down.".into() }, Message::assistant("1")];
    let mut session = agent(&model).0.resume(saved);
    session.run_text("two").await.unwrap();
    assert_eq!(model.requests()[0].messages.len(), 3);
    assert!(reminders(&model.requests()[0]).is_empty());
}

#[tokio::test]
async fn a_mode_holds_for_every_run_of_the_agent() {
    let model = ScriptedAdapter::new(|request| {
        Ok(match names(request).last() {
            Some(&"__structured_output__") => {
                calls([("__structured_output__", json!({"refund": true, "reason": "in time"}))])
            }
            _ => text(VERDICT),
        })
    });
    for (mode, expected) in [(Mode::Tool, Mode::Tool), (Mode::Native, Mode::Native), (Mode::Auto, Mode::Native)] {
        let answer = agent(&model).0.mode(mode).run::<Verdict>("go").await.unwrap();
        assert_eq!(answer.account().mode, expected);
    }
}
