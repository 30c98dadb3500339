//! Adapters by name, and the table of what they can do.

use std::sync::Mutex;

use geode::adapter::registry::{ENTRIES, by_name, from_environment};
use geode::adapter::{AdapterFault, Enforcement, table};
use geode::message::Message;
use geode::request::Request;

#[test]
fn every_name_gives_the_adapter_of_that_name() {
    for entry in ENTRIES {
        let adapter = by_name(entry.name, &|_| Some("http://localhost:1/v1".to_owned())).unwrap();
        assert_eq!(adapter.name(), entry.name);
    }
}

#[test]
fn a_missing_key_is_named() {
    for entry in ENTRIES.iter().filter(|entry| !entry.keys.is_empty()) {
        // Access keys stand in for Bedrock's own key.
        let is_key = |name: &str| entry.keys.contains(&name) || name == "AWS_ACCESS_KEY_ID";
        let set = |name: &str| (!is_key(name)).then(|| "value".to_owned());
        for environment in [&set as &dyn Fn(&str) -> Option<String>, &|name| Some(set(name).unwrap_or(" ".to_owned()))]
        {
            let error = by_name(entry.name, environment).unwrap_err();
            assert!(matches!(error, AdapterFault::Configuration { .. }), "{error:?}");
            for key in entry.keys {
                assert!(error.to_string().contains(key), "{error}");
            }
        }
    }
}

#[test]
fn an_unknown_name_is_told_the_known_ones() {
    let error = by_name("openai", &|_| None).unwrap_err().to_string();
    assert!(error.starts_with("no adapter is called \"openai\"; did you mean \"openai-payg\"?; there are"), "{error}");
    for (slip, name) in [("claud-cli", "claude-cli"), ("Gemini", "gemini"), ("lama.cpp", "llama.cpp")] {
        let error = by_name(slip, &|_| None).unwrap_err().to_string();
        assert!(error.contains(&format!("did you mean {name:?}?")), "{error}");
    }
    for slip in ["", "nothing"] {
        let error = by_name(slip, &|_| None).unwrap_err().to_string();
        assert!(!error.contains("did you mean") && error.contains("openai-payg"), "{error}");
    }
}

#[test]
fn the_first_key_that_is_set_decides() {
    let with = |key: &'static str| move |name: &str| (name == key || name == "AWS_REGION").then(|| "value".to_owned());
    for (key, adapter) in [
        ("OPENAI_API_KEY", "openai-payg"),
        ("CLAUDE_CODE_OAUTH_TOKEN", "anthropic-oauth"),
        ("GOOGLE_API_KEY", "gemini"),
        ("ZAI_API_KEY", "glm-payg"),
        ("AWS_BEARER_TOKEN_BEDROCK", "bedrock"),
    ] {
        assert_eq!(from_environment(&with(key)).unwrap().name(), adapter);
    }
    let error = from_environment(&|_| None).unwrap_err().to_string();
    for key in ["ANTHROPIC_API_KEY", "OPENAI_API_KEY", "ZAI_API_KEY"] {
        assert_eq!(error.matches(&format!(" {key},")).count(), 1, "{error}");
    }
}

#[test]
fn only_named_variables_are_read() {
    let read = Mutex::new(Vec::new());
    let environment = |name: &str| {
        read.lock().unwrap().push(name.to_owned());
        Some("value".to_owned())
    };
    by_name("anthropic-payg", &environment).unwrap();
    assert_eq!(*read.lock().unwrap(), ["ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "GEODE_MODEL"]);
}

#[test]
fn the_model_of_the_environment_is_asked() {
    for entry in ENTRIES.iter().filter(|entry| entry.name != "embedded") {
        let value =
            |name: &str| Some(if name == "GEODE_MODEL" { "a-model" } else { "http://localhost:1/v1" }.to_owned());
        assert_eq!(by_name(entry.name, &value).unwrap().default_model(), Some("a-model"), "{}", entry.name);
    }
}

/// A guess would be answered by an error of the server, if the server is well-behaved.
#[test]
fn a_model_that_must_be_named_is_asked_for() {
    for name in ["ollama", "vllm", "docker-model-runner", "openai-compatible"] {
        let url = |name: &str| (name == "OPENAI_BASE_URL").then(|| "http://localhost:1/v1".to_owned());
        let adapter = by_name(name, &url).unwrap();
        assert_eq!(adapter.default_model(), None, "{name}");
        let error =
            adapter.encode(&Request { messages: vec![Message::user("x")], ..Request::default() }).err().unwrap();
        assert!(matches!(error, AdapterFault::Configuration { .. }), "{error:?}");
        assert!(error.to_string().contains("GEODE_MODEL") && error.to_string().contains(name), "{error}");
    }
}

#[test]
fn bedrock_wants_a_region_and_a_key_of_either_kind() {
    let set = |names: &'static [&str]| move |name: &str| names.contains(&name).then(|| "value".to_owned());
    let error = by_name("bedrock", &set(&["AWS_BEARER_TOKEN_BEDROCK"])).unwrap_err().to_string();
    assert!(error.contains("AWS_REGION"), "{error}");
    by_name("bedrock", &set(&["AWS_BEARER_TOKEN_BEDROCK", "AWS_DEFAULT_REGION"])).unwrap();
    let signed = by_name("bedrock", &set(&["AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_REGION"]));
    assert_eq!(signed.is_ok(), cfg!(feature = "bedrock-sigv4"));
    let error = by_name("bedrock", &set(&["AWS_ACCESS_KEY_ID", "AWS_REGION"])).unwrap_err().to_string();
    assert!(error.contains("AWS_BEARER_TOKEN_BEDROCK") && error.contains("AWS_SECRET_ACCESS_KEY"), "{error}");
}

#[test]
fn what_a_model_can_do_is_told_by_its_name() {
    let adapter = by_name("anthropic-payg", &|_| Some("value".to_owned())).unwrap();
    assert!(adapter.capabilities_for(None).forced_tool_choice);
    assert!(!adapter.capabilities_for(Some("claude-opus-5-5")).forced_tool_choice);
    assert_eq!(adapter.capabilities_for(Some("claude-3-5-sonnet-20241022")).native, Enforcement::None);
}

#[test]
fn the_table_in_the_docs_is_the_one_of_the_capabilities() {
    let docs = include_str!("../../docs/adapters.md");
    assert!(
        docs.contains(&table()),
        "docs/adapters.md is out of date: put in what `cargo run --example adapters` prints"
    );
}
