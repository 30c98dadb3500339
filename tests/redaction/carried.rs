//! What adapters, transports, tools and configuration hand to each other.

use std::collections::BTreeMap;

use bytes::Bytes;
use futures_util::StreamExt;
use geode::adapter::{StreamEvent, registry};
use geode::config::{AgentConfig, StructuredOutputConfig};
use geode::function::Prompt;
use geode::message::{Message, Part};
use geode::reply::{Event, Reply};
use geode::request::Request;
use geode::testing::replay::{Recorder, Redaction};
use geode::testing::scripted;
use geode::tool::{
    Content, Execution, Image, Json, Proposal, RawTool, ResultStore, Tier, ToolError, ToolSet, from_fn_with_context,
};
use geode::transport::{Frame, Frames, HeaderMap, StandardTransport, WireReply, WireRequest, WireStream};
use geode::volume::RateLimit;
use geode::{Partial, StructuredOutput};

use crate::{MARKER, Note, answer, debug, error, once, secret, tool_use};

#[test]
fn requests_on_the_wire_hide_keys_and_prompts() {
    let request = Request { system: Some(secret()), messages: vec![Message::user(secret())], ..Request::default() };
    for entry in registry::ENTRIES {
        let environment =
            |name: &str| Some(if entry.keys.contains(&name) { secret() } else { "http://localhost".to_owned() });
        let wire = entry.build(&environment).unwrap().encode(&request).unwrap();
        debug(&wire);
        if let WireRequest::Process(process) = &wire {
            process.arguments.iter().for_each(debug);
        }
    }
}

fn secret_header() -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert("x", secret().parse().unwrap());
    headers
}

#[tokio::test]
async fn replies_on_the_wire_hide_answers() {
    debug(&WireReply { status: 200, headers: secret_header(), body: secret().into(), stderr: secret().into() });
    let pieces = [Ok(Bytes::from(format!("data: {MARKER}\n\n")))];
    let stream =
        WireStream { status: 200, headers: secret_header(), body: Box::pin(futures_util::stream::iter(pieces)) };
    debug(&stream);
    let mut frames = Frames::new(stream, 1000);
    debug(&frames);
    let frame: Frame = frames.next().await.unwrap().unwrap();
    assert_eq!(frame.data, MARKER);
    debug(&frame);
    debug(&StreamEvent { name: None, data: &frame.data });
    for event in [
        Event::Text(secret()),
        Event::Refusal(secret()),
        Event::ToolInput { index: 0, name: None, delta: secret() },
        Event::Done(Box::new(Reply { text: secret(), ..Reply::default() })),
    ] {
        debug(&event);
    }
    debug(&RateLimit::new(StandardTransport::new(), 1, std::time::Duration::from_secs(1)));
    debug(&Recorder::new(StandardTransport::new(), Redaction::default().text(secret())));
}

#[tokio::test]
async fn tools_hide_arguments_and_results() {
    debug(&Proposal { tool_use_id: "1", tool: "search", tier: Tier::Write, input: &answer() });
    debug(&Content::text(secret()));
    debug(&Content::parts([Part::Text { text: secret() }]));
    debug(&Image::from_base64("image/png", secret()));
    debug(&Json(secret()));
    let search = from_fn_with_context("search", "Searches.", async |note: Note, context| {
        debug(&context);
        assert_eq!(note.text, MARKER);
        Ok::<_, ToolError>(secret())
    });
    debug(&search);
    let fail = RawTool::new("fail", "Fails.", serde_json::json!({"type": "object"}), |_, _| async {
        Err::<String, _>(ToolError::internal(secret()))
    });
    let fail = fail.unwrap().tier(Tier::Safe);
    debug(&fail);
    let tools = ToolSet::new().with(search.tier(Tier::Safe)).with_raw(fail).plan(&geode::dialect::PLAIN).unwrap();
    debug(&tools);
    let store = ResultStore::default();
    let execution = Execution::new(&tools).store(&store);
    debug(&execution);
    let failing = geode::message::ToolUse { name: "fail".to_owned(), ..tool_use() };
    let executed = execution.run(&[tool_use(), failing]).await;
    assert_eq!(executed.iter().filter(|done| done.result.is_error).count(), 1);
    executed.iter().for_each(debug);
    debug(&store);
}

#[test]
fn configuration_hides_the_instruction() {
    debug(&Prompt::new(MARKER, secret()));
    debug(&AgentConfig::from_json(&format!(r#"{{"instruction": "{MARKER}"}}"#)).unwrap());
    let good = r#"{"name": "a", "description": "MARKER", "schema": {"type": "object"}}"#.replace("MARKER", MARKER);
    debug(&StructuredOutputConfig::from_json(&good).unwrap());
    for wrong in [
        format!(r#"{{"instruction": ["{MARKER}"], "rounds": "{MARKER}", "tools": "{MARKER}"}}"#),
        format!(r#"{{"instruction": "{MARKER}"#),
        format!(r#"{{"instruction": {MARKER}}}"#),
    ] {
        error(&AgentConfig::from_json(&wrong).unwrap_err());
        error(&AgentConfig::from_yaml(&format!("{wrong}\n ]")).unwrap_err());
    }
}

#[derive(Debug, StructuredOutput, Partial)]
struct Notes {
    list: Vec<Note>,
    map: BTreeMap<String, Note>,
}

#[tokio::test]
async fn lists_and_maps_that_are_still_coming_hide_values() {
    let text = format!(r#"{{"list": [{0}, {0}], "map": [{{"key": "{MARKER}", "value": {0}}}]}}"#, answer());
    let mut stream = once(scripted::text(text)).request::<Notes>().stream();
    while stream.next().await.is_some() {
        debug(&stream.partial().map(|partial| (partial.list, partial.map)));
    }
    assert_eq!(stream.finish().await.unwrap().list.len(), 2);
}

#[tokio::test]
async fn many_calls_hide_inputs_and_answers() {
    let client = once(scripted::text(answer()));
    let many = client.many(futures_util::stream::iter([secret()]), |client, text| client.request::<Note>().user(text));
    debug(&many);
    let mut items = many.run().unwrap();
    while let Some(item) = items.next().await {
        debug(&item);
    }
}
