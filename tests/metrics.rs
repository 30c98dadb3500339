//! What a scraper sees after mixed outcomes: the sums are right, and no text from outside became a label.

use axum::routing::get;
use geode::StructuredOutput;
use geode::adapter::{AdapterFault, ProviderError, ProviderErrorKind};
use geode::client::{Client, Fallback, RetryPolicy};
use geode::record::count_correction;
use geode::reply::{FinishReason, Reply};
use geode::testing::scripted::{ScriptedAdapter, text};
use metrics_exporter_prometheus::PrometheusBuilder;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

#[derive(Debug, Clone, StructuredOutput)]
#[geode(version = "7")]
struct Verdict {
    #[geode(range(min = 0, max = 10))]
    score: u8,
}

/// The sum of a metric's samples whose labels include these.
fn sum(text: &str, name: &str, labels: &[(&str, &str)]) -> f64 {
    text.lines()
        .filter(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' '])))
        .filter(|line| labels.iter().all(|(key, value)| line.contains(&format!("{key}=\"{value}\""))))
        .map(|line| line.rsplit(' ').next().unwrap().parse::<f64>().unwrap())
        .sum()
}

async fn scrape(address: std::net::SocketAddr) -> String {
    let mut stream = tokio::net::TcpStream::connect(address).await.unwrap();
    stream.write_all(b"GET /metrics HTTP/1.0\r\nhost: localhost\r\n\r\n").await.unwrap();
    let mut text = String::new();
    stream.read_to_string(&mut text).await.unwrap();
    text
}

/// A reply that costs ten tokens.
fn paid(answer: &str) -> Reply {
    let mut reply = text(answer);
    reply.usage.output_tokens = 10;
    reply
}

fn overloaded() -> AdapterFault {
    let message = "Overloaded, says evil-label-7731".to_owned();
    AdapterFault::Provider(Box::new(ProviderError::new(ProviderErrorKind::Overloaded, Some(529), None, message)))
}

#[tokio::test]
async fn a_scraper_sees_every_outcome_once() {
    let prometheus = PrometheusBuilder::new().install_recorder().unwrap();
    let router = axum::Router::new().route("/metrics", get(move || async move { prometheus.render() }));
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });

    let model = ScriptedAdapter::new(|request| {
        let asked = format!("{:?}", serde_json::to_string(&request.messages).unwrap());
        match () {
            () if asked.contains("good") => Ok(paid(r#"{"schemaVersion":"7","score":3}"#)),
            () if asked.contains("wrong") => Ok(paid(r#"{"schemaVersion":"7","score":30}"#)),
            () if asked.contains("low") => Ok(paid(r#"{"schemaVersion":"7","score":0}"#)),
            () if asked.contains("refuse") => Ok(Reply { refusal: Some("no".to_owned()), ..paid("") }),
            () if asked.contains("cut") => {
                Ok(Reply { finish: Some(FinishReason::TokenLimit), ..paid(r#"{"schemaVersion""#) })
            }
            () => Err(overloaded()),
        }
    });
    let client = Client::builder(model).retry(RetryPolicy::none()).build();
    let twice = RetryPolicy::default().attempts(2).delays(std::time::Duration::ZERO, std::time::Duration::ZERO);
    for (input, count) in [("good", 5), ("wrong", 3), ("low", 2), ("refuse", 2), ("cut", 1), ("evil-label-7731", 4)] {
        for _ in 0..count {
            let call = client.request::<Verdict>().prompt_release("verdict-2").user(input);
            let _ = call
                .check(|verdict: &Verdict, _, issues| issues.require(verdict.score > 0, "/score", "zero", "no zero"))
                .send()
                .await;
        }
    }
    let retried =
        client.request::<Verdict>().user("overload").retry(twice).fallback(Fallback::value(Verdict { score: 1 }));
    assert_eq!(retried.send().await.unwrap().score, 1);
    count_correction("verdict-2");

    let text = scrape(address).await;
    let release = [("prompt_release", "verdict-2"), ("schema_version", "7")];
    for (kind, count) in
        [("accepted", 5.0), ("invalid_schema", 3.0), ("invalid_business", 2.0), ("refused", 2.0), ("incomplete", 1.0)]
    {
        let labels = [&release[..], &[("kind", kind)]].concat();
        assert_eq!(sum(&text, "llm_responses_total", &labels), count, "{kind}\n{text}");
    }
    assert_eq!(sum(&text, "llm_responses_total", &[("kind", "transport_error")]), 6.0, "{text}");
    // A scripted fault comes before anything goes out.
    assert_eq!(sum(&text, "llm_requests_total", &[]), 13.0, "{text}");
    assert_eq!(sum(&text, "llm_responses_total", &[]), 19.0, "{text}");
    assert_eq!(sum(&text, "llm_schema_validation_failures_total", &release), 3.0, "{text}");
    assert_eq!(sum(&text, "llm_business_validation_failures_total", &release), 2.0, "{text}");
    assert_eq!(sum(&text, "llm_retries_total", &[("reason", "transport_error")]), 1.0, "{text}");
    assert_eq!(sum(&text, "llm_fallback_total", &[("kind", "value")]), 1.0, "{text}");
    assert_eq!(sum(&text, "llm_corrections_total", &[("prompt_release", "verdict-2")]), 1.0, "{text}");
    assert_eq!(sum(&text, "llm_output_tokens", &[]), 130.0, "{text}");
    assert_eq!(sum(&text, "llm_request_duration_seconds_count", &[]), 19.0, "{text}");
    assert!(!text.contains("evil-label"), "text from outside became a label:\n{text}");
}
