//! `llmock`: a fault server by others, which also judges the client.

use std::time::{Duration, Instant};

use geode::adapter::{AdapterFault, ProviderErrorKind, anthropic, openai_chat, openai_responses};
use geode::client::{Client, RetryPolicy};
use geode::outcome::{Accepted, CallError, Failure};
use geode::request::Mode;
use serde_json::{Value, json};

use crate::python::PythonServer;
use crate::{Person, TEXT, installed};

/// The server.
pub(crate) struct Faults {
    pub(crate) server: PythonServer,
    http: reqwest::Client,
}

impl Faults {
    pub(crate) fn start() -> Option<Self> {
        installed::python(&["llmock"])?;
        let program = installed::directory().join("venv/bin/llmock");
        let server = PythonServer::start(&program, &["serve", "--log-level=error", "--port"], "/_llmock/verdict");
        Some(Faults { server, http: reqwest::Client::new() })
    }

    /// What the next requests meet, one behaviour each; later ones succeed.
    pub(crate) async fn script(&self, behaviours: Value) {
        self.post("/_llmock/reset", &json!({})).await;
        self.post("/_llmock/scenario", &json!({"behaviors": behaviours})).await;
    }

    async fn post(&self, path: &str, body: &Value) {
        let sent = self.http.post(self.server.url(path)).body(body.to_string());
        let answer = sent.header("content-type", "application/json").send().await.expect("llmock answers");
        assert!(answer.status().is_success(), "{path}: {:?}", answer.text().await);
    }

    fn clients(&self, retry: &RetryPolicy) -> [Client; 3] {
        let base_url = self.server.url("/v1");
        [
            Client::builder(openai_chat::openai("dummy").base_url(&base_url)).retry(retry.clone()).build(),
            Client::builder(openai_responses::payg("dummy").base_url(&base_url)).retry(retry.clone()).build(),
            // It ignores Anthropic's own structured output, and does tools.
            Client::builder(anthropic::payg("dummy").base_url(self.server.url("/anthropic/v1")))
                .retry(retry.clone())
                .mode(Mode::Tool)
                .build(),
        ]
    }
}

async fn call(client: &Client) -> Result<Accepted<Person>, CallError> {
    client.call::<Person>(TEXT).await
}

#[tokio::test]
async fn answers_and_faults_are_told_apart() {
    let Some(faults) = Faults::start() else { return };
    let retry = RetryPolicy::default().delays(Duration::from_millis(10), Duration::from_millis(50));
    for client in faults.clients(&retry) {
        call(&client).await.expect("it answers by the schema");

        faults.script(json!([{"type": "fail", "status": 429, "retry_after": 1}])).await;
        let before = Instant::now();
        let accepted = call(&client).await.expect("the second attempt succeeds");
        assert!(before.elapsed() >= Duration::from_secs(1), "the server's delay is kept");
        assert_eq!(accepted.account().attempts.len(), 2);

        faults.script(json!([{"type": "fail", "status": 401}])).await;
        let error = call(&client).await.expect_err("a wrong key is not tried again");
        assert_eq!(error.account().attempts.len(), 1);
        let Failure::Adapter(AdapterFault::Provider(fault)) = error.failure() else { panic!("{error:?}") };
        assert_eq!((fault.kind, fault.status), (ProviderErrorKind::Authentication, Some(401)));

        faults.script(json!([{"type": "fail", "status": 529}, {"type": "fail", "status": 500}])).await;
        assert_eq!(call(&client).await.expect("the third attempt succeeds").account().attempts.len(), 3);
    }
}
