//! Child runs as sub-tasks under the worker rule (R33).

use std::time::Duration;

use geode::message::Message;
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use geode::tool::{NoArguments, Tier, ToolError, from_fn};
use geode::worker::{Termination, Worked, WorkerError, WorkerRule};
use serde_json::json;

use super::*;

/// Runs a child of the agent for a verdict, as the rule says.
async fn work(agent: &Agent) -> Result<Worked<Verdict>, WorkerError> {
    let session = agent.session();
    let rule = WorkerRule::new(Duration::from_secs(60));
    rule.run::<Verdict, _, _>(async |feedback: Option<String>| {
        let task = "Decide about order A-1, and answer in JSON.".to_owned();
        session.fork().run(feedback.map_or(task.clone(), |feedback| [task, feedback].join("\n"))).await.into()
    })
    .await
}

#[tokio::test]
async fn a_child_whose_result_is_unusable_runs_once_more_and_is_told_why() {
    let model = ScriptedAdapter::replies([text(r#"{"refund": true}"#), text(VERDICT)]);
    let worked = work(&agent(&model).0).await.unwrap();
    assert_eq!((worked.value, worked.runs), (verdict(), 2));
    let [first, second] = &model.requests()[..] else { panic!("two runs") };
    assert_eq!((first.messages.len(), second.messages.len()), (1, 1));
    let Message::User { content } = &second.messages[0] else { panic!("{:?}", second.messages) };
    assert!(matches!(&content[..], [Part::Text { text }] if text.contains("/reason")));
}

#[tokio::test]
async fn a_child_that_only_the_user_can_help_or_stop_is_never_run_again() {
    let asks =
        from_fn("ask", "Asks.", |_: NoArguments| async { Err::<(), _>(ToolError::clarification_needed("Which?")) });
    let token = geode::agent::CancellationToken::new();
    token.cancel();
    let cases = [
        (Termination::InputBlocked, agent(&ScriptedAdapter::replies([])).0.input_guard(|_| Err("no".into()))),
        (Termination::UserCancelled, agent(&ScriptedAdapter::replies([])).0.cancellation(token)),
        (
            Termination::UserClarificationNeeded,
            agent(&ScriptedAdapter::replies([calls([("ask", json!({}))])])).0.tool(asks.tier(Tier::Safe)),
        ),
    ];
    for (termination, agent) in cases {
        let error = work(&agent).await.unwrap_err();
        assert_eq!((error.runs, error.termination), (1, Some(termination)));
    }
}

#[tokio::test]
async fn a_child_that_failed_or_ran_out_of_rounds_runs_once_more() {
    let budget = geode::agent::Budget::default().rounds(1);
    let lost = agent(&ScriptedAdapter::replies([calls([("search", json!({"text": "a"}))])])).0.budget(budget);
    let failing = agent(&ScriptedAdapter::replies([])).0;
    for (agent, termination) in [(lost, Termination::Other("out_of_rounds".into())), (failing, Termination::Failed)] {
        let error = work(&agent).await.unwrap_err();
        assert_eq!((error.runs, error.termination), (2, Some(termination)));
    }
}
