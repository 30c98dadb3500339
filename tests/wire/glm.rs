//! GLM.

use geode::adapter::openai_chat;

use crate::fixtures::check;

const EXPECTED: &[(&str, &str)] = &[
    ("completed.json", "stop {ada} 52/18"),
    ("completed_fenced.json", "stop ```json\n{ada}\n``` 52/18"),
    ("error_400_tool_choice.json", "error InvalidRequest 400 400"),
    ("error_401.json", "error Authentication 401 1000"),
    ("error_429_balance.json", "error QuotaExceeded 429 1113"),
    ("error_429_rate.json", "error RateLimited 429 1302 retryable"),
    ("error_500.json", "error Server 500 500 retryable"),
    ("incomplete_length.json", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("sensitive.json", "contentfilter  52/18"),
    ("tool_call.json", r#"tooluse  call_fx01=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
    (
        "tool_call_stringified_nested.json",
        r#"tooluse  call_fx01=emit({"person": "{\"name\":\"Ada Lovelace\",\"age\":36,\"nick\":null}"}) 52/18"#,
    ),
];

#[tokio::test]
async fn every_fixture_comes_to_what_it_should() {
    check("glm", openai_chat::glm_payg("dummy"), EXPECTED).await;
}
