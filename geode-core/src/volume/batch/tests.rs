use std::sync::{Arc, Mutex};

use futures_util::StreamExt as _;
use serde_json::json;

use super::*;
use crate::adapter::{anthropic, openai_responses};
use crate::transport::{Transport, WireStream};

/// Method and path of a request, and its body.
type Seen = (String, Vec<u8>);

/// A provider's batch engine in a transport: keeps what was submitted and answers as the documentation says.
#[derive(Clone, Default)]
struct Provider {
    seen: Arc<Mutex<Vec<Seen>>>,
    status: Arc<Mutex<usize>>,
    results: Arc<Mutex<Vec<u8>>>,
}

type Answer<'a, T> = Pin<Box<dyn std::future::Future<Output = Result<T, TransportError>> + Send + 'a>>;

impl Provider {
    fn answer(&self, request: WireRequest) -> (i32, String) {
        let WireRequest::Http(request) = request else { panic!("no HTTP request") };
        assert_eq!(request.secret_headers.len(), 1, "the key goes along");
        let path = request.url.split_once("://").unwrap().1.split_once('/').unwrap().1.to_owned();
        self.seen.lock().unwrap().push((format!("{:?} {path}", request.method), request.body.to_vec()));
        let mut polls = self.status.lock().unwrap();
        let body = match path.as_str() {
            "v1/files" => json!({"id": "file-in", "object": "file", "purpose": "batch"}),
            "v1/batches" => json!({"id": "batch_1", "status": "validating"}),
            "v1/batches/batch_1" => {
                *polls += 1;
                let (status, completed) = if *polls < 3 { ("in_progress", 1) } else { ("completed", 2) };
                json!({
                    "id": "batch_1", "status": status, "output_file_id": "file-out", "error_file_id": "file-err",
                    "request_counts": {"total": 4, "completed": completed, "failed": if *polls < 3 { 0 } else { 2 }},
                })
            }
            "v1/batches/batch_1/cancel" => json!({"id": "batch_1", "status": "cancelling"}),
            "v1/messages/batches" => {
                json!({"id": "msgbatch_1", "processing_status": "in_progress", "results_url": null,
                "request_counts": {"processing": 4, "succeeded": 0, "errored": 0, "canceled": 0, "expired": 0}})
            }
            "v1/messages/batches/msgbatch_1" => json!({"id": "msgbatch_1", "processing_status": "ended",
                "results_url": "https://api.anthropic.com/v1/messages/batches/msgbatch_1/results",
                "request_counts": {"processing": 0, "succeeded": 2, "errored": 1, "canceled": 0, "expired": 1}}),
            "v1/messages/batches/msgbatch_1/cancel" => json!({"id": "msgbatch_1", "processing_status": "canceling"}),
            _ => return (404, r#"{"error":{"message":"no such batch","type":"invalid_request_error"}}"#.to_owned()),
        };
        (200, body.to_string())
    }
}

impl Transport for Provider {
    fn send<'a>(&'a self, request: WireRequest, _: ExchangeLimits) -> Answer<'a, WireReply> {
        let (status, body) = self.answer(request);
        Box::pin(async move { Ok(WireReply { status, headers: Vec::new(), body: body.into(), stderr: Bytes::new() }) })
    }

    fn stream<'a>(&'a self, request: WireRequest, _: ExchangeLimits) -> Answer<'a, WireStream> {
        let WireRequest::Http(request) = request else { panic!("no HTTP request") };
        self.seen.lock().unwrap().push((request.url.clone(), Vec::new()));
        // The error file comes empty; the results come cut every seven bytes.
        let whole = if request.url.contains("file-err") { Vec::new() } else { self.results.lock().unwrap().clone() };
        let chunks: Vec<_> = whole.chunks(7).map(|chunk| Ok(Bytes::copy_from_slice(chunk))).collect();
        Box::pin(async move {
            Ok(WireStream { status: 200, headers: Vec::new(), body: Box::pin(futures_util::stream::iter(chunks)) })
        })
    }
}

fn engines() -> [(Batches, Provider); 2] {
    let (openai, anthropic) = (openai_responses::payg("sk-dummy"), anthropic::payg("sk-ant-dummy"));
    let (first, second) = (Provider::default(), Provider::default());
    let through =
        |client: crate::client::ClientBuilder, provider: &Provider| client.transport(provider.clone()).build();
    [
        (Batches::openai(openai.clone()).through(through(Client::builder(openai), &first)), first),
        (Batches::anthropic(anthropic.clone()).through(through(Client::builder(anthropic), &second)), second),
    ]
}

fn items(batches: &Batches, keys: &[&str]) -> Vec<(String, Call<bool>)> {
    keys.iter()
        .map(|key| ((*key).to_owned(), batches.client().request::<bool>().user(format!("is {key} fine?"))))
        .collect()
}

#[tokio::test(start_paused = true)]
async fn a_batch_goes_from_items_to_results() {
    let answer = r#"{"value":true}"#;
    let bad = r#"{"value":"yes"}"#;
    let openai_message = |text: &str| {
        json!({"id": "resp_1", "status": "completed", "model": "m",
            "output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}],
            "usage": {"input_tokens": 3, "output_tokens": 2}})
    };
    let anthropic_message = |text: &str| {
        json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": text}], "usage": {"input_tokens": 3, "output_tokens": 2}})
    };
    let openai_lines = [
        json!({"custom_id": "a", "response": {"status_code": 200, "request_id": "req_a", "body": openai_message(answer)}, "error": null}),
        json!({"custom_id": "b", "response": {"status_code": 200, "request_id": "req_b", "body": openai_message(bad)}, "error": null}),
        json!({"custom_id": "c", "response": {"status_code": 429, "request_id": "req_c",
            "body": {"error": {"message": "slow down", "type": "requests", "code": "rate_limit_exceeded"}}}, "error": null}),
        json!({"custom_id": "d", "response": null, "error": {"code": "batch_expired", "message": "This request expired."}}),
    ];
    let anthropic_lines = [
        json!({"custom_id": "a", "result": {"type": "succeeded", "message": anthropic_message(answer)}}),
        json!({"custom_id": "b", "result": {"type": "succeeded", "message": anthropic_message(bad)}}),
        json!({"custom_id": "c", "result": {"type": "errored", "error": {"type": "error",
            "error": {"type": "rate_limit_error", "message": "slow down"}, "request_id": "req_c"}}}),
        json!({"custom_id": "d", "result": {"type": "expired"}}),
    ];
    for ((batches, provider), lines) in engines().into_iter().zip([openai_lines, anthropic_lines]) {
        *provider.results.lock().unwrap() =
            lines.iter().map(|line| format!("{line}\n")).collect::<String>().into_bytes();
        let batch = batches.submit(items(&batches, &["a", "b", "c", "d"])).await.unwrap();
        assert_eq!(batch.state, BatchState::InProgress);
        let submitted = String::from_utf8(provider.seen.lock().unwrap()[0].1.clone()).unwrap();
        assert!(submitted.contains(r#""custom_id":"c""#) && submitted.contains("is c fine?"), "{submitted}");

        let batch = batches.wait(&batch.id, Duration::from_secs(30)).await.unwrap();
        assert_eq!((batch.state, batch.succeeded, batch.failed, batch.pending), (BatchState::Ended, 2, 2, 0));
        let results: Vec<_> = batches
            .results(&batch, batches.client().request::<bool>())
            .await
            .unwrap()
            .map(|result| result.unwrap())
            .collect()
            .await;
        let by_key = |key: &str| &results.iter().find(|result| result.key == key).unwrap().result;
        assert_eq!(results.len(), 4);
        assert!(**by_key("a").as_ref().unwrap());
        assert_eq!(by_key("a").as_ref().unwrap().usage().input_tokens, 3);
        assert!(by_key("b").as_ref().unwrap_err().is_invalid_schema());
        assert!(by_key("c").as_ref().unwrap_err().is_retryable());
        assert!(by_key("d").as_ref().unwrap_err().is_transport());
        assert_eq!(batches.cancel(&batch.id).await.unwrap().state, BatchState::Cancelling);
        assert!(batches.status("unknown").await.unwrap_err().to_string().contains("reported an error"));
    }
}

#[tokio::test]
async fn items_that_cannot_go_are_refused_before_anything_is_sent() {
    for (batches, provider) in engines() {
        for (keys, complaint) in
            [(vec![], "no items"), (vec!["a", "a"], "twice"), (vec!["a b"], "letters"), (vec![""], "letters")]
        {
            let error = batches.submit(items(&batches, &keys)).await.unwrap_err();
            assert!(error.to_string().contains(complaint), "{keys:?}: {error}");
        }
        assert!(provider.seen.lock().unwrap().is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn a_line_that_is_not_as_documented_ends_the_results_with_an_error() {
    for (batches, provider) in engines() {
        *provider.results.lock().unwrap() = b"{\"custom_id\":\"a\"\n{}\n".to_vec();
        let batch = batches.wait("batch_1", Duration::from_secs(1)).await;
        let batch = match batch {
            Ok(batch) => batch,
            Err(_) => batches.wait("msgbatch_1", Duration::from_secs(1)).await.unwrap(),
        };
        let results: Vec<_> =
            batches.results(&batch, batches.client().request::<bool>()).await.unwrap().collect().await;
        assert_eq!(results.len(), 1);
        assert!(matches!(results[0], Err(BatchError::Adapter(AdapterFault::Malformed { .. }))));
    }
}
