//! The Responses API.

use geode::adapter::openai_responses;
use geode::dialect::OPENAI_STRICT;
use geode::message::ToolChoice;
use geode::request::Mode;
use serde_json::json;

use crate::exchange::read_pieces;
use crate::fixtures::check;
use crate::requests::{body, conversation, foreign, opaque, person, with_tool};

const EXPECTED: &[(&str, &str)] = &[
    ("completed.json", "stop {ada} 52/18"),
    ("completed_with_reasoning.json", "stop {ada} 52/82+64"),
    ("error_400_schema.json", "error SchemaRejected 400 invalid_json_schema id=req_fx01"),
    ("error_400_tool_schema.json", "error SchemaRejected 400 invalid_function_parameters id=req_fx01"),
    ("error_401.json", "error Authentication 401 invalid_api_key id=req_fx01"),
    ("error_404_model.json", "error NotFound 404 model_not_found id=req_fx01"),
    ("error_429_quota.json", "error QuotaExceeded 429 insufficient_quota id=req_fx01"),
    ("error_429_rate.json", "error RateLimited 429 rate_limit_exceeded id=req_fx01 wait=1500ms retryable"),
    ("error_500.json", "error Server 500 server_error id=req_fx01 retryable"),
    ("error_503.json", "error Overloaded 503 server_overloaded id=req_fx01 wait=1000ms retryable"),
    ("failed.json", "error Server server_error retryable"),
    ("incomplete_content_filter.json", r#"contentfilter {"name":"A 52/18"#),
    ("incomplete_max_tokens.json", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("refusal.json", "refusal  refused[I'm sorry, I can't help with that.] 52/18"),
    ("schema_mismatch.json", r#"stop {"name":"Ada","age":"thirty six"} 52/18"#),
    ("stream_completed.sse", "stop {ada} 52/18"),
    ("stream_cut.sse", r#"cut {"name":"Ada Lovelace" 0/0"#),
    ("stream_cut_after_full_text.sse", "cut {ada} 0/0"),
    ("stream_cut_mid_event.sse", "cut  0/0"),
    ("stream_error_event.sse", "error Server server_error retryable"),
    ("stream_failed.sse", "error Server server_error retryable"),
    ("stream_incomplete.sse", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("stream_refusal.sse", "refusal  refused[I'm sorry, I can't help with that.] 52/18"),
    ("stream_tool_call.sse", r#"tooluse  call_fx01=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
    ("tool_call.json", r#"tooluse  call_fx01=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
    ("tool_call_bad_json_args.json", r#"tooluse  call_fx01=get_weather({"city":"Seoul","unit":) 52/18"#),
    (
        "tool_call_parallel.json",
        r#"tooluse  call_fx01=get_weather({"city":"Seoul","unit":"c"}) call_fx02=get_weather({"city":"Paris","unit":"c"}) 52/18"#,
    ),
];

#[tokio::test]
async fn every_fixture_comes_to_what_it_should() {
    check("openai_responses", openai_responses::payg("dummy"), EXPECTED).await;
}

/// What the ChatGPT backend sends.
const EXPECTED_CHATGPT: &[(&str, &str)] = &[
    ("error_400_instructions.json", "error InvalidRequest 400"),
    ("error_400_store.json", "error InvalidRequest 400"),
    ("error_400_stream.json", "error InvalidRequest 400"),
    ("error_400_unsupported_parameter.json", "error InvalidRequest 400"),
    ("error_401.json", "error Authentication 401 token_expired"),
    ("error_429_usage_limit.json", "error QuotaExceeded 429 usage_limit_reached wait=3600000ms"),
    ("stream_completed_empty_output.sse", "stop {ada} 52/18"),
    ("stream_cut.sse", r#"cut {"name":"Ada Lovelace" 0/0"#),
    ("stream_failed.sse", "error RateLimited rate_limit_exceeded retryable"),
    ("stream_refusal_empty_output.sse", "refusal  refused[I can't help with that.] 52/18"),
    ("stream_tool_call_empty_output.sse", r#"tooluse  call_fx01=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
];

#[tokio::test]
async fn every_fixture_of_the_chatgpt_backend_comes_to_what_it_should() {
    check("codex_oauth", openai_responses::codex_oauth("dummy", "account"), EXPECTED_CHATGPT).await;
}

#[test]
fn a_typed_question_is_written_byte_for_byte() {
    assert_eq!(
        body(&openai_responses::payg("dummy"), &person(&OPENAI_STRICT, Mode::Native)),
        r#"{"model":"gpt-5.4","instructions":"You extract data.","input":[{"role":"user","content":[{"type":"input_text","text":"Ada Lovelace was 36."}]}],"text":{"format":{"type":"json_schema","name":"person","description":"A person","strict":true,"schema":{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false}}},"max_output_tokens":1024,"store":false}"#
    );
}

#[test]
fn a_tool_is_written_byte_for_byte() {
    assert_eq!(
        body(&openai_responses::payg("dummy"), &with_tool(ToolChoice::Auto)),
        r#"{"model":"gpt-5.4","input":[{"role":"user","content":[{"type":"input_text","text":"Weather in Seoul?"}]}],"tools":[{"type":"function","name":"get_weather","description":"Weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city","unit"],"additionalProperties":false},"strict":true}],"tool_choice":"auto","parallel_tool_calls":true,"store":false,"include":["reasoning.encrypted_content"]}"#
    );
}

#[test]
fn a_conversation_is_written_byte_for_byte_without_the_items_of_other_wires() {
    assert_eq!(
        body(
            &openai_responses::payg("dummy"),
            &conversation(vec![
                opaque("openai-responses", json!({"type": "reasoning", "summary": [], "encrypted_content": "e"})),
                foreign()
            ])
        ),
        r#"{"model":"gpt-5.4","input":[{"role":"user","content":[{"type":"input_text","text":"Weather here?"},{"type":"input_image","image_url":"data:image/png;base64,iVBO","detail":"auto"}]},{"encrypted_content":"e","summary":[],"type":"reasoning"},{"type":"message","role":"assistant","content":[{"type":"output_text","text":"I'll check."}]},{"type":"function_call","call_id":"a1","name":"get_weather","arguments":"{\"city\":\"Seoul\",\"unit\":\"c\"}"},{"type":"function_call","call_id":"a2","name":"get_weather","arguments":"not json"},{"type":"function_call_output","call_id":"a1","output":[{"type":"input_text","text":"{\"temp\":21}"},{"type":"input_image","image_url":"data:image/png;base64,iVBO","detail":"auto"}]},{"type":"function_call_output","call_id":"a2","output":"no JSON"},{"role":"developer","content":[{"type":"input_text","text":"Answer briefly."}]}],"store":false}"#
    );
}

#[test]
fn the_chatgpt_backend_gets_a_stream_instructions_and_no_limit() {
    let mut request = with_tool(ToolChoice::Auto);
    (request.max_output_tokens, request.temperature) = (Some(10), Some(0.5));
    assert_eq!(
        body(&openai_responses::codex_oauth("dummy", "account"), &request),
        r#"{"model":"gpt-5.4","instructions":"Follow the user's instructions.","input":[{"role":"user","content":[{"type":"input_text","text":"Weather in Seoul?"}]}],"tools":[{"type":"function","name":"get_weather","description":"Weather for a city","parameters":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city","unit"],"additionalProperties":false},"strict":true}],"tool_choice":"auto","parallel_tool_calls":true,"store":false,"stream":true,"include":["reasoning.encrypted_content"]}"#
    );
}

/// The note must not stand twice, however the reply is taken.
#[tokio::test]
async fn an_answer_that_reasoning_used_up_is_noted_once() {
    let event = r#"data: {"type":"response.incomplete","response":{"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]}}"#;
    let body = format!("{event}\n\n").into();
    let request = with_tool(ToolChoice::Auto);
    let reply = read_pieces(&openai_responses::payg("dummy"), &request, "text/event-stream", vec![body]).await;
    assert_eq!(reply.unwrap().0.notes, ["the token limit was reached before any answer text"]);
}
