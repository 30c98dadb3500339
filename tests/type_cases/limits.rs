//! What a provider doesn't take: refused before anything is sent, or asked for in another way.

use geode::StructuredOutput;
use geode::adapter::openai_chat;
use geode::client::{Client, RetryPolicy};
use geode::dialect::{ANTHROPIC, OPENAI_STRICT};
use geode::testing::{Generator, assert_parity};
use serde_json::Value;

use crate::Node;
use crate::judge::{Case, texts};
use crate::support::server::{Answer, Server};

#[test]
fn b13b_a_recursive_type_is_refused_before_anything_is_sent() {
    let case = Case::load("B13b");
    let refused = geode::plan::<Node>(&ANTHROPIC).unwrap_err().to_string();
    for text in texts(&case.expect["preflight_error"]["mentions"]) {
        assert!(refused.contains(&text), "{refused}");
    }
    // Lowering knows no transport: nothing can have been sent.
    assert_eq!(case.expect["network_calls"], 0);
}

macro_rules! form {
    ($($field:ident)+) => {
        #[derive(StructuredOutput)]
        struct Form { $($field: Option<String>),+ }
    };
}

form!(o01 o02 o03 o04 o05 o06 o07 o08 o09 o10 o11 o12 o13 o14 o15 o16 o17);

#[test]
fn b20_options_are_absent_where_there_are_too_many_for_unions() {
    let case = Case::load("B20");
    assert!(case.expect["preflight"]["result"].as_str().unwrap().contains("documented fallback"));
    // DESIGN.md, "Dialects are data": an `Option` is an absent property as long as that budget lasts.
    let plan = geode::plan::<Form>(&ANTHROPIC).unwrap();
    assert!(plan.lifts.absent_is_null && !plan.schema.get().contains("anyOf"));
    let form: Form = geode::json::Reader::read(r#"{"o01":"a"}"#, &plan.lifts).unwrap();
    assert_eq!((form.o01.as_deref(), form.o17), (Some("a"), None));
}

macro_rules! nested {
    ($outer:ident $inner:ident $($rest:ident)*) => {
        #[derive(StructuredOutput)]
        struct $outer { d: $inner }
        nested!($inner $($rest)*);
    };
    ($last:ident) => {
        #[derive(StructuredOutput)]
        struct $last { v: u8 }
    };
}

nested!(L01 L02 L03 L04 L05 L06 L07 L08 L09 L10 L11 L12);

#[test]
fn b22_twelve_levels_are_refused_before_anything_is_sent() {
    let case = Case::load("B22");
    let expected = &case.expect["preflight"];
    let refused = geode::plan::<L01>(&OPENAI_STRICT).unwrap_err();
    let breach = &refused.breaches()[0];
    assert_eq!(breach.keyword, "depth");
    let rule = format!("at most {} levels of nested objects; this schema has {}", expected["limit"], expected["depth"]);
    assert!(breach.rule.contains(&rule), "{refused}");
    // Overridable: another dialect, or tool mode, takes it; the parser has no such limit.
    assert!(geode::plan::<L01>(&ANTHROPIC).is_ok());
    assert!(geode::from_str::<L01>(&Generator::of::<L01>(1).instance()).is_ok());
}

#[derive(Debug, StructuredOutput)]
struct OneByte {
    a: u8,
}

#[tokio::test]
async fn b63_a_provider_without_schemas_gets_it_in_the_prompt() {
    let case = Case::load("B63");
    let expected = &case.expect["request"];
    let server = Server::start([Answer::json(
        200,
        r#"{"choices":[{"message":{"content":"{\"a\":1}"},"finish_reason":"stop"}]}"#,
    )])
    .await;
    let glm = openai_chat::glm_payg("key").base_url(&server.url);
    let client = Client::builder(glm).retry(RetryPolicy::none()).build();
    assert_eq!(
        client.request::<OneByte>().user("Which byte?").mode(geode::request::Mode::Prompted).send().await.unwrap().a,
        1
    );
    let body: Value = serde_json::from_str(&server.asked()[0].body).unwrap();
    assert_eq!(body["response_format"]["type"], expected["response_format.type"]);
    assert_eq!(body["response_format"].get("json_schema"), None);
    assert_ne!(body.get("tool_choice"), Some(&expected["tool_choice_not"]));
    assert_eq!(expected["prompt_contains_schema"], true);
    let prompt: String =
        body["messages"].as_array().unwrap().iter().map(|message| message["content"].to_string()).collect();
    assert!(prompt.contains("additionalProperties"), "{prompt}");
}

#[test]
fn schema_and_parser_accept_the_same() {
    assert_parity::<(Form, L01, OneByte)>();
}
