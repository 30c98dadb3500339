//! Why a run gave no answer: asked by predicate, as the error of a call is.

use std::error::Error as _;
use std::time::Duration;

use geode::adapter::{AdapterFault, ProviderError, ProviderErrorKind};
use geode::client::RetryPolicy;
use geode::outcome::Outcome;
use geode::reply::{FinishReason, Reply};
use geode::testing::scripted::{ScriptedAdapter, calls, text};
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
