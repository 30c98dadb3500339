//! Gemini.

use geode::adapter::gemini;

use crate::fixtures::check;

const EXPECTED: &[(&str, &str)] = &[
    ("blocked.json", "error ContentFiltered SAFETY"),
    ("completed.json", "stop {ada} 52/18"),
    ("error_400_schema.json", "error SchemaRejected 400 INVALID_ARGUMENT"),
    ("error_429.json", "error RateLimited 429 RESOURCE_EXHAUSTED wait=18000ms retryable"),
    ("incomplete_max_tokens.json", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("stream_completed.sse", "stop {ada} 52/25+7"),
    ("stream_error.sse", "error Overloaded 503 UNAVAILABLE retryable"),
    ("stream_tool_call.sse", r#"tooluse  call_1_0=get_weather({"city":"Seoul","unit":"c"}) 52/18 opaque:1"#),
    ("tool_call.json", r#"tooluse  call_1_0=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
];

#[tokio::test]
async fn every_fixture_comes_to_what_it_should() {
    check("gemini", gemini::api("dummy"), EXPECTED).await;
}
