//! The judged answers of the public bug corpus, by their ids. `…_lenient` is what a tolerance by name may do.

use std::pin::Pin;

use geode::StructuredOutput;
use geode::adapter::{AdapterFault, CliAdapter, ProviderErrorKind};
use geode::client::{Client, Reading, RetryPolicy};
use geode::json;
use geode::outcome::{Accepted, CallError, Failure, IncompleteReason};
use geode::report::Code;
use geode::testing::scripted::{ScriptedAdapter, text};
use geode::transport::{
    ExchangeLimits, HeaderMap, Transport, TransportError, TransportErrorKind, WireReply, WireRequest, WireStream,
};

/// What a model's text comes to, from a provider that enforces nothing.
async fn answer<T: StructuredOutput + 'static>(answer: &str, reading: Option<Reading>) -> Result<T, CallError> {
    let model = ScriptedAdapter::replies([text(answer)])
        .capabilities_with(|able| (able.native, able.tools) = (geode::adapter::Enforcement::Hint, false));
    let client = Client::builder(model).retry(RetryPolicy::none()).build();
    let call = client.request::<T>().user("x");
    let call = match reading {
        Some(reading) => call.reading(reading),
        None => call,
    };
    call.send().await.map(Accepted::into_value)
}

/// The value is accepted, and is this one in wire form.
#[track_caller]
fn ok<T: StructuredOutput>(result: Result<T, CallError>, wire: &str) {
    assert_eq!(json::to_string(&result.unwrap_or_else(|error| panic!("{error}"))), wire);
}

/// The text is refused, the first violation being this one.
#[track_caller]
fn refused<T>(result: Result<T, CallError>, pointer: &str, code: Code) -> String {
    let error = result.err().expect("a refusal");
    let report = error.violations().unwrap_or_else(|| panic!("{error}"));
    let violation = &report.violations()[0];
    assert_eq!((violation.pointer(), violation.code()), (pointer, code), "{report}");
    report.for_model()
}

#[derive(Debug, StructuredOutput)]
struct N {
    n: u64,
}

#[derive(Debug, StructuredOutput)]
struct A {
    a: u8,
}

#[derive(Debug, StructuredOutput)]
struct S {
    s: String,
}

/// One test a case: its id, the type, the text, and what it comes to.
macro_rules! cases {
    ($($name:ident: $type:ty, $text:expr, ok $wire:expr;)*) => {$(
        #[tokio::test]
        async fn $name() {
            ok(answer::<$type>($text, None).await, $wire);
        }
    )*};
    ($($name:ident: $type:ty, $text:expr, err $pointer:literal $code:ident;)*) => {$(
        #[tokio::test]
        async fn $name() {
            refused(answer::<$type>($text, None).await, $pointer, Code::$code);
        }
    )*};
    ($($name:ident: $type:ty, $text:expr, $reading:ident $wire:expr;)*) => {$(
        #[tokio::test]
        async fn $name() {
            ok(answer::<$type>($text, Some(Reading::$reading)).await, $wire);
        }
    )*};
}

#[derive(Debug, StructuredOutput)]
struct Big {
    id: u64,
    big: u128,
    neg: i64,
}

#[derive(Debug, StructuredOutput)]
struct Score {
    score: f64,
}

#[derive(Debug, StructuredOutput)]
struct Files {
    files: Vec<String>,
}

#[derive(Debug, StructuredOutput)]
struct Note {
    note: String,
}

#[derive(Debug, StructuredOutput)]
struct Width {
    width: u32,
}

#[derive(Debug, StructuredOutput)]
struct Maybe {
    s: Option<String>,
}

#[derive(Debug, StructuredOutput)]
struct At {
    at: chrono::DateTime<chrono::Utc>,
}

#[derive(Debug, StructuredOutput)]
struct Day {
    day: chrono::NaiveDate,
}

const BIG: &str =
    r#"{"id":2512292042121000001,"big":340282366920938463463374607431768211455,"neg":-9223372036854775808}"#;

cases! {
    b25: N, r#"{"n":20.0}"#, ok r#"{"n":20}"#;
    b25_b: N, r#"{"n":1e3}"#, ok r#"{"n":1000}"#;
    b25_c: N, r#"{"n":-0}"#, ok r#"{"n":0}"#;
    b25_e: N, r#"{"n":9007199254740993.0}"#, ok r#"{"n":9007199254740993}"#;
    b26: Big, BIG, ok BIG;
    b29_b: Note, r#"{"note":"[1,2]"}"#, ok r#"{"note":"[1,2]"}"#;
    b33: Maybe, r#"{"s":"null"}"#, ok r#"{"s":"null"}"#;
    b33_b: Maybe, r#"{"s":""}"#, ok r#"{"s":""}"#;
    b35_b: At, r#"{"at":"2026-01-02T04:04:05.5+01:00"}"#, ok r#"{"at":"2026-01-02T03:04:05.500Z"}"#;
    b37_c: S, r#"{"s":"\ud83d\ude00"}"#, ok r#"{"s":"😀"}"#;
    b37_d: S, r#"{"s":"\u0000"}"#, ok r#"{"s":"\u0000"}"#;
    b40: A, "\u{feff}{\"a\":1}", ok r#"{"a":1}"#;
    b41: A, "```json\n{\"a\":1}\n```", ok r#"{"a":1}"#;
    b41_b: A, "```\n{\"a\":1}\n```\n", ok r#"{"a":1}"#;
    b41_c: A, "```json\n{\"a\":1}\n", ok r#"{"a":1}"#;
    b41_d: S, "```json\n{\"s\":\"use ```json fences\"}\n```", ok r#"{"s":"use ```json fences"}"#;
    b43_d: A, " \r\n{\"a\":1}\n\t ", ok r#"{"a":1}"#;
}

cases! {
    b25_d: N, r#"{"n":20.5}"#, err "/n" Type;
    b25_f: N, r#"{"n":1e400}"#, err "/n" Range;
    b28: A, r#"{"a":1,"a":2}"#, err "/a" Duplicate;
    b29_c: Width, r#"{"width":"600"}"#, err "/width" Type;
    b35_c: Day, r#"{"day":"2026-01-02T00:00:00Z"}"#, err "/day" Format;
    b35_d: Day, r#"{"day":"2026-02-30"}"#, err "/day" Format;
    b27: Score, r#"{"score":NaN}"#, err "/score" Syntax;
    b27_b: Score, r#"{"score":-Infinity}"#, err "/score" Syntax;
    b37: S, r#"{"s":"\ud83d"}"#, err "/s" Syntax;
    b37_b: S, r#"{"s":"can\u27t"}"#, err "/s" Syntax;
    b38: S, "{\"s\":\"line1\nline2\tx\"}", err "/s" Syntax;
    b41_e: A, "```python\nprint({})\n```\n```json\n{\"a\":1}\n```", err "" Syntax;
    b41_f: A, "```", err "" Syntax;
    b42: A, "Result: {\"a\": 1}. Note [1].", err "" Syntax;
    b42_b: A, "{\"a\": 1}\n\nReferences: [1]", err "" TrailingText;
    b42_c: A, "Sure! {\"a\":1}", err "" Syntax;
    b43: A, "{\"a\":1}\n{\"a\":2}", err "" TrailingText;
    b43_b: A, "{\"a\":1}{\"a\":1}", err "" TrailingText;
    b43_c: A, "{\"a\":1}.\"\n}", err "" TrailingText;
}

cases! {
    b42_lenient: A, "Result: {\"a\": 1}. Note [1].", Prose r#"{"a":1}"#;
    b42_b_lenient: A, "{\"a\": 1}\n\nReferences: [1]", Prose r#"{"a":1}"#;
    b42_c_lenient: A, "Sure! {\"a\":1}", Prose r#"{"a":1}"#;
    b29_lenient: Files, r#"{"files":"[\"a\",\"b\"]"}"#, Lenient r#"{"files":["a","b"]}"#;
    b29_b_lenient: Note, r#"{"note":"[1,2]"}"#, Lenient r#"{"note":"[1,2]"}"#;
    b29_c_lenient: Width, r#"{"width":"600"}"#, Lenient r#"{"width":600}"#;
    b38_lenient: S, "{\"s\":\"line1\nline2\tx\"}", Lenient r#"{"s":"line1\nline2\tx"}"#;
}

#[tokio::test]
async fn a_tolerance_that_was_used_stands_in_the_account() {
    let sent = |text: &str, reading| {
        let client = Client::builder(ScriptedAdapter::replies([self::text(text)])).retry(RetryPolicy::none()).build();
        client.request::<Files>().user("x").reading(reading).send()
    };
    let json = "{\"files\":\"[\\\"a\\\"]\"}";
    let accepted = sent(json, Reading::Lenient).await.unwrap();
    let notes: Vec<_> = accepted.account().notes.iter().map(|note| note.pointer.as_str()).collect();
    assert_eq!(notes, ["/files"]);
    assert_eq!(accepted.account().raw_text(), json, "the raw text is what the model said");
    let accepted = sent("{\"files\":[\"a\nb\"]}", Reading::Lenient).await.unwrap();
    assert!(accepted.account().notes[0].message.contains("control characters"));
    assert!(sent("{\"files\":[\"a\"]}", Reading::Lenient).await.unwrap().account().notes.is_empty());
    // One that did not help is none that was used.
    let error = sent("{\"files\":\"[1]\"}", Reading::Lenient).await.unwrap_err();
    assert!(error.account().notes.is_empty());
    assert_eq!(error.violations().unwrap().violations()[0].pointer(), "/files");
}

#[derive(Debug, StructuredOutput)]
struct Page {
    path: String,
    limit: Option<u32>,
}

#[tokio::test]
async fn b34() {
    let found =
        refused(answer::<Page>(r#"{"path":"a","limt":1,"limit":null}"#, None).await, "/limt", Code::UnknownProperty);
    assert!(found.contains("limit"), "{found}");
}

#[tokio::test]
async fn b29() {
    let found = refused(answer::<Files>(r#"{"files":"[\"a\",\"b\"]"}"#, None).await, "/files", Code::Type);
    assert!(found.contains("expected an array") && found.contains("(a string that holds JSON)"), "{found}");
}

#[tokio::test]
async fn b35() {
    let found = refused(answer::<At>(r#"{"at":"2026-01-02T03:04:05"}"#, None).await, "/at", Code::Format);
    assert!(found.contains("offset"), "{found}");
}

#[tokio::test]
async fn two_values_are_refused_by_every_tolerance() {
    for reading in [Reading::Strict, Reading::Fenced, Reading::Prose, Reading::Lenient] {
        assert!(answer::<A>("{\"a\":1}\n{\"a\":2}", Some(reading)).await.is_err());
        assert!(answer::<A>("```python\nprint({})\n```\n```json\n{\"a\":1}\n```", Some(reading)).await.is_err());
    }
}

#[derive(Debug, StructuredOutput)]
struct Node {
    kids: Vec<Node>,
}

#[tokio::test]
async fn b39() {
    let deep = r#"{"kids":["#.repeat(100_000);
    for reading in [Reading::Strict, Reading::Fenced, Reading::Prose, Reading::Lenient] {
        assert!(answer::<Node>(&deep, Some(reading)).await.unwrap_err().is_invalid_schema());
    }
}

#[tokio::test]
async fn b39_b() {
    let deep = format!("{{\"zz\":{}{},\"a\":1}}", "[".repeat(50_000), "]".repeat(50_000));
    let report = answer::<A>(&deep, None).await.unwrap_err();
    let code = report.violations().unwrap().violations()[0].code();
    assert!(matches!(code, Code::UnknownProperty | Code::Depth), "{code:?}");
}

/// The result of a claude CLI that printed this and ended with this code.
async fn claude(stdout: &str, stderr: &str, code: i32) -> Result<A, CallError> {
    let reply = (code, stdout.to_owned(), stderr.to_owned());
    let client = Client::builder(CliAdapter::claude()).transport(Printed(reply)).retry(RetryPolicy::none()).build();
    client.call::<A>("x").await.map(Accepted::into_value)
}

/// A transport that gives back what a program printed.
struct Printed((i32, String, String));

impl Transport for Printed {
    fn send<'a>(
        &'a self,
        _: WireRequest,
        _: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>> {
        let (status, stdout, stderr) = self.0.clone();
        Box::pin(std::future::ready(Ok(WireReply {
            status,
            headers: HeaderMap::new(),
            body: stdout.into(),
            stderr: stderr.into(),
        })))
    }

    fn stream<'a>(
        &'a self,
        _: WireRequest,
        _: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>> {
        Box::pin(std::future::ready(Err(TransportError::new(TransportErrorKind::Unsupported, "nothing is streamed"))))
    }
}

#[tokio::test]
async fn b23() {
    let told = r#"{\"type\":\"error\",\"error\":{\"type\":\"invalid_request_error\",\"code\":\"invalid_json_schema\",\"message\":\"Invalid schema for response_format 'codex_output_schema': In context=(), 'additionalProperties' is required to be supplied and to be false.\",\"param\":\"text.format.schema\"},\"status\":400}"#;
    let printed = [
        r#"{"type":"thread.started","thread_id":"t1"}"#.to_owned(),
        r#"{"type":"turn.started"}"#.to_owned(),
        format!(r#"{{"type":"error","message":"{told}"}}"#),
        r#"{"type":"turn.failed","error":{"message":"see above"}}"#.to_owned(),
    ];
    let reply = (1, printed.join("\n"), String::new());
    let client = Client::builder(CliAdapter::codex()).transport(Printed(reply)).retry(RetryPolicy::default()).build();
    let error = client.call::<A>("x").await.unwrap_err();
    let Failure::Adapter(AdapterFault::Provider(fault)) = error.failure() else { panic!("{error:?}") };
    assert_eq!(fault.kind, ProviderErrorKind::SchemaRejected);
    assert!(fault.message.contains("additionalProperties"), "{}", fault.message);
    assert!(!error.is_retryable() && error.account().attempts.len() == 1);
}

#[tokio::test]
async fn b62() {
    let result = claude(
        r#"{"type":"result","subtype":"success","is_error":false,"result":"Analysed it and returned structured output.",
            "structured_output":{"a":1},"session_id":"s","num_turns":2}"#,
        "",
        0,
    );
    assert_eq!(result.await.unwrap().a, 1);
}

#[tokio::test]
async fn b62_b() {
    let printed = r#"{"type":"result","subtype":"success","is_error":false,"result":"","session_id":"s"}"#;
    let error = claude(printed, "", 0).await.unwrap_err();
    assert!(matches!(error.failure(), Failure::Incomplete { reason: IncompleteReason::Empty }), "{error:?}");
}

#[tokio::test]
async fn b62_c() {
    let printed = r#"{"type":"result","subtype":"error_max_turns","is_error":true,"session_id":"s"}"#;
    let error = claude(printed, "", 1).await.unwrap_err();
    let told = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
    assert!(told.contains("max_turns"), "{error:?}");
}

#[tokio::test]
async fn b62_d() {
    // An older CLI without `structured_output`.
    let printed = r#"{"type":"result","subtype":"success","is_error":false,"result":"{\"a\":1}","session_id":"s"}"#;
    assert_eq!(claude(printed, "", 0).await.unwrap().a, 1);
}

#[tokio::test]
async fn b62_e() {
    let error = claude("Invalid API key\n", "boom", 1).await.unwrap_err();
    let told = std::error::Error::source(&error).map_or_else(|| error.to_string(), ToString::to_string);
    assert!(told.contains("Invalid API key") && told.contains("boom"), "{told}");
}
