//! The request bodies of the HTTP adapters, loaded by the official Python SDKs' own types.

use std::io::Write;
use std::process::{Command, Stdio};

use geode::adapter::{Adapter, AdapterFault, anthropic, bedrock, gemini, openai_chat, openai_responses};
use geode::message::{Message, Part, ToolChoice, ToolResult, ToolSpec, ToolUse};
use geode::request::{Mode, Request};
use geode::transport::WireRequest;
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::installed;

/// Requests that use every part of a wire.
fn requests(adapter: &dyn Adapter) -> Vec<(String, Request)> {
    let typed = crate::request(adapter, false);
    let tool = |name: &str| {
        ToolSpec {
        name: name.into(),
        description: "The weather of a city.".into(),
        input_schema: RawValue::from_string(
            r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}"#.into(),
        )
        .expect("JSON"),
    }
    };
    let call = ToolUse { id: "call_1".into(), name: "get_weather".into(), input: r#"{"city":"Rome"}"#.into() };
    let result =
        |content| ToolResult { tool_use_id: "call_1".into(), name: "get_weather".into(), content, is_error: true };
    let text = |text: &str| Part::Text { text: text.into() };
    let image = Part::Image { media_type: "image/png".into(), data: "iVBORw0KGgo=".into() };
    let history = vec![
        Message::User { content: vec![text("Look:"), image] },
        Message::assistant("I see."),
        Message::user("And the weather?"),
        Message::Assistant { text: "Let me see.".into(), tool_uses: vec![call], opaque: Vec::new() },
        Message::ToolResults { results: vec![result(vec![text("{\"error\":\"no such city\"}")])] },
        Message::Reminder { text: "Be brief.".into() },
    ];
    let long = Request {
        system: Some("Be exact.".into()),
        messages: history,
        tools: vec![tool("get_weather"), tool("get_time")],
        max_output_tokens: Some(500),
        ..Request::default()
    };
    let mut requests = vec![
        ("typed".into(), typed.clone()),
        ("typed, streamed".into(), Request { stream: true, ..typed.clone() }),
        ("history and tools".into(), long.clone()),
        ("history, tools and schema".into(), Request { output: typed.output.clone(), ..long.clone() }),
        (
            "temperature".into(),
            Request { temperature: Some(0.0), system: Some("Be exact.".into()), ..crate::request(adapter, true) },
        ),
    ];
    let among = |required| ToolChoice::Among { tools: vec!["get_time".into(), "get_weather".into()], required };
    for choice in
        [ToolChoice::None, ToolChoice::Required, ToolChoice::Named("get_time".into()), among(false), among(true)]
    {
        requests.push((format!("{choice:?}"), Request { tool_choice: choice, ..long.clone() }));
    }
    requests.push(("one call at most".into(), Request { single_call: true, ..long.clone() }));
    for mode in [Mode::Tool, Mode::Prompted] {
        let output = typed.output.clone().map(|output| geode::request::OutputRequest { mode, ..output });
        requests.push((format!("{mode:?}"), Request { output, ..typed.clone() }));
    }
    requests
}

fn adapters() -> Vec<(&'static str, Box<dyn Adapter>)> {
    vec![
        ("responses", Box::new(openai_responses::payg("dummy"))),
        ("responses", Box::new(openai_responses::codex_oauth("dummy", "account"))),
        ("chat", Box::new(openai_chat::openai("dummy"))),
        ("chat", Box::new(openai_chat::compatible("http://127.0.0.1:1").model("m"))),
        ("chat", Box::new(openai_chat::llama_cpp())),
        ("chat", Box::new(openai_chat::vllm().model("m"))),
        ("chat", Box::new(openai_chat::ollama().model("m"))),
        ("chat", Box::new(openai_chat::docker_model_runner().model("m"))),
        ("chat", Box::new(openai_chat::openrouter("dummy"))),
        ("glm", Box::new(openai_chat::glm_payg("dummy"))),
        ("glm", Box::new(openai_chat::glm_coding_plan("dummy"))),
        ("messages", Box::new(anthropic::payg("dummy"))),
        ("messages", Box::new(anthropic::oauth("dummy"))),
        ("gemini", Box::new(gemini::api("dummy"))),
        ("converse", Box::new(bedrock::converse("us-east-1", "dummy"))),
    ]
}

#[test]
fn the_sdks_take_every_body() {
    let Some(python) = installed::python(&["openai", "anthropic", "google-genai", "botocore"]) else { return };
    let mut cases = String::new();
    let mut count = 0;
    for (kind, adapter) in adapters() {
        for (label, request) in requests(&*adapter) {
            let body: Value = match adapter.encode(&request) {
                Ok(WireRequest::Http(http)) => serde_json::from_slice(&http.body).expect("a body is JSON"),
                Ok(_) => panic!("{} speaks HTTP", adapter.name()),
                // Some wires can't carry some requests; that is told, and tested elsewhere.
                Err(AdapterFault::Unsupported { .. }) => continue,
                Err(fault) => panic!("{}, {label}: {fault}", adapter.name()),
            };
            let label = format!("{}, {label}", adapter.name());
            cases.push_str(&format!("{}\n", json!({"kind": kind, "label": label, "body": body})));
            count += 1;
        }
    }
    assert!(count >= 120, "only {count} bodies");
    let found = check(&python, &cases);
    assert!(found.is_empty(), "of {count} bodies:\n{found}");
    println!("{count} bodies were loaded by the SDKs' types");
}

/// The check itself must be able to fail.
#[test]
fn a_wrong_body_is_found_out() {
    let Some(python) = installed::python(&["openai", "anthropic", "google-genai", "botocore"]) else { return };
    let wrong = [
        ("responses", json!({"model": "m", "input": "x", "response_format": {"type": "json_object"}})),
        ("chat", json!({"model": "m", "messages": [{"role": "user"}]})),
        ("glm", json!({"model": "m", "messages": [{"role": "user"}]})),
        ("messages", json!({"model": "m", "messages": []})),
        ("gemini", json!({"contents": [{"role": "user", "parts": [{"txt": "x"}]}]})),
        ("converse", json!({"messages": [{"role": "user", "content": [{"txt": "x"}]}]})),
    ];
    let case = |(kind, body): &(&str, Value)| format!("{}\n", json!({"kind": kind, "label": "wrong", "body": body}));
    let found = check(&python, &wrong.iter().map(case).collect::<String>());
    for (kind, _) in wrong {
        assert!(found.lines().any(|line| line.starts_with(&format!("{kind} wrong: "))), "{kind}: {found}");
    }
}

/// What the script finds at fault.
fn check(python: &std::path::Path, cases: &str) -> String {
    let script = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("scripts/real/sdk_types.py");
    let mut child = Command::new(python)
        .arg(script)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::inherit())
        .spawn()
        .expect("Python starts");
    child.stdin.take().expect("its input is piped").write_all(cases.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.success(), found.is_empty(), "the script itself failed");
    found
}
