//! The Anthropic Messages API.

use geode::adapter::{Adapter, AdapterFault, anthropic};
use geode::dialect::ANTHROPIC;
use geode::message::{ToolChoice, ToolSpec};
use geode::request::{Mode, Request};
use serde_json::json;

use crate::fixtures::{check, weather};
use crate::requests::{body, conversation, foreign, opaque, person, with_tool};

const EXPECTED: &[(&str, &str)] = &[
    ("completed.json", "stop {ada} 52/18"),
    ("completed_with_thinking.json", "stop {ada} 52/18 opaque:1"),
    ("enum_case_drift.json", r#"tooluse  toolu_fx01=get_weather({"city":"Seoul","unit":"C"}) 52/18"#),
    ("error_400_forced_tool.json", "error InvalidRequest 400 invalid_request_error id=req_fx01"),
    ("error_400_prompt_too_long.json", "error PromptTooLong 400 invalid_request_error id=req_fx01"),
    ("error_400_schema.json", "error SchemaRejected 400 invalid_request_error id=req_fx01"),
    ("error_400_schema_min.json", "error SchemaRejected 400 invalid_request_error id=req_fx01"),
    ("error_400_too_many_optionals.json", "error SchemaRejected 400 invalid_request_error id=req_fx01"),
    ("error_400_tool_schema.json", "error SchemaRejected 400 invalid_request_error id=req_fx01"),
    ("error_401.json", "error Authentication 401 authentication_error id=req_fx01"),
    ("error_403.json", "error Permission 403 permission_error id=req_fx01"),
    ("error_413.json", "error PromptTooLong 413 request_too_large id=req_fx01"),
    ("error_429.json", "error RateLimited 429 rate_limit_error id=req_fx01 wait=2000ms retryable"),
    ("error_500.json", "error Server 500 api_error id=req_fx01 retryable"),
    ("error_529.json", "error Overloaded 529 overloaded_error id=req_fx01 retryable"),
    ("incomplete_context_window.json", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("incomplete_max_tokens.json", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("pause_turn.json", "other(pause_turn) Working. 52/18"),
    ("refusal.json", "refusal  refused[I can't help with that.] 52/18"),
    ("refusal_empty.json", "refusal  refused[] 52/18"),
    ("stream_completed.sse", "stop {ada} 52/18"),
    ("stream_completed_thinking.sse", "stop {ada} 52/18 opaque:1"),
    ("stream_cut.sse", r#"cut {"name":"Ada Lovelace" 52/1"#),
    ("stream_cut_after_full_text.sse", "cut {ada} 52/1"),
    ("stream_cut_tool_call.sse", "cut  52/1"),
    ("stream_error.sse", "error Overloaded overloaded_error id=req_fx01 retryable"),
    ("stream_max_tokens.sse", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("stream_refusal.sse", "refusal  refused[I can't] 52/18"),
    ("stream_tool_call.sse", r#"tooluse I'll check. toolu_fx01=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
    ("stream_tool_call_no_args.sse", "tooluse  toolu_fx03=now({}) 52/9"),
    ("tool_call.json", r#"tooluse I'll check. toolu_fx01=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
    (
        "tool_call_parallel.json",
        r#"tooluse  toolu_fx01=get_weather({"city":"Seoul","unit":"c"}) toolu_fx02=get_weather({"city":"Paris","unit":"c"}) 52/18"#,
    ),
    ("tool_call_truncated.json", "tokenlimit  52/18"),
];

#[tokio::test]
async fn every_fixture_comes_to_what_it_should() {
    check("anthropic_messages", anthropic::payg("dummy"), EXPECTED).await;
}

#[test]
fn a_typed_question_is_written_byte_for_byte() {
    assert_eq!(
        body(&anthropic::payg("dummy"), &person(&ANTHROPIC, Mode::Native)),
        r#"{"model":"claude-sonnet-4-6","max_tokens":1024,"system":"You extract data.","messages":[{"role":"user","content":"Ada Lovelace was 36."}],"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false}}}}"#
    );
}

#[test]
fn a_tool_is_written_byte_for_byte() {
    assert_eq!(
        body(&anthropic::payg("dummy"), &with_tool(ToolChoice::Auto)),
        r#"{"model":"claude-sonnet-4-6","max_tokens":8192,"messages":[{"role":"user","content":"Weather in Seoul?"}],"tools":[{"name":"get_weather","description":"Weather for a city","input_schema":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city","unit"],"additionalProperties":false},"strict":true}],"tool_choice":{"type":"auto"}}"#
    );
}

#[test]
fn a_conversation_is_written_byte_for_byte_without_the_items_of_other_wires() {
    assert_eq!(
        body(
            &anthropic::payg("dummy"),
            &conversation(vec![
                opaque("anthropic", json!({"type": "thinking", "thinking": "t", "signature": "s"})),
                foreign()
            ])
        ),
        r#"{"model":"claude-sonnet-4-6","max_tokens":8192,"messages":[{"role":"user","content":[{"type":"text","text":"Weather here?"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]},{"role":"assistant","content":[{"signature":"s","thinking":"t","type":"thinking"},{"type":"text","text":"I'll check."},{"type":"tool_use","id":"a1","name":"get_weather","input":{"city":"Seoul","unit":"c"}},{"type":"tool_use","id":"a2","name":"get_weather","input":{"invalid_arguments":"not json"}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"a1","content":[{"type":"text","text":"{\"temp\":21}"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBO"}}]},{"type":"tool_result","tool_use_id":"a2","content":"no JSON","is_error":true},{"type":"text","text":"<system-reminder>\nAnswer briefly.\n</system-reminder>"}]}]}"#
    );
}

#[test]
fn an_oauth_token_goes_with_the_identity_it_is_bound_to() {
    assert_eq!(
        body(&anthropic::oauth("dummy"), &person(&ANTHROPIC, Mode::Native)),
        r#"{"model":"claude-sonnet-4-6","max_tokens":1024,"system":[{"type":"text","text":"You are Claude Code, Anthropic's official CLI for Claude."},{"type":"text","text":"You extract data."}],"messages":[{"role":"user","content":"Ada Lovelace was 36."}],"output_config":{"format":{"type":"json_schema","schema":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false}}}}"#
    );
    let haiku = anthropic::oauth("dummy").model("claude-haiku-4-5");
    assert!(body(&haiku, &person(&ANTHROPIC, Mode::Native)).contains(r#""system":"You extract data.""#));
}

#[test]
fn what_a_model_refuses_is_not_sent() {
    let newest = anthropic::payg("dummy").model("claude-opus-5-5");
    for (choice, wanted) in [
        (ToolChoice::Auto, true),
        (ToolChoice::None, true),
        (ToolChoice::Required, false),
        (ToolChoice::Named("get_weather".to_owned()), false),
    ] {
        let outcome = newest.encode(&with_tool(choice));
        assert_eq!(outcome.is_ok(), wanted);
        assert!(matches!(outcome, Ok(_) | Err(AdapterFault::Unsupported { .. })));
    }
    let older = anthropic::payg("dummy").model("claude-sonnet-4-20250514");
    let error = older.encode(&person(&ANTHROPIC, Mode::Native)).err().unwrap();
    assert!(error.to_string().contains("tool mode"), "{error}");
    let request = Request { temperature: Some(0.5), ..with_tool(ToolChoice::Auto) };
    assert!(!body(&newest, &request).contains("temperature"));
    assert!(body(&older, &request).contains("temperature"));
}

/// The API takes twenty strict tools in a request; the others go without the flag.
#[test]
fn no_more_tools_are_strict_than_the_api_takes() {
    let mut request = with_tool(ToolChoice::Auto);
    request.tools = (0..21).map(|index| ToolSpec { name: format!("tool_{index}"), ..weather() }).collect();
    let sent: serde_json::Value = serde_json::from_str(&body(&anthropic::payg("dummy"), &request)).unwrap();
    let strict: Vec<bool> = sent["tools"].as_array().unwrap().iter().map(|tool| tool["strict"] == true).collect();
    assert_eq!(strict, [[true; 20].as_slice(), &[false]].concat());
}

/// Where no call may be made, the API refuses the flag for one at most.
#[test]
fn one_call_at_most_goes_with_choices_that_let_the_model_call() {
    for choice in [ToolChoice::Auto, ToolChoice::Required, ToolChoice::None] {
        let request = Request { single_call: true, ..with_tool(choice.clone()) };
        let flag = body(&anthropic::payg("dummy"), &request).contains(r#""disable_parallel_tool_use":true"#);
        assert_eq!(flag, choice != ToolChoice::None, "{choice:?}");
    }
}
