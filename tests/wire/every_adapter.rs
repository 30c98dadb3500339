//! What each adapter over HTTP has to do alike: settings that count, and what a reply must tell.

use geode::adapter::{
    Adapter, AdapterFault, Codec, Credential, HttpAdapter, anthropic, bedrock, gemini, openai_chat, openai_responses,
};
use geode::message::{Message, ToolChoice, ToolUse};
use geode::request::Request;

use crate::exchange::{LIMITS, exchange, line};
use crate::requests::{http, with_tool};
use crate::support::server::{Answer, Server};

const RESPONSES: &str = r#"{"status":"made_up","output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]}],
    "usage":{"input_tokens":10,"input_tokens_details":{"cached_tokens":4},"output_tokens":6,"output_tokens_details":{"reasoning_tokens":2}}}"#;
const CHAT: &str = r#"{"choices":[{"message":{"content":"hi"},"finish_reason":"made_up"}],
    "usage":{"prompt_tokens":10,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens":6,"completion_tokens_details":{"reasoning_tokens":2}}}"#;
/// The wire counts cached tokens apart, and reasoning among the rest.
const MESSAGES: &str = r#"{"content":[{"type":"text","text":"hi"}],"stop_reason":"made_up",
    "usage":{"input_tokens":5,"cache_read_input_tokens":4,"cache_creation_input_tokens":1,"output_tokens":6}}"#;
const GEMINI: &str = r#"{"candidates":[{"content":{"parts":[{"text":"hi"}]},"finishReason":"made_up"}],
    "usageMetadata":{"promptTokenCount":10,"cachedContentTokenCount":4,"candidatesTokenCount":4,"thoughtsTokenCount":2}}"#;
const CONVERSE: &str = r#"{"output":{"message":{"content":[{"text":"hi"}]}},"stopReason":"made_up",
    "usage":{"inputTokens":5,"cacheReadInputTokens":4,"cacheWriteInputTokens":1,"outputTokens":6}}"#;

/// An adapter with every setting made, by the address of its server and its key.
type Make = fn(&str, Credential) -> Box<dyn Adapter>;

/// Every adapter over HTTP; an answer that ends for a reason of tomorrow; and what it comes to.
fn adapters() -> Vec<(Make, &'static str, &'static str)> {
    let all = "other(made_up) hi 10/6+2 cached:4";
    let without_reasoning = "other(made_up) hi 10/6 cached:4";
    vec![
        (|url, key| set(openai_responses::payg(key), url), RESPONSES, all),
        (|url, key| set(openai_responses::codex_oauth(key, "account"), url), RESPONSES, all),
        (|url, key| set(openai_chat::openai(key), url), CHAT, all),
        (|url, key| set(openai_chat::glm_payg(key), url), CHAT, all),
        (|url, key| set(openai_chat::glm_coding_plan(key), url), CHAT, all),
        (|url, key| set(openai_chat::openrouter(key), url), CHAT, all),
        (|url, key| set(with_key(openai_chat::compatible("http://127.0.0.1:1"), key), url), CHAT, all),
        (|url, key| set(with_key(openai_chat::llama_cpp(), key), url), CHAT, all),
        (|url, key| set(with_key(openai_chat::ollama(), key), url), CHAT, all),
        (|url, key| set(with_key(openai_chat::vllm(), key), url), CHAT, all),
        (|url, key| set(with_key(openai_chat::docker_model_runner(), key), url), CHAT, all),
        (|url, key| set(anthropic::payg(key), url), MESSAGES, without_reasoning),
        (|url, key| set(anthropic::oauth(key), url), MESSAGES, without_reasoning),
        (|url, key| set(gemini::api(key), url), GEMINI, all),
        (|url, key| set(bedrock::converse("eu-central-1", key), url), CONVERSE, without_reasoning),
    ]
}

fn set<C: Codec + 'static>(adapter: HttpAdapter<C>, url: &str) -> Box<dyn Adapter> {
    Box::new(adapter.base_url(url).model("of-the-adapter").header("X-Team", "blue"))
}

fn with_key<C: Codec>(adapter: HttpAdapter<C>, key: Credential) -> HttpAdapter<C> {
    adapter.credential(geode::adapter::Authorization::Bearer, key)
}

#[tokio::test]
async fn settings_count_and_a_reply_tells_all() {
    for (make, body, expected) in adapters() {
        let mut answer = Answer::json(200, body);
        answer.headers.push(("x-request-id".to_owned(), "r-1".to_owned()));
        let server = Server::start([answer]).await;
        let adapter = make(&format!("{}/below", server.url), "hush-hush".into());
        let name = adapter.name();
        let reply = exchange(&*adapter, &with_tool(ToolChoice::Auto), LIMITS).await;
        assert_eq!(line(&reply), expected, "{name}");
        assert_eq!(reply.unwrap().request_id.as_deref(), Some("r-1"), "{name}");

        let asked = server.asked().remove(0);
        assert!(asked.path.starts_with("/below/"), "{name}: {}", asked.path);
        assert!(asked.path.contains("of-the-adapter") || asked.body.contains("of-the-adapter"), "{name}");
        assert_eq!(asked.headers["x-team"], "blue", "{name}");
        let key = |value: &axum::http::HeaderValue| value.to_str().unwrap().contains("hush-hush");
        assert_eq!(asked.headers.values().filter(|value| key(value)).count(), 1, "{name}");
    }
}

#[test]
fn the_model_of_a_request_comes_first() {
    for (make, ..) in adapters() {
        let adapter = make("http://127.0.0.1:1", "key".into());
        let request = Request { model: Some("of-the-request".to_owned()), ..with_tool(ToolChoice::Auto) };
        let http = http(&*adapter, &request).unwrap();
        let sent = format!("{} {}", http.url, String::from_utf8_lossy(&http.body));
        assert!(sent.contains("of-the-request") && !sent.contains("of-the-adapter"), "{}", adapter.name());
    }
}

#[test]
fn an_empty_key_is_an_error_before_anything_is_sent() {
    for (make, ..) in adapters() {
        for key in [Credential::from(" "), Credential::from_fn(|| String::new().into())] {
            let adapter = make("http://127.0.0.1:1", key);
            let error = adapter.encode(&with_tool(ToolChoice::Auto)).err().unwrap();
            assert!(matches!(error, AdapterFault::Configuration { .. }), "{}: {error:?}", adapter.name());
        }
    }
}

/// A gateway's page, an empty body, an answer of another wire, JSON that breaks off: a typed fault with the id.
#[tokio::test]
async fn what_is_no_answer_is_a_fault() {
    for (make, ..) in adapters() {
        for (content_type, body) in [
            ("text/html", "<html><title>Log in</title></html>"),
            ("application/json", ""),
            ("application/json", "{}"),
            ("application/json", "[]"),
            ("application/json", r#"{"unheard":"of"}"#),
            ("application/json", r#"{"choices":[{"mess"#),
        ] {
            let headers = [("content-type", content_type), ("x-request-id", "r-2")];
            let headers = headers.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
            let server = Server::start([Answer { headers, ..Answer::json(200, body) }]).await;
            let adapter = make(&server.url, "key".into());
            let outcome = exchange(&*adapter, &with_tool(ToolChoice::Auto), LIMITS).await;
            let wanted = "Malformed";
            let found = format!("{outcome:?}");
            assert!(found.contains(wanted) && found.contains("r-2"), "{}, {body:?}: {found}", adapter.name());
        }
    }
}

/// Arguments that the model got wrong go back to it as it wrote them, on wires that take an object only too.
#[test]
fn arguments_that_are_no_object_are_replayed_within_one() {
    for input in ["[1]", "7", "null", "\"text\"", "{\"cut\": ", ""] {
        let wrapped = serde_json::json!({ "invalid_arguments": input });
        let call = ToolUse { id: "a1".into(), name: "get_weather".into(), input: input.into() };
        let said = Message::Assistant { text: String::new(), tool_uses: vec![call], opaque: Vec::new() };
        let request = Request { messages: vec![said], ..with_tool(ToolChoice::Auto) };
        let places: [(Box<dyn Adapter>, &str); 4] = [
            (Box::new(openai_chat::openai("k")), "/messages/0/tool_calls/0/function/arguments"),
            (Box::new(anthropic::payg("k")), "/messages/0/content/0/input"),
            (Box::new(gemini::api("k")), "/contents/0/parts/0/functionCall/args"),
            (Box::new(bedrock::converse("eu-central-1", "k")), "/messages/0/content/0/toolUse/input"),
        ];
        for (adapter, place) in places {
            let sent: serde_json::Value = serde_json::from_slice(&http(&*adapter, &request).unwrap().body).unwrap();
            let found = sent.pointer(place).unwrap_or_else(|| panic!("{}: {sent}", adapter.name()));
            // Chat Completions holds the object in a text.
            let found = found.as_str().map_or(found.clone(), |text| serde_json::from_str(text).unwrap());
            assert_eq!(found, wrapped, "{}", adapter.name());
        }
    }
}
