//! The end of the line: a value, another adapter, a person.

use std::sync::{Arc, Mutex};

use geode::StructuredOutput;
use geode::client::{Client, Fallback, RetryPolicy};
use geode::outcome::FallbackKind;
use geode::reply::Reply;
use geode::testing::scripted::{ScriptedAdapter, text};

#[derive(Debug, PartialEq, StructuredOutput)]
struct Answer {
    n: u8,
}

fn client(reply: Reply) -> (Client, ScriptedAdapter) {
    let model = ScriptedAdapter::replies([reply]);
    (Client::builder(model.clone()).retry(RetryPolicy::none()).build(), model)
}

#[tokio::test]
async fn a_value_steps_in() {
    let (client, _) = client(text("no JSON"));
    let fallback = Fallback::value_with(|error| Answer { n: u8::from(error.is_invalid_schema()) });
    let accepted = client.request().user("x").fallback(fallback).send().await.unwrap();
    assert_eq!(*accepted, Answer { n: 1 });
    assert_eq!(accepted.account().fallback, Some(FallbackKind::Value));
    assert_eq!(accepted.account().attempts.len(), 1);
}

#[tokio::test]
async fn no_fallback_without_need() {
    let (client, _) = client(text(r#"{"n":5}"#));
    let accepted = client.request().user("x").fallback(Fallback::value(Answer { n: 0 })).send().await.unwrap();
    assert_eq!((accepted.n, accepted.account().fallback), (5, None));
}

#[tokio::test]
async fn another_adapter_gets_the_same_call_and_the_same_account() {
    let (first, _) = client(text("no JSON"));
    let (second, model) = client(text(r#"{"n":7}"#));
    let call = first.request::<Answer>().system("s").user("x").fallback(Fallback::client(second));
    let accepted = call.send().await.unwrap();
    assert_eq!((accepted.n, accepted.account().fallback), (7, Some(FallbackKind::Adapter)));
    assert_eq!(accepted.account().attempts.len(), 2);
    assert_eq!(model.requests()[0].system.as_deref(), Some("s"));
}

/// Another model is no way around a refusal, nor around a rule of the caller's.
#[tokio::test]
async fn refusals_and_business_failures_are_not_taken_to_another_adapter() {
    let (first, _) = client(Reply { refusal: Some("no".into()), ..text("") });
    let (second, model) = client(text(r#"{"n":7}"#));
    let call = first.request::<Answer>().user("x").fallback(Fallback::client(second));
    assert!(call.send().await.unwrap_err().is_refusal());
    assert!(model.requests().is_empty());

    let (first, _) = client(text(r#"{"n":3}"#));
    let (second, model) = client(text(r#"{"n":7}"#));
    let call = first.request::<Answer>().user("x").fallback(Fallback::client(second));
    let call = call.check(|answer, _, issues| issues.require(answer.n > 5, "/n", "too_small", "over five"));
    assert!(call.send().await.unwrap_err().is_invalid_business());
    assert!(model.requests().is_empty());
}

#[tokio::test]
async fn a_person_is_told_and_the_next_in_line_follows() {
    let told = Arc::new(Mutex::new(Vec::new()));
    let review = |told: &Arc<Mutex<Vec<String>>>| {
        let told = Arc::clone(told);
        Fallback::human_review(move |error| told.lock().unwrap().push(error.account().raw_text().to_owned()))
    };
    let (client, _) = client(text("unreadable"));
    let error = client.request::<Answer>().user("x").fallback(review(&told)).send().await.unwrap_err();
    assert!(error.is_invalid_schema());
    assert_eq!(error.account().fallback, Some(FallbackKind::HumanReview));
    let both = client.request().user("x").fallback(review(&told)).fallback(Fallback::value(Answer { n: 3 }));
    assert_eq!(both.send().await.unwrap().n, 3);
    assert_eq!(*told.lock().unwrap(), ["unreadable", "unreadable"]);
}
