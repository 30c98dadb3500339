//! Definitions from a file.

use super::*;

#[test]
fn bad_definitions_name_the_tool_and_the_fault() {
    async fn nothing(_: String, _: Value, _: ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
    let cases = [
        (r#"{"a":1}"#, "the definitions can't be read"),
        (r#"[{"name":"a b","input_schema":{"type":"object"}}]"#, "tool `a b`: a name has 1 to 64"),
        (r#"[{"name":"__x","input_schema":{"type":"object"}}]"#, "reserved"),
        (r#"[{"name":"a","input_schema":{"type":"array"}}]"#, "tool `a`: the input schema must have"),
        (
            r#"[{"name":"a","input_schema":{"type":"object","minProperties":-1}}]"#,
            "tool `a`: the input schema is wrong at /minProperties",
        ),
        (
            r#"[{"name":"a","input_schema":{"type":"object","properties":{"b":{"$ref":"https://example.org/b.json"}}}}]"#,
            "tool `a`: the input schema is wrong at /properties/b",
        ),
        (
            r#"[{"name":"a","input_schema":{"type":"object"}},{"name":"a","input_schema":{"type":"object"}}]"#,
            "tool `a`: the name comes twice",
        ),
        (r#"[{"name":"a","teir":"safe","input_schema":{"type":"object"}}]"#, "teir"),
    ];
    for (json, expected) in cases {
        let error = ToolSet::from_definitions(json, nothing).unwrap_err().to_string();
        assert!(error.contains(expected), "{error:?} lacks {expected:?}");
    }
    let set = r#"[{"name":"a","tier":"dangerous","parameters":{"type":"object"}},{"name":"lookup","input_schema":{"type":"object"}}]"#;
    let set = ToolSet::from_definitions(set, nothing).unwrap();
    assert_eq!((set.tier("a"), set.tier("lookup")), (Some(Tier::Dangerous), Some(Tier::Write)));
    assert_eq!(set.pick(["lookup"]).unwrap().names().collect::<Vec<_>>(), ["lookup"]);
    assert_eq!(set.pick(["loookup"]).unwrap_err().to_string(), "there is no tool `loookup`; did you mean `lookup`?");
}
