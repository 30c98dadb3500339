//! No key, prompt, answer or tool argument shows in `Debug` or `Display` of any public type that can hold one.

mod carried;
mod listed;

use std::collections::BTreeMap;
use std::fmt::{Debug, Display};
use std::time::Duration;

use bytes::Bytes;
use geode::adapter::{self, AdapterFault, Authorization, CliAdapter, Credential, registry};
use geode::agent::{AgentFailure, AgentUpdate, Termination};
use geode::check::Issue;
use geode::client::{Client, Fallback, RetryPolicy, Update};
use geode::json::stream::PushParser;
use geode::message::{Message, Opaque, Part, ToolResult, ToolUse};
use geode::outcome::{Accepted, CallError, Failure, IncompleteReason, Outcome, Redacted};
use geode::raw_schema::RawSchema;
use geode::record::{Record, RecordOf};
use geode::reply::Reply;
use geode::request::Request;
use geode::testing::replay::Redaction;
use geode::testing::scripted::{self, ScriptedAdapter};
use geode::tool::{Caller, ToolError};
use geode::transport::{HeaderMap, WireReply};
use geode::volume::Batches;
use geode::worker::{SubTask, WorkerRule};
use geode::{Partial, StructuredOutput};

/// What must never show.
const MARKER: &str = "s3cr3t-m4rk3r";

#[derive(Debug, Clone, PartialEq, StructuredOutput, Partial)]
struct Note {
    #[geode(length(max = 30))]
    text: String,
    count: u8,
}

fn secret() -> String {
    format!("a {MARKER} b")
}

/// An answer whose every value is secret.
fn answer() -> String {
    format!(r#"{{"text": "{MARKER}", "count": 1}}"#)
}

#[track_caller]
fn hidden(shown: &str) {
    assert!(!shown.contains(MARKER), "content shows: {shown}");
    assert!(!shown.is_empty());
}

#[track_caller]
fn debug(value: &impl Debug) {
    hidden(&format!("{value:?}"));
    hidden(&format!("{value:#?}"));
}

#[track_caller]
fn both(value: &(impl Debug + Display)) {
    debug(value);
    hidden(&value.to_string());
}

/// The error and all its causes.
#[track_caller]
fn error(value: &(impl std::error::Error + 'static)) {
    both(value);
    let mut cause = value.source();
    while let Some(error) = cause {
        hidden(&format!("{error:?} {error}"));
        cause = error.source();
    }
}

fn tool_use() -> ToolUse {
    ToolUse { id: "1".to_owned(), name: "search".to_owned(), input: answer() }
}

fn tool_result() -> ToolResult {
    ToolResult {
        tool_use_id: "1".to_owned(),
        name: "search".to_owned(),
        content: vec![
            Part::Text { text: secret() },
            Part::Image { media_type: "image/png".to_owned(), data: secret() },
        ],
        is_error: false,
    }
}

fn opaque() -> Opaque {
    Opaque { adapter: "x".to_owned(), item: secret().into() }
}

fn messages() -> Vec<Message> {
    vec![
        Message::user(secret()),
        Message::Assistant { text: secret(), tool_uses: vec![tool_use()], opaque: vec![opaque()] },
        Message::ToolResults { results: vec![tool_result()] },
        Message::Reminder { text: secret() },
    ]
}

#[test]
fn conversations_hide_what_is_said() {
    messages().iter().for_each(debug);
    debug(&Part::Text { text: secret() });
    debug(&tool_use());
    debug(&tool_result());
    debug(&opaque());
    let mut request = Request { system: Some(secret()), messages: messages(), ..Request::default() };
    request.extra = BTreeMap::from([("user".to_owned(), secret().into())]);
    debug(&request);
    debug(&Reply {
        text: secret(),
        refusal: Some(secret()),
        tool_uses: vec![tool_use()],
        opaque: vec![opaque()],
        notes: vec!["a note".to_owned()],
        ..Reply::default()
    });
}

#[test]
fn adapters_and_clients_hide_keys() {
    debug(&Credential::from(secret()));
    debug(&Credential::from_fn(|| secret().into()));
    #[cfg(feature = "bedrock-sigv4")]
    {
        let keys = adapter::bedrock::AwsKeys::new(secret(), secret()).session_token(secret());
        debug(&keys);
        debug(&adapter::bedrock::converse_signed("eu-central-1", move || keys.clone()));
    }
    for entry in registry::ENTRIES {
        // Addresses and regions are no keys, and must be usable.
        let environment =
            |name: &str| Some(if entry.keys.contains(&name) { secret() } else { "http://localhost".to_owned() });
        let adapter = entry.build(&environment).unwrap();
        debug(&adapter);
        debug(&Client::new(adapter));
    }
    let careless = adapter::openai_chat::compatible(format!("https://user:{MARKER}@example.org/v1?key={MARKER}"))
        .header("x-api-key", secret())
        .credential(Authorization::Bearer, secret());
    debug(&careless);
    debug(&Client::builder(careless.clone()));
    debug(&Client::new(careless));
    debug(&Batches::openai(adapter::openai_responses::payg(secret())));
    debug(&CliAdapter::claude().environment("TOKEN", secret()));
}

#[test]
fn an_adapters_fault_does_not_quote_the_reply() {
    let request = Request { system: Some(secret()), messages: vec![Message::user(secret())], ..Request::default() };
    let bodies = [
        secret(),
        format!(r#"{{"choices": "{MARKER}", "content": "{MARKER}", "output": "{MARKER}", "candidates": "{MARKER}"}}"#),
        format!(r#"{{"choices": [{{"message": {{"content": {{"{MARKER}": 1}}}}}}]}}"#),
        format!(r#"{{"usage": {{"input_tokens": "{MARKER}", "prompt_tokens": "{MARKER}"}}}}"#),
        format!(r#"[{{"type": "{MARKER}"}}, "{MARKER}"]"#),
        format!("<html><body>{MARKER}</body></html>"),
    ];
    for name in ["openai-payg", "openai-chat", "anthropic-payg", "gemini", "bedrock", "claude-cli", "codex-cli"] {
        let adapter = registry::by_name(name, &|_| Some("dummy".to_owned())).unwrap();
        for body in &bodies {
            let status = if name.ends_with("cli") { 0 } else { 200 };
            let reply =
                WireReply { status, headers: HeaderMap::new(), body: Bytes::from(body.clone()), stderr: Bytes::new() };
            match adapter.decode(&request, &reply) {
                Ok(reply) => debug(&reply),
                Err(fault) => error(&fault),
            }
            let mut decoder = adapter.decoder(&request);
            let event = adapter::StreamEvent { name: None, data: body };
            if let Err(fault) = decoder.event(&event, &mut Vec::new()) {
                error(&fault);
            }
            debug(&decoder.finish());
        }
    }
}

#[test]
fn reports_show_places_and_no_values() {
    let wrong = format!(r#"{{"text": ["{MARKER}"], "count": "{MARKER}"}}"#);
    let long = format!(r#"{{"text": "{}", "count": 1}}"#, MARKER.repeat(3));
    for text in [wrong, long, format!(r#"{{"text": "{MARKER}" "#), format!("{MARKER} {{}}"), format!("{{}} {MARKER}")] {
        let report = geode::from_str::<Note>(&text).unwrap_err();
        error(&report);
        report.violations().iter().for_each(both);
        both(&Failure::InvalidSchema(report));
        let mut parser = PushParser::for_shape(Note::SHAPE, &Default::default());
        if let Err(fault) = parser.push(text.as_bytes()).and_then(|()| parser.finish()) {
            error(&fault);
        }
        debug(&parser);
    }
    let schema: RawSchema =
        r#"{"properties": {"text": {"enum": ["a"], "maxLength": 3, "pattern": "^a"}, "n": false}}"#.parse().unwrap();
    debug(&schema);
    for text in [format!(r#"{{"text": "{MARKER}", "n": "{MARKER}"}}"#), MARKER.to_owned(), format!("{{\"{MARKER}")] {
        error(&schema.read(&text, None).unwrap_err());
    }
}

#[test]
fn previews_and_writers_hide_values() {
    let mut parser = PushParser::new();
    parser.push(format!(r#"{{"text": "{MARKER}", "list": ["{MARKER}"#).as_bytes()).unwrap();
    let preview = parser.preview().unwrap();
    debug(&parser);
    debug(&preview);
    debug(&preview.elements());
    debug(&Update::Answer(preview));
    debug(&Update::Refusal(MARKER));
    debug(&AgentUpdate::Text(secret()));
    debug(&AgentUpdate::Refusal(secret()));
    debug(&AgentUpdate::ToolInput { index: 0, name: Some("search".to_owned()), delta: secret() });
    let agent = Client::new(ScriptedAdapter::replies([scripted::text(secret())])).agent();
    debug(&agent.session().stream_text(secret()));
    let mut writer = geode::json::Writer::default();
    Note { text: secret(), count: 1 }.write(&mut writer);
    debug(&writer);
}

#[test]
fn every_failure_hides_what_it_holds() {
    let issue = Issue { pointer: "/text".to_owned(), code: "too_long".to_owned(), message: secret() };
    debug(&issue);
    let malformed = AdapterFault::Malformed { reason: "no JSON".to_owned(), status: Some(200), request_id: None };
    for failure in [
        Failure::Refused { reason: Redacted(secret()) },
        Failure::Incomplete { reason: IncompleteReason::StreamCut },
        Failure::InvalidBusiness(vec![issue]),
        Failure::Adapter(malformed),
        Failure::StructuredOutputFailed { reminders: 2 },
        Failure::DeadlineExceeded,
    ] {
        both(&failure);
        debug(&AgentFailure::Call(failure));
    }
    debug(&Redacted(secret()));
    debug(&Termination::UserClarificationNeeded { question: secret() });
    debug(&AgentFailure::Terminated(Termination::InputBlocked { reason: secret() }));
    debug(&ToolError::internal(secret()));
    debug(&Caller::new("id").with_claim("token", secret()));
    debug(&Redaction::default().text(secret()));
}

fn once(reply: Reply) -> Client {
    Client::builder(ScriptedAdapter::replies([reply])).retry(RetryPolicy::none()).build()
}

async fn asked(client: &Client) -> Result<Accepted<Note>, CallError> {
    let call = client.request::<Note>().system(secret()).user(secret()).extra("user", secret()).check(
        |note: &Note, _, issues| {
            issues.require(note.count < 9, "/count", "too_many", format!("{} {MARKER}", note.text))
        },
    );
    debug(&call);
    call.send().await
}

#[tokio::test]
async fn calls_and_what_they_come_to_hide_content() {
    let accepted = asked(&once(scripted::text(answer()))).await.unwrap();
    assert_eq!(accepted.text, MARKER);
    debug(&accepted);
    debug(accepted.account());
    let record = Record::from(accepted);
    debug(&record);
    let line = serde_json::to_string(&record).unwrap();
    debug(&serde_json::from_str::<RecordOf>(&line).unwrap());
    let bad = line.replace(r#""count":1"#, &format!(r#""count":"{MARKER}""#));
    error(&serde_json::from_str::<RecordOf>(&bad).unwrap().open::<Note>().unwrap_err());

    let refused = Reply { refusal: Some(secret()), ..scripted::text("") };
    let cut = Reply { finish: None, ..scripted::text(answer()) };
    let nine = scripted::text(answer().replace('1', "9").replace(&MARKER.replace('1', "9"), MARKER));
    for (reply, outcome) in [
        (refused, Outcome::Refused),
        (cut, Outcome::Incomplete),
        (scripted::text(format!(r#"{{"text": 1, "count": "{MARKER}"}}"#)), Outcome::InvalidSchema),
        (scripted::text(secret()), Outcome::InvalidSchema),
        (nine, Outcome::InvalidBusiness),
    ] {
        let failed = asked(&once(reply)).await.unwrap_err();
        assert_eq!(failed.outcome(), outcome);
        error(&failed);
        debug(failed.account());
    }
    let mut stream = once(scripted::text(answer())).request::<Note>().user(secret()).stream();
    while stream.next().await.is_some() {
        debug(&stream);
        debug(&stream.partial().map(|partial| partial.text));
    }
    debug(&Fallback::value(Note { text: secret(), count: 1 }));
}

#[tokio::test]
async fn agents_and_workers_hide_content() {
    let client = once(scripted::text(answer()));
    let agent = client.agent().instruction(secret());
    debug(&agent);
    let mut session = agent.session();
    let _ = session.run_text(secret()).await.unwrap();
    debug(&session);
    debug(&session.fork());
    let failed = once(Reply { refusal: Some(secret()), ..scripted::text("") }).agent().run_text(secret()).await;
    error(&failed.unwrap_err());

    let rule = WorkerRule::new(Duration::from_secs(5));
    let task = |text: String| SubTask { result: Some(text), termination: geode::worker::Termination::Completed };
    debug(&task(secret()));
    debug(&rule.run::<Note, _, _>(async |_| task(answer())).await.unwrap());
    error(&rule.run::<Note, _, _>(async |_| task(format!(r#"{{"text": 1, "count": "{MARKER}"}}"#))).await.unwrap_err());
}
