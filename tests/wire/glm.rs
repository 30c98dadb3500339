//! GLM.

use geode::adapter::openai_chat;
use geode::dialect::PLAIN;
use geode::message::ToolChoice;
use geode::request::{Mode, Request};

use crate::fixtures::check;
use crate::requests::{body, conversation, foreign, person, with_tool};

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
    ("stream_completed.sse", "stop {ada} 52/18"),
    ("stream_cut.sse", "cut {ada} 0/0"),
    ("stream_error.sse", "error Overloaded 1305 retryable"),
    ("stream_network_error.sse", r#"other(network_error) {"name":"Ada Lovelac 52/18"#),
    ("stream_sensitive.sse", r#"contentfilter {"name":"Ada Lovelac 52/18"#),
    ("stream_tool_call.sse", r#"tooluse I'll check. call_fx01=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
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

#[test]
fn a_schema_is_refused_not_dropped() {
    let error =
        geode::adapter::Adapter::encode(&openai_chat::glm_payg("dummy"), &person(&PLAIN, Mode::Native)).err().unwrap();
    assert!(error.to_string().contains("tool mode"), "{error}");
}

#[test]
fn a_tool_is_written_byte_for_byte() {
    assert_eq!(
        body(&openai_chat::glm_payg("dummy"), &with_tool(ToolChoice::Auto)),
        r#"{"model":"glm-5.2","messages":[{"role":"user","content":"Weather in Seoul?"}],"tools":[{"type":"function","function":{"name":"get_weather","description":"Weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city","unit"],"additionalProperties":false}}}],"tool_choice":"auto"}"#
    );
}

#[test]
fn a_conversation_is_written_byte_for_byte_without_the_items_of_other_wires() {
    assert_eq!(
        body(&openai_chat::glm_payg("dummy"), &conversation(vec![foreign()])),
        r#"{"model":"glm-5.2","messages":[{"role":"user","content":[{"type":"text","text":"Weather here?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]},{"role":"assistant","content":"I'll check.","tool_calls":[{"id":"a1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Seoul\",\"unit\":\"c\"}"}},{"id":"a2","type":"function","function":{"name":"get_weather","arguments":"{\"invalid_arguments\":\"not json\"}"}}]},{"role":"tool","tool_call_id":"a1","content":"{\"temp\":21}"},{"role":"tool","tool_call_id":"a2","content":"no JSON"},{"role":"user","content":[{"type":"text","text":"Images of get_weather (a1):"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]},{"role":"user","content":"<system-reminder>\nAnswer briefly.\n</system-reminder>"}]}"#
    );
}

#[test]
fn json_mode_is_asked_for_where_the_prompt_speaks_of_json() {
    let glm = openai_chat::glm_payg("dummy");
    let mut request = person(&PLAIN, Mode::Prompted);
    assert!(!body(&glm, &request).contains("response_format"));
    request.system = Some("Reply with one JSON object.".to_owned());
    assert!(body(&glm, &request).contains(r#""response_format":{"type":"json_object"}"#));
}

#[test]
fn arguments_stream_where_tools_are_on_offer() {
    let request = Request { stream: true, ..with_tool(ToolChoice::Auto) };
    assert!(body(&openai_chat::glm_coding_plan("dummy"), &request).ends_with(r#""stream":true,"tool_stream":true}"#));
}
