//! Chat Completions.

use geode::adapter::openai_chat;

use crate::fixtures::check;

const EXPECTED: &[(&str, &str)] = &[
    ("completed.json", "stop {ada} 52/18"),
    ("error_400_schema.json", "error SchemaRejected 400 invalid_request_error id=req_fx01"),
    ("error_400_tool_schema.json", "error SchemaRejected 400 invalid_function_parameters id=req_fx01"),
    ("error_401.json", "error Authentication 401 invalid_api_key id=req_fx01"),
    ("error_429.json", "error RateLimited 429 rate_limit_exceeded id=req_fx01 wait=1500ms retryable"),
    ("error_429_quota.json", "error QuotaExceeded 429 insufficient_quota id=req_fx01"),
    ("error_500.json", "error Server 500 server_error id=req_fx01 retryable"),
    (
        "fenced_json.json",
        "stop Here it is:\n```json\n{\n  \"name\": \"Ada Lovelace\",\n  \"age\": 36,\n  \"nick\": null\n}\n``` 52/18",
    ),
    ("incomplete_content_filter.json", r#"contentfilter {"name":"A 52/18"#),
    ("incomplete_length.json", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("refusal.json", "refusal  refused[I'm sorry, I can't help with that.] 52/18"),
    ("schema_mismatch.json", r#"stop {"name":"Ada"} 52/18"#),
    ("stream_completed.sse", "stop {ada} 52/18"),
    ("stream_content_filter.sse", r#"contentfilter {"name":"A 52/18"#),
    ("stream_cut.sse", r#"cut {"name":"Ada Lovelace" 0/0"#),
    ("stream_cut_after_full_text.sse", "cut {ada} 0/0"),
    ("stream_error.sse", "error Server server_error retryable"),
    ("stream_length.sse", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("stream_no_usage.sse", "stop {ada} 0/0"),
    ("stream_refusal.sse", "refusal  refused[I'm sorry, I can't help with that.] 52/18"),
    ("stream_stop_without_done.sse", "stop {ada} 52/18"),
    (
        "stream_tool_call.sse",
        r#"tooluse  call_fx01=get_weather({"city":"Seoul","unit":"c"}) call_fx02=get_weather({"city":"Paris","unit":"c"}) 52/18"#,
    ),
    ("tool_call.json", r#"tooluse  call_fx01=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
    ("tool_call_bad_json_args.json", r#"tooluse  call_fx01=get_weather({"city":"Seoul",) 52/18"#),
    (
        "tool_call_parallel.json",
        r#"tooluse  call_fx01=get_weather({"city":"Seoul","unit":"c"}) call_fx02=get_weather({"city":"Paris","unit":"c"}) 52/18"#,
    ),
];

#[tokio::test]
async fn every_fixture_comes_to_what_it_should() {
    check("openai_chat", openai_chat::openai("dummy"), EXPECTED).await;
}
