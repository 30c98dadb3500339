//! Raw tools on each dialect: no schema goes out that a provider refuses, and nothing of it is lost in silence.

use geode::dialect::{ANTHROPIC, Dialect, GEMINI, LOCAL};
use geode::tool::RawTool;

use super::*;

fn tools(schema: Value) -> ToolSet {
    let tool = RawTool::new("act", "Acts.", schema, |arguments, _| async move { Ok::<_, ToolError>(arguments) });
    ToolSet::new().with_raw(tool.unwrap().tier(Tier::Safe))
}

fn wire(tools: &ToolSet, dialect: &'static Dialect) -> Value {
    serde_json::from_str(tools.plan(dialect).unwrap().specs[0].input_schema.get()).unwrap()
}

async fn call(tools: &ToolSet, dialect: &'static Dialect, input: &str) -> Executed {
    let planned = tools.plan(dialect).unwrap();
    let call = ToolUse { id: "1".into(), name: "act".into(), input: input.into() };
    Execution::new(&planned).run(&[call]).await.remove(0)
}

#[test]
fn a_tool_without_properties_says_so() {
    for dialect in [&PLAIN, &OPENAI_STRICT, &ANTHROPIC, &GEMINI, &LOCAL] {
        let schema = wire(&tools(json!({"type": "object"})), dialect);
        assert_eq!((&schema["type"], &schema["properties"]), (&json!("object"), &json!({})), "{}", dialect.name);
    }
}

/// OpenAI and Anthropic refuse a tool whose root is a choice, strict or not.
#[tokio::test]
async fn a_choice_at_the_root_is_wrapped() {
    let branch = |name: &str| {
        json!({"type": "object", "properties": {name: {"type": "string"}}, "required": [name],
               "additionalProperties": false})
    };
    let choices = [
        json!({"type": "object", "anyOf": [branch("order"), branch("mail")]}),
        json!({"type": "object", "oneOf": [branch("order"), branch("mail")]}),
        json!({"type": "object", "properties": {"order": {"type": "string"}, "mail": {"type": "string"}},
               "anyOf": [{"required": ["order"]}, {"required": ["mail"]}]}),
        json!({"type": "object", "properties": {"order": {"type": "string"}}, "not": {"required": ["mail"]}}),
    ];
    for schema in choices {
        let tools = tools(schema.clone());
        for dialect in [&OPENAI_STRICT, &ANTHROPIC] {
            let wire = wire(&tools, dialect);
            let keywords: Vec<&String> = wire.as_object().unwrap().keys().collect();
            let refused = ["anyOf", "oneOf", "allOf", "not", "enum", "$ref"];
            assert!(!keywords.iter().any(|keyword| refused.contains(&keyword.as_str())), "{}: {wire}", dialect.name);
            assert_eq!(wire["type"], "object", "{}: {wire}", dialect.name);
            let wrapped = wire["properties"]["value"].is_object();
            let input = if wrapped { r#"{"value":{"order":"A-1"}}"# } else { r#"{"order":"A-1"}"# };
            assert_eq!(text(&call(&tools, dialect, input).await), r#"{"order":"A-1"}"#, "{}: {wire}", dialect.name);
            let input = if wrapped { r#"{"value":{"mail":7}}"# } else { r#"{"mail":7}"# };
            assert!(call(&tools, dialect, input).await.result.is_error, "{}: {wire}", dialect.name);
        }
    }
}

#[tokio::test]
async fn references_still_hold_in_a_wrapped_root() {
    let to_the_root = json!({
        "type": "object", "properties": {"name": {"type": "string"}, "next": {"$ref": "#"}},
        "anyOf": [{"required": ["name"]}, {"required": ["next"]}],
    });
    let into_it = json!({
        "type": "object",
        "properties": {"name": {"type": "string"},
                       "next": {"type": "object", "properties": {"name": {"$ref": "#/properties/name"}},
                                "required": ["name"]}},
        "anyOf": [{"required": ["name"]}, {"required": ["next"]}],
        "additionalProperties": true,
    });
    for schema in [to_the_root, into_it] {
        let tools = tools(schema);
        let planned = tools.plan(&ANTHROPIC).unwrap();
        assert_eq!(planned.hints.len(), 1, "recursion, or open objects, are more than Anthropic takes");
        let wire: Value = serde_json::from_str(planned.specs[0].input_schema.get()).unwrap();
        let validator = jsonschema::validator_for(&wire).unwrap();
        assert!(validator.is_valid(&json!({"value": {"next": {"name": "a"}}})), "{wire}");
        assert!(!validator.is_valid(&json!({"value": {"next": {"name": 7}}})), "{wire}");
        assert!(!validator.is_valid(&json!({"value": {"next": {}}})), "{wire}");
        let done = call(&tools, &ANTHROPIC, r#"{"value":{"next":{"name":"a"}}}"#).await;
        assert_eq!(text(&done), r#"{"next":{"name":"a"}}"#);
    }
}

#[test]
fn what_is_only_a_hint_is_told() {
    let schema = json!({"type": "object", "properties": {"rest": {"type": "object", "additionalProperties": true}}});
    let planned = tools(schema.clone()).plan(&ANTHROPIC).unwrap();
    let (tool, misfit) = &planned.hints[0];
    assert_eq!((tool.as_str(), misfit.breaches()[0].keyword.as_str()), ("act", "additionalProperties"));
    assert_eq!(serde_json::from_str::<Value>(planned.specs[0].input_schema.get()).unwrap(), schema);
}
