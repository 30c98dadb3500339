//! Bedrock Converse.

use geode::adapter::bedrock;

use crate::fixtures::check;

const EXPECTED: &[(&str, &str)] = &[
    ("completed.json", "stop {ada} 52/18"),
    ("error_403.json", "error Permission 403 AccessDeniedException id=req_fx01"),
    ("error_429.json", "error RateLimited 429 ThrottlingException id=req_fx01 retryable"),
    ("incomplete_guardrail.json", "contentfilter Blocked. 52/3"),
    ("tool_call.json", r#"tooluse  tooluse_fx01=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
];

#[tokio::test]
async fn every_fixture_comes_to_what_it_should() {
    check("bedrock_converse", bedrock::converse("eu-central-1", "dummy"), EXPECTED).await;
}
