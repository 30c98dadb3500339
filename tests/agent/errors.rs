//! Why a run gave no answer: asked by predicate, as the error of a call is.

use std::error::Error as _;
use std::time::Duration;

use geode::adapter::{AdapterFault, ProviderError, ProviderErrorKind};
use geode::agent::CancellationToken;
use geode::client::RetryPolicy;
use geode::outcome::Outcome;
use geode::reply::{FinishReason, Reply};
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use geode::tool::ApproveAll;
use serde_json::json;

use super::*;

fn counted(reply: Reply) -> Reply {
    let mut reply = reply;
    reply.usage.output_tokens = 5;
    reply.request_id = Some("r-2".to_owned());
    reply
}

#[tokio::test]
async fn a_refusal_ends_the_run_and_keeps_its_reason() {
    let refused = counted(Reply { refusal: Some("I won't.".to_owned()), ..text("") });
    let model = ScriptedAdapter::replies([counted(calls([("search", json!({"text": "a"}))])), refused]);
    let error = agent(&model).0.run::<Verdict>("go").await.unwrap_err();
    assert!(error.is_refusal() && !error.is_retryable() && !error.is_incomplete() && !error.is_transport());
    assert_eq!((error.refusal(), error.outcome(), error.rounds()), (Some("I won't."), Some(Outcome::Refused), 2));
    // What had been paid for is known all the same.
    assert_eq!((error.usage().output_tokens, error.request_id()), (10, Some("r-2")));
    assert!(!format!("{error} {error:?}").contains("won't"));
}

#[tokio::test]
async fn an_answer_without_text_or_cut_is_incomplete() {
    let cut = Reply { finish: Some(FinishReason::TokenLimit), ..text("It is") };
    for reply in [text(" \n"), cut] {
        let error = agent(&ScriptedAdapter::replies([reply])).0.run_text("go").await.unwrap_err();
        assert!(error.is_incomplete() && error.is_retryable(), "{error}");
    }
}

#[tokio::test(start_paused = true)]
async fn a_providers_error_is_tried_again_and_then_told_with_its_cause() {
    let model = ScriptedAdapter::new(|_| {
        let mut error = ProviderError::new(ProviderErrorKind::RateLimited, Some(429), None, "slow down".to_owned());
        error.retry_after = Some(Duration::from_secs(2));
        Err(AdapterFault::Provider(Box::new(error)))
    });
    let failing = agent(&model).0.retry(RetryPolicy::default().attempts(2));
    let error = failing.run_text("go").await.unwrap_err();
    assert!(error.is_transport() && error.is_retryable(), "{error}");
    assert_eq!(error.account().attempts.len(), 2);
    assert_eq!(error.retry_after(), Some(Duration::from_secs(2)));
    assert!(error.source().is_some_and(|cause| cause.to_string().contains("slow down")));
    assert!(!error.to_string().contains("slow down"));
}

#[tokio::test]
async fn an_input_guard_blocks_before_anything_is_sent() {
    let model = ScriptedAdapter::replies([text("never")]);
    let agent =
        agent(&model).0.input_guard(|text| if text.contains("password") { Err("a secret".into()) } else { Ok(()) });
    let mut session = agent.session();
    let error = session.run_text("my password is x").await.unwrap_err();
    assert_eq!(error.failure().kind(), "input_blocked");
    assert!(!error.is_retryable(), "{error}");
    assert!(model.requests().is_empty() && session.history().is_empty());
}

#[tokio::test]
async fn a_cancelled_run_leaves_a_complete_history() {
    let token = CancellationToken::new();
    let model =
        ScriptedAdapter::replies([calls([("stop", json!({})), ("search", json!({"text": "a"}))]), text("never")]);
    let cancel = token.clone();
    let stop = from_fn("stop", "Stops.", move |_: NoArguments| {
        cancel.cancel();
        std::future::pending::<Result<(), ToolError>>()
    });
    let agent = agent(&model).0.tool(stop).approver(ApproveAll).cancellation(token);
    let mut session = agent.session();
    let error = session.run_text("go").await.unwrap_err();
    assert_eq!(error.termination().map(|termination| termination.name()), Some("user_cancelled"));
    assert_eq!(model.requests().len(), 1);
    let results = results(&session.history()[2]);
    assert_eq!((results[0].is_error, results[1].is_error), (true, false));
}

#[tokio::test]
async fn a_tool_can_ask_for_the_user() {
    let model = ScriptedAdapter::replies([calls([("pick", json!({}))]), text("Thank you.")]);
    let pick = from_fn("pick", "Picks.", |_: NoArguments| async {
        Err::<(), _>(ToolError::clarification_needed("Which of the two orders?"))
    });
    let mut session = agent(&model).0.tool(pick.tier(Tier::Safe)).session();
    let error = session.run_text("Refund my order.").await.unwrap_err();
    assert_eq!(error.failure().kind(), "user_clarification_needed");
    assert!(!format!("{error:?}{error}").contains("Which"), "content in Debug or Display");
    assert_eq!(session.run_text("The first.").await.unwrap().value, "Thank you.");
}

#[tokio::test]
async fn settings_that_contradict_each_other_are_said_before_anything_is_sent() {
    let model = ScriptedAdapter::replies([text("never")]);
    let reserved = from_fn("__structured_output__", "Mine.", |_: NoArguments| async { Ok(()) });
    let error = agent(&model).0.tool(reserved).run_text("go").await.unwrap_err();
    assert!(error.is_configuration(), "{error}");
    assert!(error.to_string().contains("reserved"), "{error}");

    let error = agent(&model).0.stand_in("fails", "serch").run_text("go").await.unwrap_err();
    assert!(error.is_configuration() && error.to_string().contains("did you mean `search`?"), "{error}");

    let model = ScriptedAdapter::replies([text("never")]).capabilities_with(|able| able.tools = false);
    let error = agent(&model).0.run_text("go").await.unwrap_err();
    assert!(error.to_string().contains("takes no tools"), "{error}");
    assert!(model.requests().is_empty());
}
