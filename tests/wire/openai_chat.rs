//! Chat Completions.

use geode::adapter::openai_chat;
use geode::dialect::{LOCAL, OPENAI_STRICT};
use geode::message::ToolChoice;
use geode::request::{Mode, Request};

use crate::fixtures::check;
use crate::requests::{body, conversation, foreign, person, with_tool};

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

#[test]
fn a_typed_question_is_written_byte_for_byte() {
    assert_eq!(
        body(&openai_chat::openai("dummy"), &person(&OPENAI_STRICT, Mode::Native)),
        r#"{"model":"gpt-5.4","messages":[{"role":"developer","content":"You extract data."},{"role":"user","content":"Ada Lovelace was 36."}],"response_format":{"type":"json_schema","json_schema":{"name":"person","description":"A person","strict":true,"schema":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false}}},"max_completion_tokens":1024}"#
    );
}

#[test]
fn a_tool_is_written_byte_for_byte() {
    assert_eq!(
        body(&openai_chat::openai("dummy"), &with_tool(ToolChoice::Auto)),
        r#"{"model":"gpt-5.4","messages":[{"role":"user","content":"Weather in Seoul?"}],"tools":[{"type":"function","function":{"name":"get_weather","description":"Weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city","unit"],"additionalProperties":false},"strict":true}}],"tool_choice":"auto"}"#
    );
}

#[test]
fn a_conversation_is_written_byte_for_byte_without_the_items_of_other_wires() {
    assert_eq!(
        body(&openai_chat::openai("dummy"), &conversation(vec![foreign()])),
        r#"{"model":"gpt-5.4","messages":[{"role":"user","content":[{"type":"text","text":"Weather here?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]},{"role":"assistant","content":"I'll check.","tool_calls":[{"id":"a1","type":"function","function":{"name":"get_weather","arguments":"{\"city\":\"Seoul\",\"unit\":\"c\"}"}},{"id":"a2","type":"function","function":{"name":"get_weather","arguments":"{\"invalid_arguments\":\"not json\"}"}}]},{"role":"tool","tool_call_id":"a1","content":"{\"temp\":21}"},{"role":"tool","tool_call_id":"a2","content":"no JSON"},{"role":"user","content":[{"type":"text","text":"Images of get_weather (a1):"},{"type":"image_url","image_url":{"url":"data:image/png;base64,iVBO"}}]},{"role":"developer","content":"Answer briefly."}]}"#
    );
}

#[test]
fn a_local_server_gets_system_turns() {
    assert_eq!(
        body(&openai_chat::llama_cpp(), &person(&LOCAL, Mode::Native)),
        r#"{"model":"default","messages":[{"role":"system","content":"You extract data."},{"role":"user","content":"Ada Lovelace was 36."}],"response_format":{"type":"json_schema","json_schema":{"name":"person","description":"A person","strict":true,"schema":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false}}},"max_tokens":1024}"#
    );
}

#[test]
fn a_stream_asks_for_its_usage() {
    let request = Request { stream: true, ..with_tool(ToolChoice::Auto) };
    assert!(
        body(&openai_chat::openai("dummy"), &request)
            .ends_with(r#""stream":true,"stream_options":{"include_usage":true}}"#)
    );
}
