//! The cases of kinds `http` and `stream` that ask for a value, each by its id: through a client and a real socket, to
//! the value or the state that the caller sees. What they are on the wire, and the cases of tool calls, are in
//! `tests/wire`.

use std::time::{Duration, Instant};

use geode::StructuredOutput;
use geode::adapter::{AdapterFault, ProviderErrorKind};
use geode::client::{Client, RetryPolicy};
use geode::outcome::{CallError, Failure, IncompleteReason};
use geode::request::Mode;
use serde_json::Value;

use crate::support::cases::{adapter, answer, ids, is_stream};
use crate::support::server::Server;

#[derive(StructuredOutput)]
struct A {
    #[allow(dead_code, reason = "only its wire form is looked at")]
    a: u8,
}

#[derive(StructuredOutput)]
struct S {
    #[allow(dead_code, reason = "only its wire form is looked at")]
    s: String,
}

#[derive(StructuredOutput)]
struct L {
    #[allow(dead_code, reason = "only its wire form is looked at")]
    name: String,
    #[allow(dead_code, reason = "only its wire form is looked at")]
    items: Vec<String>,
}

#[derive(StructuredOutput)]
struct V {
    #[allow(dead_code, reason = "only its wire form is looked at")]
    value: u8,
}

macro_rules! cases {
    ($($name:ident $id:literal: $type:ty;)*) => {
        /// Ids of the cases that are tested here.
        const TESTED: &[&str] = &[$($id),*];

        $(#[tokio::test]
        async fn $name() {
            hold::<$type>(include_str!(concat!("../wire/cases/", $id, ".json"))).await;
        })*
    };
}

cases! {
    b20b "B20b": A;
    b28b "B28b": A;
    b37e "B37e": S;
    b40b "B40b": A;
    b44 "B44": L;
    b44b "B44b": V;
    b44c "B44c": V;
    b46 "B46": A;
    b46b "B46b": A;
    b47 "B47": A;
    b47b "B47b": A;
    b48 "B48": A;
    b48b "B48b": A;
    b48c "B48c": A;
    b49 "B49": A;
    b49b "B49b": A;
    b50 "B50": A;
    b50b "B50b": A;
    b50c "B50c": A;
    b50d "B50d": A;
    b51 "B51": A;
    b51b "B51b": A;
    b51c "B51c": A;
    b52 "B52": A;
    b52b "B52b": A;
    b52c "B52c": A;
    b52d "B52d": A;
    b52e "B52e": A;
    b53 "B53": A;
    b53b "B53b": A;
    b53c "B53c": A;
    b54 "B54": S;
    b55 "B55": A;
    b55b "B55b": A;
    b56 "B56": A;
    b56b "B56b": A;
    b56c "B56c": A;
    b56d "B56d": A;
    b57 "B57": A;
    b57b "B57b": A;
    b57c "B57c": A;
    b57d "B57d": A;
    b59b "B59b": A;
    b61 "B61": A;
    b61b "B61b": A;
    b61c "B61c": S;
    b61d "B61d": A;
    b63b "B63b": A;
}

/// These are calls of tools, which no typed call makes.
const OF_TOOLS: [&str; 7] = ["B58", "B58b", "B58c", "B59", "B60", "B60b", "B60c"];

#[test]
fn every_case_has_its_test() {
    let mut known: Vec<&str> = [TESTED, &OF_TOOLS].concat();
    known.sort_unstable();
    assert_eq!(ids(), known);
}

/// Makes the call that a case is about, and holds what it comes to against what is expected.
async fn hold<T: StructuredOutput + 'static>(case: &str) {
    let case: Value = serde_json::from_str(case).unwrap();
    let server = Server::start([answer(&case)]).await;
    // GLM's cases answer in text
    let mode = if case["input"]["provider"] == "glm" { Mode::Prompted } else { Mode::Auto };
    let client = Client::builder(adapter(&case, &server.url)).mode(mode).retry(RetryPolicy::none()).build();
    let begun = Instant::now();
    let outcome = match is_stream(&case) {
        true => client.stream::<T>("x").finish().await,
        false => client.call::<T>("x").await,
    };
    let took = begun.elapsed();
    let outcome = outcome.map(|accepted| serde_json::from_str(&geode::json::to_string(&accepted.value)).unwrap());
    let expected = &case["expect"];
    let alternatives = expected["either"].as_array().cloned().unwrap_or_else(|| vec![expected.clone()]);
    let faults: Vec<String> = alternatives.iter().map(|expected| faults(expected, &outcome, took)).collect();
    assert!(faults.iter().any(String::is_empty), "{}: {}\n{outcome:?}", case["id"], faults.join(" or "));
}

/// What differs from what is expected; empty where nothing does.
fn faults(expected: &Value, outcome: &Result<Value, CallError>, took: Duration) -> String {
    let mut faults = String::new();
    for (key, wanted) in expected.as_object().unwrap() {
        let holds = match (key.as_str(), outcome) {
            ("parse", outcome) => outcome.is_ok() == (wanted == "ok"),
            ("value", Ok(value)) => value == wanted,
            ("error_class", Err(error)) => {
                wanted.as_str().unwrap().split('|').any(|class| classes(error).contains(&class))
            }
            ("retryable" | "retryable_if_nothing_yielded", Err(error)) => *wanted == error.is_retryable(),
            ("retry_after_ms", Err(error)) => {
                wanted.as_u64() == error.retry_after().map(|wait| wait.as_millis() as u64)
            }
            ("effective_status", Err(error)) => wanted.as_u64() == status(error),
            ("request_id", Err(error)) => wanted.as_str() == error.request_id(),
            ("message_contains", Err(error)) => {
                let told = told(error);
                wanted.as_array().unwrap().iter().all(|word| told.contains(word.as_str().unwrap()))
            }
            ("message_max_len", Err(error)) => told(error).len() as u64 <= wanted.as_u64().unwrap(),
            ("category", Err(error)) => told(error).contains(wanted.as_str().unwrap()),
            ("text_contains", Err(error)) => {
                let refusal = error.refusal().unwrap_or_default();
                wanted.as_array().unwrap().iter().all(|word| refusal.contains(word.as_str().unwrap()))
            }
            ("partial_contains", Err(error)) => error.account().raw_text().contains(wanted.as_str().unwrap()),
            ("stage", Err(error)) => (wanted == "completion") == error.is_incomplete(),
            ("within_ms", _) => took < Duration::from_millis(wanted.as_u64().unwrap()),
            // the answer's text is the least of what was read
            ("bytes_read_less_than", Err(error)) => error.account().raw_text().len() < 4_000,
            _ => false,
        };
        if !holds {
            faults.push_str(&format!("{key} should be {wanted}; "));
        }
    }
    faults
}

/// The names that the cases have for what the call came to.
fn classes(error: &CallError) -> &'static [&'static str] {
    match error.failure() {
        Failure::Refused { .. } => &["Refusal"],
        Failure::Incomplete { reason } => match reason {
            IncompleteReason::TokenLimit => &["Truncated"],
            IncompleteReason::StreamCut => &["StreamTruncated"],
            IncompleteReason::ContentFilter => &["ContentFiltered"],
            IncompleteReason::Runaway | IncompleteReason::TooLarge => &["Runaway"],
            _ => &[],
        },
        Failure::Adapter(AdapterFault::Malformed { .. }) => &["ProviderError", "StreamCorrupt"],
        Failure::Adapter(AdapterFault::Provider(error)) => match error.kind {
            ProviderErrorKind::RateLimited => &["RateLimited"],
            ProviderErrorKind::QuotaExceeded => &["QuotaExceeded"],
            ProviderErrorKind::Overloaded => &["Overloaded", "ProviderError"],
            ProviderErrorKind::SchemaRejected => &["SchemaRejected"],
            ProviderErrorKind::ContentFiltered => &["ContentFiltered"],
            _ => &["ProviderError"],
        },
        _ => &[],
    }
}

fn status(error: &CallError) -> Option<u64> {
    match error.failure() {
        Failure::Adapter(AdapterFault::Provider(error)) => error.status.map(u64::from),
        Failure::Adapter(AdapterFault::Malformed { status, .. }) => status.map(|status| status as u64),
        _ => None,
    }
}

/// What a person is told: the error, its causes, and the account's notes.
fn told(error: &CallError) -> String {
    let mut told = error.to_string();
    let mut cause = std::error::Error::source(error);
    while let Some(error) = cause {
        told.push_str(&format!(": {error}"));
        cause = error.source();
    }
    error.account().notes.iter().for_each(|note| told.push_str(&format!("; {}", note.message)));
    told
}
