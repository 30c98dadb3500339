//! How structured output is asked for, decided from capabilities, before anything is sent.

use geode::StructuredOutput;
use geode::adapter::{Capabilities, Enforcement};
use geode::client::{Client, Reading, RetryPolicy};
use geode::outcome::Failure;
use geode::reply::Reply;
use geode::request::{Mode, OUTPUT_TOOL};
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use serde_json::json;

#[derive(Debug, StructuredOutput)]
struct Answer {
    n: u8,
}

/// A model that answers in whatever way it is asked.
fn model(change: impl FnOnce(&mut Capabilities)) -> ScriptedAdapter {
    ScriptedAdapter::new(|request| {
        Ok(match request.tools.iter().any(|tool| tool.name == OUTPUT_TOOL) {
            true => calls([(OUTPUT_TOOL, json!({ "n": 1 }))]),
            false => text(r#"{"n":1}"#),
        })
    })
    .capabilities_with(change)
}

#[tokio::test]
async fn auto_takes_the_strongest_guarantee() {
    use Enforcement::{Enforced, Hint, None};
    let table = [
        // native, tools, strict tools: mode, guarantee
        (Enforced, true, true, Mode::Native, Enforced),
        (Enforced, false, false, Mode::Native, Enforced),
        (Hint, true, true, Mode::Tool, Enforced),
        (Hint, true, false, Mode::Native, Hint),
        (Hint, false, false, Mode::Native, Hint),
        (None, true, true, Mode::Tool, Enforced),
        (None, true, false, Mode::Tool, Hint),
        (None, false, false, Mode::Prompted, None),
    ];
    for (native, tools, strict_tools, mode, guarantee) in table {
        let model = model(|able| (able.native, able.tools, able.strict_tools) = (native, tools, strict_tools));
        let accepted = Client::new(model.clone()).call::<Answer>("x").await.unwrap();
        let account = accepted.account();
        assert_eq!((account.mode, account.guarantee), (mode, Some(guarantee)), "{native:?} {tools} {strict_tools}");
        let request = &model.requests()[0];
        assert_eq!(request.output.as_ref().unwrap().mode, mode);
        assert_eq!(request.tools.len(), usize::from(mode == Mode::Tool));
        let schema = request.output.as_ref().unwrap().plan.schema.get().to_owned();
        assert_eq!(request.system.as_ref().is_some_and(|system| system.contains(&schema)), mode == Mode::Prompted);
    }
}

#[tokio::test]
async fn what_is_required_and_not_given_fails_before_anything_is_sent() {
    for (mode, native, tools) in [
        (Mode::Auto, Enforcement::Hint, true),
        (Mode::Native, Enforcement::Hint, true),
        (Mode::Tool, Enforcement::Enforced, true),
        (Mode::Prompted, Enforcement::Enforced, true),
    ] {
        let model = model(|able| (able.native, able.tools, able.strict_tools) = (native, tools, false));
        let client = Client::new(model.clone());
        let call = client.request::<Answer>().user("x").mode(mode).require(Enforcement::Enforced);
        let error = call.send().await.unwrap_err();
        assert!(matches!(error.failure(), Failure::Unsupported { .. }), "{mode:?}: {error}");
        assert!(error.to_string().contains("scripted") && error.to_string().contains("enforced"), "{error}");
        assert!(model.requests().is_empty() && error.account().attempts.is_empty());
    }
    // Where tool mode enforces, it is taken instead.
    let model = model(|able| (able.native, able.strict_tools) = (Enforcement::Hint, true));
    let call = Client::new(model).request::<Answer>().user("x").require(Enforcement::Enforced);
    assert_eq!(call.send().await.unwrap().account().mode, Mode::Tool);
}

#[tokio::test]
async fn a_mode_that_the_adapter_lacks_is_an_error_that_names_it() {
    for (mode, word) in [(Mode::Native, "response schema"), (Mode::Tool, "tools")] {
        let model = model(|able| (able.native, able.tools) = (Enforcement::None, false));
        let error = Client::new(model).request::<Answer>().user("x").mode(mode).send().await.unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    }
}

#[tokio::test]
async fn reading_is_strict_where_enforced_and_fenced_where_not() {
    let fenced = || ScriptedAdapter::replies([text("```json\n{\"n\":1}\n```")]);
    let strict = Client::builder(fenced()).retry(RetryPolicy::none()).build();
    assert!(strict.call::<Answer>("x").await.unwrap_err().is_invalid_schema());
    let client = Client::new(fenced().capabilities_with(|able| (able.native, able.tools) = (Enforcement::Hint, false)));
    let accepted = client.call::<Answer>("x").await.unwrap();
    assert_eq!(accepted.account().notes[0].message, "the answer stood in a fenced block");
    // By name, either way.
    let call = strict.request::<Answer>().user("x").reading(Reading::Fenced);
    assert!(call.send().await.is_ok());
    let call = client.request::<Answer>().user("x").reading(Reading::Strict).retry(RetryPolicy::none());
    assert!(call.send().await.unwrap_err().is_invalid_schema());
}

/// `strict` is the provider's own structured output's (R27): a tool's arguments are held to their schema or not by the
/// schema alone.
#[tokio::test]
async fn a_schema_that_is_a_hint_is_one_in_native_mode_alone() {
    let closed = json!({"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"],
                        "additionalProperties": false});
    let open = json!({"type": "object", "properties": {"n": {"type": "integer"}}});
    for (schema, enforced) in [(closed, true), (open, false)] {
        let schema: geode::raw_schema::RawSchema = (&schema).try_into().unwrap();
        let model = model(|able| able.strict_tools = true);
        let client = Client::new(model.clone());
        let mut guarantees = Vec::new();
        for mode in [Mode::Tool, Mode::Native] {
            for schema in [schema.clone(), schema.clone().as_hint()] {
                let accepted = client.raw(schema).user("x").mode(mode).send().await.unwrap();
                guarantees.push(accepted.account().guarantee.unwrap());
            }
        }
        let by_schema = if enforced { Enforcement::Enforced } else { Enforcement::Hint };
        assert_eq!(guarantees, [by_schema, by_schema, by_schema, Enforcement::Hint]);
        let offered: Vec<String> = model.requests()[..2].iter().map(|request| format!("{:?}", request.tools)).collect();
        assert_eq!(offered[0], offered[1]);
    }
}

#[tokio::test]
async fn a_call_beside_the_answer_is_no_answer() {
    let other = calls([(OUTPUT_TOOL, json!({ "n": 1 })), ("other", json!({}))]);
    let unasked = Reply { tool_uses: calls([("other", json!({}))]).tool_uses, ..text(r#"{"n":1}"#) };
    for (mode, reply) in [(Mode::Tool, other), (Mode::Native, unasked)] {
        let client = Client::builder(ScriptedAdapter::replies([reply])).retry(RetryPolicy::none()).build();
        let error = client.request::<Answer>().user("x").mode(mode).send().await.unwrap_err();
        assert!(error.is_incomplete(), "{error}");
    }
}

#[tokio::test]
async fn raw_schemas_go_the_same_way() {
    let schema =
        json!({ "title": "Answer", "type": "object", "properties": { "n": { "type": "integer", "maximum": 5 } } });
    let model = ScriptedAdapter::replies([text(r#"{"n":9}"#), text(r#"{"n":4}"#)]);
    let client = Client::new(model.clone());
    let accepted = client.raw((&schema).try_into().unwrap()).user("x").send().await.unwrap();
    assert_eq!(accepted.value, json!({ "n": 4 }));
    // It fails OpenAI's strict test, and so is a hint.
    assert_eq!(accepted.account().guarantee, Some(Enforcement::Hint));
    assert_eq!(model.requests()[0].output.as_ref().unwrap().name, "Answer");
    let strict = client.raw((&schema).try_into().unwrap()).user("x").require(Enforcement::Enforced).send().await;
    assert!(matches!(strict.unwrap_err().failure(), Failure::Unsupported { .. }));
}
