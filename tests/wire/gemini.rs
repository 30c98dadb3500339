//! Gemini.

use geode::adapter::gemini;
use geode::dialect::GEMINI;
use geode::message::{Message, ToolChoice};
use geode::request::{Mode, Request};
use serde_json::json;

use crate::fixtures::check;
use crate::requests::{body, conversation, foreign, http, opaque, person, with_tool};

const EXPECTED: &[(&str, &str)] = &[
    ("blocked.json", "error ContentFiltered SAFETY"),
    ("completed.json", "stop {ada} 52/18"),
    ("error_400_schema.json", "error SchemaRejected 400 INVALID_ARGUMENT"),
    ("error_429.json", "error RateLimited 429 RESOURCE_EXHAUSTED wait=18000ms retryable"),
    ("incomplete_max_tokens.json", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("stream_blocked.sse", "error ContentFiltered SAFETY"),
    ("stream_completed.sse", "stop {ada} 52/25+7"),
    ("stream_cut.sse", "cut {ada} 0/0"),
    ("stream_error.sse", "error Overloaded 503 UNAVAILABLE retryable"),
    ("stream_malformed_call.sse", "other(MALFORMED_FUNCTION_CALL)  52/18"),
    ("stream_max_tokens.sse", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("stream_safety.sse", r#"contentfilter {"name":"Ada Lovelac 52/18"#),
    ("stream_tool_call.sse", r#"tooluse  call_1_0=get_weather({"city":"Seoul","unit":"c"}) 52/18 opaque:1"#),
    ("tool_call.json", r#"tooluse  call_1_0=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
];

#[tokio::test]
async fn every_fixture_comes_to_what_it_should() {
    check("gemini", gemini::api("dummy"), EXPECTED).await;
}

#[test]
fn a_typed_question_is_written_byte_for_byte() {
    assert_eq!(
        body(&gemini::api("dummy"), &person(&GEMINI, Mode::Native)),
        r#"{"systemInstruction":{"parts":[{"text":"You extract data."}]},"contents":[{"role":"user","parts":[{"text":"Ada Lovelace was 36."}]}],"generationConfig":{"responseMimeType":"application/json","responseJsonSchema":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false},"maxOutputTokens":1024}}"#
    );
}

#[test]
fn a_tool_is_written_byte_for_byte() {
    assert_eq!(
        body(&gemini::api("dummy"), &with_tool(ToolChoice::Auto)),
        r#"{"contents":[{"role":"user","parts":[{"text":"Weather in Seoul?"}]}],"tools":[{"functionDeclarations":[{"name":"get_weather","description":"Weather for a city","parametersJsonSchema":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city","unit"],"additionalProperties":false}}]}],"toolConfig":{"functionCallingConfig":{"mode":"AUTO"}}}"#
    );
}

#[test]
fn a_conversation_is_written_byte_for_byte_without_the_items_of_other_wires() {
    assert_eq!(
        body(
            &gemini::api("dummy"),
            &conversation(vec![opaque("gemini", json!({"id": "a1", "thoughtSignature": "sig"})), foreign()])
        ),
        r#"{"contents":[{"role":"user","parts":[{"text":"Weather here?"},{"inlineData":{"mimeType":"image/png","data":"iVBO"}}]},{"role":"model","parts":[{"text":"I'll check."},{"functionCall":{"id":"a1","name":"get_weather","args":{"city":"Seoul","unit":"c"}},"thoughtSignature":"sig"},{"functionCall":{"id":"a2","name":"get_weather","args":{"invalid_arguments":"not json"}}}]},{"role":"user","parts":[{"functionResponse":{"id":"a1","name":"get_weather","response":{"temp":21}}},{"functionResponse":{"id":"a2","name":"get_weather","response":{"error":"no JSON"}}},{"inlineData":{"mimeType":"image/png","data":"iVBO"}},{"text":"<system-reminder>\nAnswer briefly.\n</system-reminder>"}]}]}"#
    );
}

#[test]
fn model_and_method_stand_in_the_path() {
    let url = |stream| http(&gemini::api("dummy"), &Request { stream, ..with_tool(ToolChoice::Auto) }).unwrap().url;
    assert!(url(false).ends_with("/v1beta/models/gemini-3-pro:generateContent"));
    assert!(url(true).ends_with("/v1beta/models/gemini-3-pro:streamGenerateContent?alt=sse"));
}

#[test]
fn an_id_that_was_made_up_is_not_sent_back() {
    let mut request = conversation(Vec::new());
    if let Message::Assistant { tool_uses, .. } = &mut request.messages[1] {
        tool_uses[0].id = "call_1_0".to_owned();
    }
    let body = body(&gemini::api("dummy"), &request);
    assert!(!body.contains("call_1_0"));
    assert!(body.contains(r#""id":"a2""#));
}
