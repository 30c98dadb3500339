use serde_json::value::RawValue;
use serde_json::{Value, json};

use super::extract::answer;
use super::facts::Facts;
use super::{Embedded, reply};
use crate::adapter::Adapter;
use crate::message::{Message, ToolChoice, ToolSpec};
use crate::reply::FinishReason;
use crate::request::Request;
use crate::transport::{HeaderMap, WireReply, WireRequest};

fn fill(schema: Value, text: &str) -> Value {
    let schema = RawValue::from_string(schema.to_string()).unwrap();
    serde_json::from_str(&answer(&schema, &Facts::of(text)).unwrap()).unwrap()
}

#[test]
fn a_value_is_chosen_by_the_words_of_its_name_and_description() {
    let schema = json!({
        "type": "string",
        "enum": ["billing", "technical", "other"],
        "description": "What it is about.\n\n- `billing`: charges, payments and refunds\n- `technical`: crashes and errors",
    });
    assert_eq!(fill(schema.clone(), "I was charged twice."), "billing");
    assert_eq!(fill(schema.clone(), "The app crashes with an error."), "technical");
    assert_eq!(fill(schema, "Lovely weather."), "other");
}

#[test]
fn facts_are_taken_as_they_stand() {
    let schema = json!({
        "type": "object",
        "properties": {
            "amount": { "type": "number", "description": "The amount charged." },
            "seats": { "type": "integer" },
            "due": { "anyOf": [{ "type": "string", "format": "date" }, { "type": "null" }] },
            "order": { "type": "string", "pattern": "^[A-Z]{2}-[0-9]+$" },
            "quote": { "type": "string" },
            "email": { "anyOf": [{ "type": "string", "format": "email" }, { "type": "null" }] },
            "version": { "const": "1" },
        },
    });
    let text =
        "We pay for 12 seats, and order EU-881 of 2026-03-01 charged an amount of $1,049.50. It said \"paid in full\".";
    assert_eq!(
        fill(schema, text),
        json!({
            "amount": 1049.5, "seats": 12, "due": "2026-03-01", "order": "EU-881", "quote": "paid in full", "email": null,
            "version": "1",
        })
    );
}

#[test]
fn a_union_takes_the_branch_that_the_text_speaks_of() {
    let branch = |kind: &str, field: &str| json!({ "type": "object", "properties": { "kind": { "enum": [kind] }, field: { "type": "integer" } } });
    let schema = json!({ "anyOf": [branch("refund", "amount"), branch("delivery", "days")] });
    assert_eq!(fill(schema.clone(), "Delivery takes 9 days."), json!({ "kind": "delivery", "days": 9 }));
    assert_eq!(fill(schema, "I want a refund of 20."), json!({ "kind": "refund", "amount": 20 }));
}

#[test]
fn recursion_ends() {
    let schema = json!({
        "$ref": "#/$defs/Node",
        "$defs": { "Node": { "type": "object", "properties": {
            "name": { "type": "string" },
            "next": { "anyOf": [{ "$ref": "#/$defs/Node" }, { "type": "null" }], "description": "name" },
            "all": { "type": "array", "minItems": 1, "items": { "$ref": "#/$defs/Leaf" } },
        } }, "Leaf": { "$ref": "#/$defs/Leaf" } },
    });
    assert_eq!(fill(schema, "A name.")["name"], "A name.");
}

#[test]
fn the_same_answer_whole_and_line_by_line() {
    let request = Request {
        messages: vec![Message::user("Ünïcode says hello. And more of it follows here.")],
        ..Request::default()
    };
    let WireRequest::Loopback(body) = Embedded.encode(&request).unwrap() else { panic!("not a loopback") };
    let whole = Embedded
        .decode(
            &request,
            &WireReply { status: 0, headers: HeaderMap::new(), body: body.clone(), stderr: body.slice(..0) },
        )
        .unwrap();
    assert_eq!(whole.text, "Ünïcode says hello. And more of it follows here.");
    assert_eq!(whole.finish, Some(FinishReason::Stop));
    // Without its last line it is cut.
    let lines: Vec<&str> = std::str::from_utf8(&body).unwrap().lines().collect();
    let cut = lines[..lines.len() - 1].join("\n");
    assert_eq!(reply::read(cut.as_bytes()).unwrap().finish, None);
    assert!(reply::read(b"{\"surprise\":1}").is_err());
}

#[test]
fn a_tool_is_called_once_and_its_result_is_read() {
    let tool = ToolSpec {
        name: "find_order".to_owned(),
        description: "Looks up an order by its number.".to_owned(),
        input_schema: RawValue::from_string(
            r#"{"type":"object","properties":{"order":{"type":"integer"}}}"#.to_owned(),
        )
        .unwrap(),
    };
    let mut request =
        Request { messages: vec![Message::user("Look up order number 881.")], tools: vec![tool], ..Request::default() };
    let ask = |request: &Request| reply::read(reply::write(request).unwrap().as_bytes()).unwrap();
    let called = ask(&request);
    assert_eq!(called.finish, Some(FinishReason::ToolUse));
    assert_eq!(
        (called.tool_uses[0].name.as_str(), called.tool_uses[0].input.as_str()),
        ("find_order", r#"{"order":881}"#)
    );
    request.tool_choice = ToolChoice::None;
    assert!(ask(&request).tool_uses.is_empty());
    request.tool_choice = ToolChoice::Auto;
    request.messages.push(Message::Assistant { text: String::new(), tool_uses: called.tool_uses, opaque: vec![] });
    assert!(ask(&request).tool_uses.is_empty());
}
