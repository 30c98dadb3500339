//! The `claude` program against a model server of ours.

use std::path::{Path, PathBuf};

use geode::adapter::{AdapterFault, CliAdapter, ProviderErrorKind};
use geode::client::Client;
use geode::outcome::{Accepted, CallError, Failure, IncompleteReason};
use serde_json::{Value, json};

use crate::server::{Answer, ModelServer, message};
use crate::{Home, Person, TEXT, installed, maria, once};

fn good() -> Value {
    json!({"name": "Maria Lopez", "age": 34})
}

fn bad() -> Value {
    json!({"name": "Maria Lopez", "age": "thirty-four"})
}

/// The program with a home of its own and a server that answers by `script`.
struct Run {
    home: Home,
    server: ModelServer,
    program: PathBuf,
}

impl Run {
    async fn new(program: &Path, script: impl Fn(&Value, usize) -> Answer + Send + Sync + 'static) -> Self {
        Run { home: Home::new(), server: ModelServer::start(script).await, program: program.to_owned() }
    }

    fn adapter(&self) -> CliAdapter {
        self.home
            .set_up(CliAdapter::claude().program(&self.program))
            .environment("ANTHROPIC_BASE_URL", self.server.url())
            .environment("ANTHROPIC_API_KEY", "dummy")
    }

    fn client(&self) -> Client {
        once(self.adapter())
    }

    async fn call(&self) -> Result<Accepted<Person>, CallError> {
        self.client().call::<Person>(TEXT).await
    }
}

async fn failure(program: &Path, script: impl Fn(&Value, usize) -> Answer + Send + Sync + 'static) -> CallError {
    Run::new(program, script).await.call().await.expect_err("the call fails")
}

fn provider_kind(error: &CallError) -> Option<(ProviderErrorKind, Option<u16>)> {
    match error.failure() {
        Failure::Adapter(AdapterFault::Provider(error)) => Some((error.kind, error.status)),
        _ => None,
    }
}

#[tokio::test]
async fn answers_become_values() {
    let Some(program) = installed::program("claude") else { return };

    let run = Run::new(&program, |body, _| message(body, vec!["Recording.".into(), good()], Some("tool_use"))).await;
    let accepted = run.call().await.expect("a good call is accepted");
    assert_eq!(*accepted, maria());
    assert!(accepted.usage().input_tokens >= 10, "{:?}", accepted.usage());
    assert_eq!(run.server.seen().len(), 1);
    let tools = run.server.seen()[0]["tools"].clone();
    let names: Vec<_> = tools.as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(names.contains(&"StructuredOutput") && !names.contains(&"Bash"), "{names:?}");

    let script = |body: &Value, count| message(body, vec![if count < 3 { bad() } else { good() }], Some("tool_use"));
    let run = Run::new(&program, script).await;
    assert_eq!(*run.call().await.expect("the program asks again by itself"), maria());
    assert_eq!(run.server.seen().len(), 3);

    // The model never calls the tool and writes JSON instead: the program calls that a success, and our parser decides.
    let run = Run::new(&program, |body, _| message(body, vec![good().to_string().into()], Some("end_turn"))).await;
    let accepted = run.call().await.expect("JSON in the text is checked like any");
    assert_eq!(*accepted, maria());
    assert!(!accepted.account().notes.is_empty());
}

#[tokio::test]
async fn failures_become_typed_errors() {
    let Some(program) = installed::program("claude") else { return };

    let error = failure(&program, |body, _| message(body, vec!["I'd rather talk.".into()], Some("end_turn"))).await;
    assert!(matches!(error.failure(), Failure::InvalidSchema(_)), "{error:?}");

    let error = failure(&program, |body, _| message(body, vec![bad()], Some("tool_use"))).await;
    let exhausted = IncompleteReason::Other("error_max_structured_output_retries".into());
    assert!(matches!(error.failure(), Failure::Incomplete { reason } if *reason == exhausted), "{error:?}");

    let error = failure(&program, |body, _| message(body, vec!["No.".into()], Some("refusal"))).await;
    assert!(error.is_refusal(), "{error:?}");

    let error = failure(&program, |body, _| message(body, vec!["A long".into()], Some("max_tokens"))).await;
    let limit = IncompleteReason::TokenLimit;
    assert!(matches!(error.failure(), Failure::Incomplete { reason } if *reason == limit), "{error:?}");

    let error = failure(&program, |body, _| message(body, vec!["Half".into()], None)).await;
    let cut = IncompleteReason::StreamCut;
    assert!(matches!(error.failure(), Failure::Incomplete { reason } if *reason == cut), "{error:?}");

    for (status, code, kind) in [
        (400, "invalid_request_error", ProviderErrorKind::InvalidRequest),
        (401, "authentication_error", ProviderErrorKind::Authentication),
        (429, "rate_limit_error", ProviderErrorKind::RateLimited),
        (500, "api_error", ProviderErrorKind::Server),
        (529, "overloaded_error", ProviderErrorKind::Overloaded),
    ] {
        let script = move |_: &Value, _| {
            Answer::Error(status, json!({"type": "error", "error": {"type": code, "message": "made up for a test"}}))
        };
        let error = failure(&program, script).await;
        assert_eq!(provider_kind(&error), Some((kind, Some(status))), "{error:?}");
    }
}

#[tokio::test]
async fn an_unreachable_server_is_a_fault_that_can_pass() {
    let Some(program) = installed::program("claude") else { return };
    let run = Run::new(&program, |body, _| message(body, vec![], Some("end_turn"))).await;
    let adapter = run.adapter().environment("ANTHROPIC_BASE_URL", "http://127.0.0.1:1");
    let error = once(adapter).call::<Person>(TEXT).await.expect_err("nobody listens");
    assert_eq!(provider_kind(&error), Some((ProviderErrorKind::Server, None)), "{error:?}");
}

/// What a text could set off in the program, were it not for our settings.
#[tokio::test]
async fn texts_stay_texts() {
    let Some(program) = installed::program("claude") else { return };
    let secret = tempfile::NamedTempFile::new().expect("a temporary file");
    std::fs::write(secret.path(), "TOP-SECRET-CONTENT").expect("it can be written");
    let mention = format!("Summarise @{} please", secret.path().display());
    for text in [mention.as_str(), "/compact now", "/help", "--version", "!ls", "$(id)"] {
        let run = Run::new(&program, |body, _| message(body, vec![good()], Some("tool_use"))).await;
        let call = run.client().request::<Person>().system("--You are `terse`\n$(id)").user(text);
        call.send().await.expect("any text is a prompt");
        let seen = run.server.seen();
        let sent = seen[0].to_string();
        let escaped = serde_json::to_string(text).expect("text is JSON");
        assert!(sent.contains(escaped.trim_matches('"')), "{text:?} never arrived");
        assert!(sent.contains("--You are `terse`\\n$(id)"), "the system prompt never arrived");
        assert!(!sent.contains("TOP-SECRET-CONTENT"), "a mention read a file");
    }
}

#[tokio::test]
async fn a_streamed_call_ends_in_the_same_answer() {
    let Some(program) = installed::program("claude") else { return };
    let script = |body: &Value, count| message(body, vec![if count < 2 { bad() } else { good() }], Some("tool_use"));
    let run = Run::new(&program, script).await;
    let streamed = run.client().request::<Person>().user(TEXT).stream();
    assert_eq!(*streamed.finish().await.expect("the program asks again by itself"), maria());
}
