//! The Anthropic Messages API.

use geode::adapter::anthropic;

use crate::fixtures::check;

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
