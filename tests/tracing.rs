//! The span of an attempt: OpenTelemetry's names for generative AI, and content only where it was asked for.

use std::collections::BTreeMap;
use std::fmt::Debug;
use std::process::Command;
use std::sync::{Arc, Mutex};

use geode::StructuredOutput;
use geode::client::{Client, RetryPolicy};
use geode::reply::{FinishReason, Reply};
use geode::testing::scripted::{ScriptedAdapter, text};
use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Metadata, Subscriber};

const CAPTURE: &str = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

/// A span's name and what was recorded of it.
type Recorded = (String, BTreeMap<String, String>);

/// Keeps every span.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<Recorded>>>);

struct Fields<'f>(&'f mut BTreeMap<String, String>);

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.0.insert(field.name().to_owned(), format!("{value:?}"));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.insert(field.name().to_owned(), value.to_owned());
    }
}

impl Subscriber for Spans {
    fn enabled(&self, _: &Metadata<'_>) -> bool {
        true
    }

    fn new_span(&self, span: &Attributes<'_>) -> Id {
        let mut spans = self.0.lock().unwrap();
        let mut fields = BTreeMap::new();
        span.record(&mut Fields(&mut fields));
        spans.push((span.metadata().name().to_owned(), fields));
        Id::from_u64(spans.len() as u64)
    }

    fn record(&self, span: &Id, values: &Record<'_>) {
        let mut spans = self.0.lock().unwrap();
        values.record(&mut Fields(&mut spans[span.into_u64() as usize - 1].1));
    }

    fn record_follows_from(&self, _: &Id, _: &Id) {}
    fn event(&self, _: &Event<'_>) {}
    fn enter(&self, _: &Id) {}
    fn exit(&self, _: &Id) {}
}

#[derive(Debug, StructuredOutput)]
struct Verdict {
    #[geode(range(max = 10))]
    score: u8,
    why: String,
}

/// The spans of a call that is answered wrongly and then well.
async fn spans() -> Vec<Recorded> {
    let spans = Spans::default();
    let _guard = tracing::subscriber::set_default(spans.clone());
    let answer = |score: u8| {
        let mut reply: Reply = text(format!(r#"{{"score":{score},"why":"zebra answer"}}"#));
        (reply.usage.input_tokens, reply.usage.output_tokens) = (7, 5);
        reply.model = Some("model-snapshot-3".to_owned());
        reply.request_id = Some("req_9".to_owned());
        reply.finish = Some(FinishReason::Stop);
        reply
    };
    let client = Client::new(ScriptedAdapter::replies([answer(11), answer(3)]));
    let twice = RetryPolicy::default().attempts(2).delays(std::time::Duration::ZERO, std::time::Duration::ZERO);
    let call = client.request::<Verdict>().model("model-3").system("Judge.").user("zebra prompt").retry(twice);
    assert_eq!(call.send().await.unwrap().score, 3);
    let recorded = spans.0.lock().unwrap().clone();
    recorded.into_iter().filter(|(name, _)| name == "chat").collect()
}

#[tokio::test]
async fn each_attempt_is_a_span_without_content() {
    if std::env::var_os(CAPTURE).is_some() {
        return;
    }
    let spans = spans().await;
    let [(_, first), (_, second)] = spans.as_slice() else { panic!("{spans:?}") };
    for (name, value) in [
        ("gen_ai.operation.name", "chat"),
        ("gen_ai.provider.name", "scripted"),
        ("gen_ai.output.type", "json"),
        ("gen_ai.request.model", "model-3"),
        ("gen_ai.response.model", "model-snapshot-3"),
        ("gen_ai.response.id", "req_9"),
        ("gen_ai.response.finish_reasons", "stop"),
        ("gen_ai.usage.input_tokens", "7"),
        ("gen_ai.usage.output_tokens", "5"),
        ("otel.kind", "client"),
        ("otel.name", "chat model-snapshot-3"),
    ] {
        assert_eq!(second.get(name).map(String::as_str), Some(value), "{name} of {second:?}");
    }
    assert_eq!(first.get("error.type").map(String::as_str), Some("invalid_schema"), "{first:?}");
    assert_eq!(second.get("error.type"), None);
    assert!(!format!("{spans:?}").contains("zebra"), "content was recorded unasked: {spans:?}");
}

/// Runs in a process of its own, because the opt-in is read once.
#[tokio::test]
async fn opted_in() {
    if std::env::var_os(CAPTURE).is_none() {
        return;
    }
    let spans = spans().await;
    let (_, second) = &spans[1];
    assert!(second["gen_ai.input.messages"].contains("zebra prompt"), "{second:?}");
    assert!(second["gen_ai.output.messages"].contains("zebra answer"), "{second:?}");
}

#[test]
fn content_is_recorded_where_the_standard_variable_asks_for_it() {
    for (value, captured) in [("true", true), ("TRUE", true), ("false", false), ("", false)] {
        let run = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "opted_in"])
            .env(CAPTURE, value)
            .output()
            .unwrap();
        assert_eq!(run.status.success(), captured, "{value:?}: {}", String::from_utf8_lossy(&run.stdout));
    }
}
