//! Rounds, budgets, terminations, history, and where the response schema goes.

use std::time::Duration;

use geode::agent::{AgentEvent, AgentFailure, Budget};
use geode::client::Client;
use geode::message::{Message, Opaque, ToolChoice};
use geode::outcome::{Failure, IncompleteReason};
use geode::reply::{FinishReason, Reply};
use geode::request::Mode;
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use geode::tool::{NoArguments, RawTool, Tier, ToolError, from_fn};
use serde_json::json;

use super::*;

#[tokio::test]
async fn a_run_ends_when_the_model_answers_without_a_call() {
    let model = ScriptedAdapter::replies([
        calls([("search", json!({"text": "a"})), ("search", json!({"text": "b"}))]),
        text(VERDICT),
    ]);
    let (agent, events) = agent(&model);
    let mut session = agent.session();
    let answer = session.run::<Verdict>("Is it due?").await.unwrap();
    assert_eq!(answer.value, verdict());

    let [user, called, came, said] = session.history() else { panic!("{:?}", session.history()) };
    assert_eq!(user, &Message::user("Is it due?"));
    assert!(matches!(called, Message::Assistant { tool_uses, .. } if tool_uses.len() == 2));
    let ids: Vec<&str> = results(came).iter().map(|result| result.tool_use_id.as_str()).collect();
    assert_eq!(ids, ["call-1", "call-2"]);
    assert_eq!(text_of(&results(came)[1]), r#""found b""#);
    assert_eq!(said, &Message::assistant(VERDICT));
    assert_eq!(events.all().last(), Some(&AgentEvent::Finished { rounds: 2 }));
    assert_eq!(model.requests()[1].messages, &session.history()[..3]);
}

#[tokio::test]
async fn the_wrap_up_allows_no_call() {
    let model = ScriptedAdapter::new(|request| {
        Ok(match request.tool_choice {
            ToolChoice::None => text("done"),
            _ => calls([("search", json!({"text": request.messages.len().to_string()}))]),
        })
    });
    let (agent, events) = agent(&model);
    let agent = agent.budget(Budget::default().rounds(4).wrap_up(1, Duration::ZERO));
    assert_eq!(agent.run_text("go").await.unwrap().value, "done");
    let choices: Vec<ToolChoice> = model.requests().into_iter().map(|request| request.tool_choice).collect();
    assert_eq!(choices, [ToolChoice::Auto, ToolChoice::Auto, ToolChoice::Auto, ToolChoice::None]);
    // The tools stay on offer: a wire with calls in its history wants to know them.
    assert!(!model.requests()[3].tools.is_empty());
    assert!(events.all().contains(&AgentEvent::RoundStarted { round: 4, wrapping_up: true }));
}

#[tokio::test(start_paused = true)]
async fn the_wrap_up_comes_with_time_too() {
    let model = ScriptedAdapter::new(|request| {
        Ok(match request.tool_choice {
            ToolChoice::None => text("done"),
            _ => calls([("wait", json!({}))]),
        })
    });
    let wait = from_fn("wait", "Waits.", |_: NoArguments| async {
        tokio::time::sleep(Duration::from_secs(40)).await;
        Ok(())
    });
    let agent = Client::new(model.clone()).agent().tool(wait.tier(Tier::Safe));
    let agent = agent.budget(Budget::default().time(Duration::from_secs(100)).wrap_up(1, Duration::from_secs(30)));
    assert_eq!(agent.run_text("go").await.unwrap().value, "done");
    assert_eq!(model.requests().len(), 3);
}

#[tokio::test]
async fn a_model_that_never_stops_runs_out_of_rounds_and_its_late_calls_do_not_run() {
    let model = ScriptedAdapter::replies([calls([("search", json!({"text": "a"}))])]);
    let (agent, events) = agent(&model);
    let mut session = agent.budget(Budget::default().rounds(3).wrap_up(2, Duration::ZERO)).session();
    let error = session.run_text("go").await.unwrap_err();
    assert!(error.is_out_of_rounds() && !error.is_retryable(), "{error}");
    assert_eq!(error.rounds(), 3);
    assert_eq!(events.count(|event| matches!(event, AgentEvent::ToolFinished { .. })), 1);
    // The history is complete all the same: every call has its result.
    assert_eq!(session.history().len(), 7);
    assert!(results(&session.history()[4])[0].is_error);
}

#[tokio::test(start_paused = true)]
async fn the_time_of_a_run_cuts_a_tool_short() {
    let model = ScriptedAdapter::replies([calls([("hang", json!({}))])]);
    let hang = from_fn("hang", "Never ends.", |_: NoArguments| std::future::pending::<Result<(), ToolError>>());
    let agent = Client::new(model).agent().tool(hang.tier(Tier::Safe).timeout(Duration::from_secs(3600)));
    let mut session = agent.budget(Budget::default().time(Duration::from_secs(10))).session();
    let started = tokio::time::Instant::now();
    let error = session.run_text("go").await.unwrap_err();
    assert_eq!(started.elapsed(), Duration::from_secs(10));
    assert!(matches!(error.failure(), AgentFailure::Call(Failure::DeadlineExceeded)), "{error}");
    assert!(text_of(&results(&session.history()[2])[0]).contains("cancelled"));
}

#[tokio::test]
async fn a_call_that_the_token_limit_cut_is_never_run() {
    let cut = Reply { finish: Some(FinishReason::TokenLimit), ..calls([("search", json!({"text": "a"}))]) };
    let model = ScriptedAdapter::replies([cut]);
    let (agent, events) = agent(&model);
    let error = agent.run_text("go").await.unwrap_err();
    let cut =
        matches!(error.failure(), AgentFailure::Call(Failure::Incomplete { reason: IncompleteReason::TokenLimit }));
    assert!(cut, "{error}");
    assert_eq!(events.count(|event| matches!(event, AgentEvent::ToolFinished { .. })), 0);
}

#[tokio::test]
async fn the_schema_of_a_run_is_on_the_wire_only_where_it_does_not_suppress_tools() {
    let script = [calls([("search", json!({"text": "a"}))]), text("It is due."), text(VERDICT)];

    let model = ScriptedAdapter::replies([script[0].clone(), script[2].clone()]);
    agent(&model).0.run::<Verdict>("go").await.unwrap();
    assert!(model.requests().iter().all(|request| request.output.is_some()));

    let model = ScriptedAdapter::replies(script.clone()).capabilities_with(|able| able.schema_suppresses_tools = true);
    let (suppressed, events) = agent(&model);
    let mut session = suppressed.session();
    assert_eq!(session.run::<Verdict>("go").await.unwrap().value, verdict());
    let with_schema: Vec<bool> = model.requests().iter().map(|request| request.output.is_some()).collect();
    assert_eq!(with_schema, [false, false, true]);
    assert_eq!(model.requests()[2].tool_choice, ToolChoice::None);
    assert_eq!(events.count(|event| *event == AgentEvent::Finalizing), 1);
    // The draft was for the last call alone.
    assert_eq!(session.history().last(), Some(&Message::assistant(VERDICT)));
    assert_eq!(session.history().len(), 4);

    // Where both can't stand in one request, the answer is handed in by the internal tool ...
    let model =
        ScriptedAdapter::replies([calls([("__structured_output__", json!({"refund": true, "reason": "in time"}))])])
            .capabilities_with(|able| able.tools_with_schema = false);
    let answer = agent(&model).0.run::<Verdict>("go").await.unwrap();
    assert_eq!(answer.account().mode, Mode::Tool);

    // ... unless the provider's own way was asked for by name: then the last call goes without tools.
    let model = ScriptedAdapter::replies(script).capabilities_with(|able| able.tools_with_schema = false);
    let answer = agent(&model).0.mode(Mode::Native).run::<Verdict>("go").await.unwrap();
    assert_eq!(answer.account().mode, Mode::Native);
    let requests = model.requests();
    assert_eq!((names(&requests[1]).len(), names(&requests[2]).len()), (2, 0));
}

#[tokio::test]
async fn an_invalid_answer_is_asked_for_again_with_its_violations_and_twice_at_most() {
    let model = ScriptedAdapter::replies([text(r#"{"refund":"yes","reason":""}"#), text(VERDICT)]);
    let (working, events) = agent(&model);
    let mut session = working.session();
    session.run::<Verdict>("go").await.unwrap();
    let second = &model.requests()[1];
    assert!(reminders(second)[0].contains("/refund") && reminders(second)[0].contains("/reason"));
    assert_eq!(events.count(|event| *event == AgentEvent::AnswerRejected { violations: 2 }), 1);
    assert_eq!(session.history().len(), 2);

    let model = ScriptedAdapter::replies([text("{}")]);
    let error = agent(&model).0.run::<Verdict>("go").await.unwrap_err();
    assert!(error.is_invalid_schema() && error.violations().is_some_and(|report| report.count() == 2), "{error}");
    assert_eq!(error.failure().kind(), "invalid_schema");
    assert_eq!(model.requests().len(), 3);
}

#[tokio::test]
async fn one_call_beside_the_run_has_a_schema_of_its_own() {
    #[derive(StructuredOutput)]
    struct Plan {
        steps: Vec<String>,
    }
    let model = ScriptedAdapter::new(|request| {
        let plan = request.output.as_ref().is_some_and(|output| output.plan.schema.get().contains("steps"));
        Ok(text(if plan { r#"{"steps":["look","decide"]}"# } else { VERDICT }))
    });
    let (agent, _) = agent(&model);
    let mut session = agent.session();
    session.run::<Verdict>("Is it due?").await.unwrap();
    let before = session.history().to_vec();
    let plan = session.ask::<Plan>("How would you go about it?").await.unwrap();
    assert_eq!(plan.value.steps, ["look", "decide"]);
    let aside = &model.requests()[1];
    assert!(aside.tools.is_empty());
    assert_eq!(aside.messages.len(), 3);
    assert_eq!(session.history(), before);
    session.run::<Verdict>("And now?").await.unwrap();
}

/// Rules on the answer's type see the agent's context, as they see a call's.
#[tokio::test]
async fn rules_on_the_answer_see_the_agents_context() {
    #[derive(Debug, StructuredOutput)]
    #[geode(check = cites_what_exists)]
    struct Cited {
        source: String,
    }
    fn cites_what_exists(cited: &Cited, known: &Known, issues: &mut geode::check::Issues) {
        issues.require(known.0.contains(&cited.source), "/source", "unknown_citation", "no such document");
    }
    struct Known(Vec<String>);

    let model = ScriptedAdapter::replies([text(r#"{"source":"doc-1"}"#)]);
    let (without, _) = agent(&model);
    let error = without.run::<Cited>("go").await.unwrap_err();
    assert!(error.to_string().contains("Agent::context"), "{error}");

    let known = |names: &[&str]| Known(names.iter().map(|name| (*name).to_owned()).collect());
    let with = |names: &[&str]| agent(&model).0.context(known(names));
    assert_eq!(with(&["doc-1"]).run::<Cited>("go").await.unwrap().value.source, "doc-1");
    let error = with(&["doc-2"]).run::<Cited>("go").await.unwrap_err();
    assert!(error.is_invalid_business(), "{error:?}");
    assert_eq!(error.issues()[0].code, "unknown_citation");
}

/// What a provider's dialect can't carry of a tool's schema stands in the account.
#[tokio::test]
async fn what_the_wire_lacks_of_a_tools_schema_is_in_the_account() {
    let model =
        ScriptedAdapter::replies([text("done")]).capabilities_with(|able| able.dialect = &geode::dialect::ANTHROPIC);
    let schemas = [
        json!({"type": "object", "properties": {"a": {"type": "string", "minLength": 3}}, "required": ["a"]}),
        json!({"type": "object", "additionalProperties": true}),
    ];
    let mut agent = agent(&model).0;
    for (name, schema) in ["short", "open"].into_iter().zip(schemas) {
        let tool = RawTool::new(name, "Acts.", schema, |_, _| async { Ok::<_, ToolError>(()) });
        agent = agent.raw_tool(tool.unwrap());
    }
    let answer = agent.run_text("go").await.unwrap();
    let notes: Vec<&str> = answer.account().notes.iter().map(|note| note.message.as_str()).collect();
    assert!(notes.iter().any(|note| note.contains("`short`") && note.contains("`minLength`")), "{notes:?}");
    assert!(notes.iter().any(|note| note.contains("`open`") && note.contains("is a hint")), "{notes:?}");
}

#[tokio::test]
async fn a_run_is_saved_and_goes_on_with_another_adapter() {
    let first = ScriptedAdapter::replies([calls([("search", json!({"text": "a"}))]), text("First answer.")]);
    let mut session = agent(&first).0.session();
    session.run_text("one").await.unwrap();
    let saved = serde_json::to_string(&session.into_history()).unwrap();

    let second = ScriptedAdapter::replies([text(VERDICT)]);
    let mut session = agent(&second).0.resume(serde_json::from_str(&saved).unwrap());
    session.run::<Verdict>("two").await.unwrap();
    let sent = &second.requests()[0].messages;
    assert_eq!(sent.len(), 5);
    assert_eq!(serde_json::to_value(&sent[..4]).unwrap(), serde_json::from_str::<serde_json::Value>(&saved).unwrap());
}

#[tokio::test]
async fn long_results_are_offered_for_reading_once_there_is_one() {
    let model = ScriptedAdapter::replies([
        calls([("rows", json!({}))]),
        calls([("__read_result__", json!({"ref_id": "result-1", "offset": 0, "characters": 5}))]),
        text("done"),
    ]);
    let rows = from_fn("rows", "Rows.", |_: NoArguments| async { Ok("0123456789".repeat(100)) });
    let mut session = agent(&model).0.tool(rows.tier(Tier::Safe)).token_guard(100).session();
    session.run_text("go").await.unwrap();
    let offered: Vec<bool> =
        model.requests().iter().map(|request| names(request).contains(&"__read_result__")).collect();
    assert_eq!(offered, [false, true, true]);
    assert!(text_of(&results(&session.history()[4])[0]).contains(r#""text":"\"0123""#));
}

/// What a provider wants back with its answer, a signature say, stays with it in the history.
#[tokio::test]
async fn the_answer_keeps_what_the_provider_wants_back() {
    let opaque = vec![Opaque { adapter: "scripted".to_owned(), item: json!({"signature": "sig-1"}) }];
    let model = ScriptedAdapter::replies([Reply { opaque: opaque.clone(), ..text(VERDICT) }]);
    let mut session = agent(&model).0.session();
    session.run::<Verdict>("go").await.unwrap();
    let Some(Message::Assistant { opaque: kept, .. }) = session.history().last() else { panic!("no answer") };
    assert_eq!(*kept, opaque);
}
