use super::*;

fn problems(error: &ConfigError) -> Vec<(&str, usize, &str)> {
    error.problems().iter().map(|problem| (problem.key.as_str(), problem.line, problem.reason.as_str())).collect()
}

const GOOD: &str = r#"{
  "name": "verdict",
  "description": "What came of it.",
  "schema": {
    "type": "object",
    "properties": {"zeta": {"type": "string"}, "alpha": {"type": "integer"}},
    "required": ["zeta", "alpha"],
    "additionalProperties": false
  }
}"#;

#[test]
fn a_response_schema_has_a_name_and_is_native_and_a_hint_unless_said_otherwise() {
    let config = StructuredOutputConfig::from_json(GOOD).unwrap();
    assert_eq!((config.schema().name(), config.mode()), ("verdict", crate::request::Mode::Native));
    assert_eq!(config.schema().description(), Some("What came of it."));
    let plan = config.schema().plan(&crate::dialect::OPENAI_STRICT).unwrap();
    assert!(!plan.strict);
    let zeta = plan.schema.get().find("zeta").unwrap();
    assert!(zeta < plan.schema.get().find("alpha").unwrap(), "the order of the keys is lost");

    let strict = GOOD.replacen("\"name\"", "\"strict\": true, \"mode\": \"tool\", \"name\"", 1);
    let config = StructuredOutputConfig::from_json(&strict).unwrap();
    assert_eq!(config.mode(), crate::request::Mode::Tool);
    assert!(config.schema().plan(&crate::dialect::OPENAI_STRICT).unwrap().strict);
}

#[test]
fn everything_that_is_wrong_is_named_with_its_key_and_line() {
    let text = "{\n\"name\": \"a b\",\n\"strict\": \"yes\",\n\"mode\": \"toll\",\n\"descripton\": \"x\",\n\"schema\": {\n\
                \"type\": \"object\",\n\"properties\": {\"a\": {\n\"$ref\": \"https://example.org/a.json\"}}}\n}";
    let error = StructuredOutputConfig::from_json(text).unwrap_err();
    let found = problems(&error);
    let keys: Vec<(&str, usize)> = found.iter().map(|(key, line, _)| (*key, *line)).collect();
    assert_eq!(keys[..4], [("name", 2), ("strict", 3), ("mode", 4), ("descripton", 5)]);
    assert!(found[2].2.contains("did you mean `tool`?"), "{error}");
    assert!(found[3].2.contains("did you mean `description`?"), "{error}");
    assert!(keys[4].0.starts_with("schema.properties.a") && keys[4].1 >= 8, "{error}");
}

#[test]
fn missing_keys_and_broken_texts_are_named() {
    let error = StructuredOutputConfig::from_json("{}").unwrap_err();
    assert_eq!(problems(&error), [("name", 1, "this key is required"), ("schema", 1, "this key is required")]);
    let error = StructuredOutputConfig::from_json("{\n\"name\": }").unwrap_err();
    assert_eq!(error.problems()[0].line, 2);
    let error = StructuredOutputConfig::from_json("[]").unwrap_err();
    assert!(error.to_string().contains("a map with the keys `name`"), "{error}");
    assert!(StructuredOutputConfig::from_json(&"[".repeat(100_000)).is_err());
    let error = StructuredOutputConfig::from_json("{\"name\": \"a\",\n\"name\": \"b\"}").unwrap_err();
    assert!(error.to_string().contains("comes twice"), "{error}");
}

#[test]
fn a_tool_choice_is_a_word_or_names_tools() {
    let read = |choice: &str| AgentConfig::from_json(&format!(r#"{{"instruction": "a", "tool_choice": {choice}}}"#));
    let tools = ["lookup", "search"]
        .map(|name| crate::tool::from_fn(name, "Finds.", |_: crate::tool::NoArguments| async { Ok(()) }));
    let tools = tools.into_iter().fold(crate::tool::ToolSet::new(), |set, tool| set.with(tool));
    let agent = |choice: &str| {
        let config = format!(
            "{{\"instruction\": \"a\", \"tools\": [\"lookup\"], \"single_call\": true,\n\"tool_choice\": {choice}}}"
        );
        let client = crate::client::Client::new(crate::adapter::embedded::Embedded::new());
        AgentConfig::from_json(&config).unwrap().agent(&client, &tools)
    };
    for (choice, shown) in [
        (r#""auto""#, "Auto"),
        (r#""none""#, "None"),
        (r#""required""#, "Required"),
        (r#"{"named": "lookup"}"#, r#"Named("lookup")"#),
        (r#"{"among": ["lookup"]}"#, r#"Among { tools: ["lookup"], required: false }"#),
        (r#"{"among": ["lookup"], "required": true}"#, r#"Among { tools: ["lookup"], required: true }"#),
    ] {
        let agent = format!("{:?}", agent(choice).unwrap());
        assert!(agent.contains(&format!("tool_choice: {shown}, single_call: true")), "{agent}");
    }
    let error = agent(r#"{"named": "search"}"#).unwrap_err();
    assert_eq!(problems(&error), [("tool_choice", 2, "there is no tool `search`")], "it is not among the agent's");
    for (choice, key, reason) in [
        (r#""requird""#, "tool_choice", "did you mean `required`?"),
        ("7", "tool_choice", "text was expected"),
        (r#"{"name": "a"}"#, "tool_choice.name", "did you mean `named`?"),
        (r#"{"named": "a", "among": ["b"]}"#, "tool_choice", "either `named`, or `among`"),
        (r#"{"named": "a", "required": true}"#, "tool_choice", "either `named`, or `among`"),
        (r#"{"among": []}"#, "tool_choice.among", "at least one tool"),
        (r#"{"among": ["a"], "required": 1}"#, "tool_choice.required", "`true` or `false`"),
    ] {
        let error = read(choice).unwrap_err();
        let found = problems(&error);
        assert!(found.iter().any(|(at, _, why)| *at == key && why.contains(reason)), "{choice}: {error}");
    }
}

#[cfg(feature = "yaml")]
mod yaml {
    use super::*;

    const AGENT: &str = "\
# A comment.
adapter: embedded
instruction: |
  Sort the message.
  Be brief.
tools:
  - lookup
  - refund
rounds: 5
structured_output:
  name: triage
  mode: tool
  schema:
    type: object
    properties:
      zeta: {type: string}
      alpha: {type: integer, minimum: 0}
    required: [zeta, alpha]
    additionalProperties: false
";

    #[test]
    fn an_agent_is_read() {
        let config = AgentConfig::from_yaml(AGENT).unwrap();
        assert_eq!((config.adapter(), config.model()), (Some("embedded"), None));
        let output = config.structured_output().unwrap();
        assert_eq!(output.schema().name(), "triage");
        assert!(output.schema().read(r#"{"zeta":"a","alpha":0}"#, None).is_ok());
        assert!(output.schema().read(r#"{"zeta":"a","alpha":-1}"#, None).is_err());
    }

    #[test]
    fn what_is_wrong_is_named_with_its_key_and_line() {
        let text = AGENT
            .replace("rounds: 5", "rouds: 5")
            .replace("type: integer, minimum: 0", "type: integr")
            .replace("  name: triage\n", "");
        let error = AgentConfig::from_yaml(&text).unwrap_err();
        let found = problems(&error);
        assert!(found.contains(&("rouds", 9, "there is no such key; did you mean `rounds`?")), "{error}");
        assert!(found.contains(&("structured_output.name", 10, "this key is required")), "{error}");
        let schema = found.iter().find(|(key, ..)| key.starts_with("structured_output.schema")).unwrap();
        assert!(schema.0.ends_with("alpha.type") || schema.1 == 16, "{error}");

        let error = AgentConfig::from_yaml("instruction: a\n  b: [").unwrap_err();
        assert!(error.problems()[0].line >= 1, "{error}");
        let error = AgentConfig::from_yaml("instruction: a\ntools: lookup\nrounds: 0\nmodel: 7\n").unwrap_err();
        let keys: Vec<(&str, usize)> = problems(&error).iter().map(|(key, line, _)| (*key, *line)).collect();
        assert_eq!(keys, [("tools", 2), ("rounds", 3), ("model", 4)]);
    }
}

#[cfg(feature = "yaml")]
#[test]
fn broken_yaml_is_told_once_with_its_place() {
    let error = AgentConfig::from_yaml("model: a\ninstruction: [\n").unwrap_err().to_string();
    assert!(error.starts_with("line 2: ") || error.starts_with("line 3: "), "{error}");
    assert!(error.contains("column ") && error.matches("line").count() == 1, "{error}");
}
