//! The `codex` program against a model server of ours.

use std::path::{Path, PathBuf};

use geode::adapter::{AdapterFault, CliAdapter, ProviderErrorKind};
use geode::client::Client;
use geode::outcome::{Accepted, CallError, Failure, IncompleteReason};
use serde_json::{Value, json};

use crate::server::{Answer, ModelServer, output_text, response};
use crate::{Home, Person, TEXT, installed, maria, once};

const GOOD: &str = r#"{"name":"Maria Lopez","age":34}"#;

struct Run {
    home: Home,
    server: ModelServer,
    program: PathBuf,
}

impl Run {
    async fn new(program: &Path, script: impl Fn(&Value, usize) -> Answer + Send + Sync + 'static) -> Self {
        Run { home: Home::new(), server: ModelServer::start(script).await, program: program.to_owned() }
    }

    fn client(&self) -> Client {
        let provider = format!(
            "model_providers.loopback={{name=\"loopback\",base_url=\"{}/v1\",env_key=\"LOOPBACK_KEY\",\
             wire_api=\"responses\",request_max_retries=0,stream_max_retries=0}}",
            self.server.url()
        );
        let codex_home = self.home.path("codex");
        std::fs::create_dir_all(&codex_home).expect("a directory");
        let adapter = self
            .home
            .set_up(CliAdapter::codex().program(&self.program).model("made-up-model"))
            .environment("CODEX_HOME", codex_home)
            .environment("LOOPBACK_KEY", "dummy");
        once(["-c", "model_provider=loopback", "-c", &provider].into_iter().fold(adapter, CliAdapter::argument))
    }

    async fn call(&self) -> Result<Accepted<Person>, CallError> {
        self.client().call::<Person>(TEXT).await
    }
}

async fn failure(program: &Path, script: impl Fn(&Value, usize) -> Answer + Send + Sync + 'static) -> CallError {
    Run::new(program, script).await.call().await.expect_err("the call fails")
}

#[tokio::test]
async fn answers_become_values() {
    let Some(program) = installed::program("codex") else { return };
    let run = Run::new(&program, |body, _| response(body, output_text(GOOD), "completed", "")).await;
    let text = "Maria Lopez is 34. $openai-docs /compact @/etc/hostname `id`";
    let call = run.client().request::<Person>().system("--Be `terse`\n$(id)").user(text);
    let accepted = call.send().await.expect("a good call is accepted");
    assert_eq!(*accepted, maria());
    assert_eq!((accepted.usage().input_tokens, accepted.usage().output_tokens), (11, 7));

    let seen = run.server.seen();
    assert_eq!(seen.len(), 1);
    let format = &seen[0]["text"]["format"];
    assert_eq!((&format["type"], &format["strict"]), (&json!("json_schema"), &json!(true)));
    assert_eq!(format["schema"]["required"], json!(["name", "age"]));
    let sent = seen[0].to_string();
    assert!(sent.contains(text) && sent.contains("--Be `terse`\\n$(id)"), "prompts arrive as they are");
    let tools: Vec<_> =
        seen[0]["tools"].as_array().into_iter().flatten().filter_map(|tool| tool["name"].as_str()).collect();
    assert!(!tools.contains(&"exec_command") && !tools.contains(&"shell"), "{tools:?}");
    assert_eq!(
        seen[0]["input"].as_array().map(Vec::len),
        Some(2),
        "nothing is added to the prompts: {}",
        seen[0]["input"]
    );
}

#[tokio::test]
async fn failures_become_typed_errors() {
    let Some(program) = installed::program("codex") else { return };

    for text in [r#"{"name":"Maria Lopez","age":"thirty-four"}"#, "not json at all"] {
        let error = failure(&program, move |body, _| response(body, output_text(text), "completed", "")).await;
        assert!(matches!(error.failure(), Failure::InvalidSchema(_)), "{error:?}");
    }

    let refusal = json!({"type": "refusal", "refusal": "I can't help with that."});
    for part in [Some(refusal), None] {
        let error = failure(&program, move |body, _| response(body, part.clone(), "completed", "")).await;
        let empty = IncompleteReason::Empty;
        assert!(matches!(error.failure(), Failure::Incomplete { reason } if *reason == empty), "{error:?}");
    }

    for (end, detail, expected) in [
        ("incomplete", "max_output_tokens", IncompleteReason::TokenLimit),
        ("incomplete", "content_filter", IncompleteReason::ContentFilter),
        ("cut", "", IncompleteReason::StreamCut),
    ] {
        let error = failure(&program, move |body, _| response(body, output_text(GOOD), end, detail)).await;
        assert!(matches!(error.failure(), Failure::Incomplete { reason } if *reason == expected), "{end}: {error:?}");
    }

    for (detail, expected) in [
        ("rate_limit_exceeded", ProviderErrorKind::RateLimited),
        ("insufficient_quota", ProviderErrorKind::QuotaExceeded),
        ("context_length_exceeded", ProviderErrorKind::PromptTooLong),
        ("server_error", ProviderErrorKind::Server),
    ] {
        let error = failure(&program, move |body, _| response(body, None, "failed", detail)).await;
        assert_eq!(provider_kind(&error), Some(expected), "{detail}: {error:?}");
    }

    for (status, code, expected) in [
        (400, "invalid_json_schema", ProviderErrorKind::SchemaRejected),
        (400, "made_up", ProviderErrorKind::InvalidRequest),
        (401, "invalid_api_key", ProviderErrorKind::Authentication),
        (429, "rate_limit_exceeded", ProviderErrorKind::RateLimited),
        (500, "server_error", ProviderErrorKind::Server),
    ] {
        let script = move |_: &Value, _| {
            Answer::Error(
                status,
                json!({"error": {"message": "made up for a test", "type": "invalid_request_error", "param": null, "code": code}}),
            )
        };
        let error = failure(&program, script).await;
        assert_eq!(provider_kind(&error), Some(expected), "{status} {code}: {error:?}");
    }
}

fn provider_kind(error: &CallError) -> Option<ProviderErrorKind> {
    match error.failure() {
        Failure::Adapter(AdapterFault::Provider(error)) => Some(error.kind),
        _ => None,
    }
}
