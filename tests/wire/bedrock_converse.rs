//! Bedrock Converse.

use geode::adapter::{AdapterFault, ProviderErrorKind, bedrock};
use geode::client::{Client, RetryPolicy};
use geode::dialect::BEDROCK;
use geode::message::ToolChoice;
use geode::outcome::{Failure, IncompleteReason};
use geode::request::{Mode, Request};

use crate::fixtures::{check, streamed, weather};
use crate::requests::{body, conversation, foreign, http, person, with_tool};
use crate::support::server::Server;

const EXPECTED: &[(&str, &str)] = &[
    ("completed.json", "stop {ada} 52/18"),
    ("error_403.json", "error Permission 403 AccessDeniedException id=req_fx01"),
    ("error_429.json", "error RateLimited 429 ThrottlingException id=req_fx01 retryable"),
    ("incomplete_guardrail.json", "contentfilter Blocked. 52/3"),
    ("stream_completed.events", "stop {ada} 52/18 cached:8"),
    ("stream_cut_after_full_text.events", "cut {ada} 0/0"),
    ("stream_cut_tool_call.events", "cut  0/0"),
    ("stream_error.events", "error Server InternalFailure retryable"),
    ("stream_guardrail.events", "contentfilter Blocked. 52/3"),
    ("stream_invalid.events", "error InvalidRequest ValidationException"),
    ("stream_malformed_tool_use.events", "other(malformed_tool_use)  52/9"),
    ("stream_max_tokens.events", r#"tokenlimit {"name":"Ada Lovelac 52/18"#),
    ("stream_model_error.events", "error Server ModelStreamErrorException retryable"),
    ("stream_no_metadata.events", "stop {ada} 0/0"),
    ("stream_reasoning.events", "stop {ada} 52/18 opaque:2"),
    ("stream_throttled.events", "error RateLimited ThrottlingException retryable"),
    (
        "stream_tool_call.events",
        r#"tooluse I'll check. tooluse_fx01=get_weather({"city":"Seoul","unit":"c"}) tooluse_fx02=now({}) 52/18"#,
    ),
    ("tool_call.json", r#"tooluse  tooluse_fx01=get_weather({"city":"Seoul","unit":"c"}) 52/18"#),
];

#[tokio::test]
async fn every_fixture_comes_to_what_it_should() {
    check("bedrock_converse", bedrock::converse("eu-central-1", "dummy"), EXPECTED).await;
}

#[test]
fn a_typed_question_is_written_byte_for_byte() {
    assert_eq!(
        body(&bedrock::converse("eu-central-1", "dummy"), &person(&BEDROCK, Mode::Native)),
        r#"{"messages":[{"role":"user","content":[{"text":"Ada Lovelace was 36."}]}],"system":[{"text":"You extract data."}],"inferenceConfig":{"maxTokens":1024},"outputConfig":{"textFormat":{"type":"json_schema","structure":{"jsonSchema":{"name":"person","description":"A person","schema":"{\"type\":\"object\",\"properties\":{\"name\":{\"type\":\"string\"},\"age\":{\"type\":\"integer\"}},\"required\":[\"name\",\"age\"],\"additionalProperties\":false}"}}}}}"#
    );
}

#[test]
fn a_tool_is_written_byte_for_byte() {
    assert_eq!(
        body(&bedrock::converse("eu-central-1", "dummy"), &with_tool(ToolChoice::Auto)),
        r#"{"messages":[{"role":"user","content":[{"text":"Weather in Seoul?"}]}],"toolConfig":{"tools":[{"toolSpec":{"name":"get_weather","description":"Weather for a city","inputSchema":{"json":{"type":"object","properties":{"city":{"type":"string"},"unit":{"type":"string","enum":["c","f"]}},"required":["city","unit"],"additionalProperties":false}},"strict":true}}],"toolChoice":{"auto":{}}}}"#
    );
}

#[test]
fn a_conversation_is_written_byte_for_byte_without_the_items_of_other_wires() {
    assert_eq!(
        body(&bedrock::converse("eu-central-1", "dummy"), &conversation(vec![foreign()])),
        r#"{"messages":[{"role":"user","content":[{"text":"Weather here?"},{"image":{"format":"png","source":{"bytes":"iVBO"}}}]},{"role":"assistant","content":[{"text":"I'll check."},{"toolUse":{"toolUseId":"a1","name":"get_weather","input":{"city":"Seoul","unit":"c"}}},{"toolUse":{"toolUseId":"a2","name":"get_weather","input":{"invalid_arguments":"not json"}}}]},{"role":"user","content":[{"toolResult":{"toolUseId":"a1","content":[{"text":"{\"temp\":21}"},{"image":{"format":"png","source":{"bytes":"iVBO"}}}]}},{"toolResult":{"toolUseId":"a2","content":[{"text":"no JSON"}],"status":"error"}},{"text":"<system-reminder>\nAnswer briefly.\n</system-reminder>"}]}]}"#
    );
}

#[test]
fn the_model_is_one_segment_of_the_path() {
    let adapter = bedrock::converse("eu-central-1", "dummy").model("arn:aws:bedrock:eu:1:inference-profile/eu.nova");
    let url = http(&adapter, &with_tool(ToolChoice::Auto)).unwrap().url;
    let path = "model/arn%3Aaws%3Abedrock%3Aeu%3A1%3Ainference-profile%2Feu.nova/converse";
    assert_eq!(url, format!("https://bedrock-runtime.eu-central-1.amazonaws.com/{path}"));
}

#[test]
fn calls_are_forbidden_in_words_where_the_history_holds_some() {
    let mut request = Request { tools: vec![weather()], tool_choice: ToolChoice::None, ..conversation(Vec::new()) };
    request.system = Some("Help.".to_owned());
    let body = body(&bedrock::converse("eu-central-1", "dummy"), &request);
    assert!(body.contains(r#""system":[{"text":"Help."},{"text":"Answer now, without calling a tool."}]"#), "{body}");
    assert!(body.contains(r#""toolChoice":{"auto":{}}"#));
}

#[test]
fn a_stream_has_a_path_of_its_own_and_the_same_body() {
    let adapter = bedrock::converse("eu-central-1", "dummy");
    let whole = http(&adapter, &with_tool(ToolChoice::Auto)).unwrap();
    let stream = http(&adapter, &Request { stream: true, ..with_tool(ToolChoice::Auto) }).unwrap();
    assert_eq!(stream.url, format!("{}-stream", whole.url));
    assert_eq!(stream.body, whole.body);
}

/// A client streams it as any other wire: previews, then one checked value, or the error that the stream ends with.
#[tokio::test]
async fn a_client_streams_a_checked_value() {
    let fixtures = ["stream_completed.events", "stream_cut_after_full_text.events", "stream_model_error.events"];
    let server = Server::start(fixtures.map(|name| streamed("bedrock_converse", name))).await;
    let adapter = bedrock::converse("eu-central-1", "dummy").base_url(&server.url);
    let client = Client::builder(adapter).retry(RetryPolicy::none()).build();
    let schema = r#"{"title":"person","type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"},"nick":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["name","age","nick"],"additionalProperties":false}"#;
    let stream = || client.raw(schema.parse().unwrap()).user("Ada Lovelace was 36.").stream();

    let mut answer = stream();
    let mut updates = 0;
    while answer.next().await.is_some() {
        updates += 1;
    }
    let accepted = answer.finish().await.unwrap();
    assert!(updates > 0);
    assert_eq!(accepted["age"], 36);
    assert_eq!((accepted.usage().input_tokens, accepted.usage().cached_input_tokens), (52, 8));

    let cut = stream().finish().await.unwrap_err();
    assert!(matches!(cut.failure(), Failure::Incomplete { reason: IncompleteReason::StreamCut }), "{cut:?}");
    let broken = stream().finish().await.unwrap_err();
    let Failure::Adapter(AdapterFault::Provider(error)) = broken.failure() else { panic!("{broken:?}") };
    assert_eq!(error.kind, ProviderErrorKind::Server);
    assert!(server.asked().iter().all(|asked| asked.path.ends_with("/converse-stream")));
}

/// Both kinds of exchange, signed when they are sent: the signature's own correctness is tested where it is made.
#[cfg(feature = "bedrock-sigv4")]
#[tokio::test]
async fn a_signed_request_carries_its_signature_and_no_key() {
    use geode::adapter::bedrock::AwsKeys;

    use crate::exchange::{LIMITS, exchange};
    use crate::support::server::Answer;

    let server = Server::start(vec![Answer::json(200, r#"{"output":{"message":{"content":[]}}}"#); 2]).await;
    let keys = || AwsKeys::new("AKIDEXAMPLE", "hush-hush").session_token("for-an-hour");
    let adapter = bedrock::converse_signed("eu-central-1", keys).base_url(&server.url);
    for stream in [false, true] {
        exchange(&adapter, &Request { stream, ..with_tool(ToolChoice::Auto) }, LIMITS).await.unwrap();
    }
    for asked in server.asked() {
        let authorization = asked.headers["authorization"].to_str().unwrap();
        assert!(authorization.starts_with("AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/"), "{authorization}");
        assert!(authorization.contains("/eu-central-1/bedrock/aws4_request"), "{authorization}");
        assert!(authorization.contains("SignedHeaders=content-type;host;x-amz-date;x-amz-security-token"));
        assert_eq!(asked.headers["x-amz-security-token"], "for-an-hour");
        assert!(asked.headers.values().all(|value| !value.to_str().unwrap().contains("hush")));
    }
}
