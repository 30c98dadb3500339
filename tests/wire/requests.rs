//! The requests whose bytes every adapter's test looks at.

use std::sync::Arc;

use geode::adapter::{Adapter, AdapterFault};
use geode::dialect::{Dialect, lower_schema};
use geode::message::{Message, Opaque, Part, ToolChoice, ToolResult, ToolUse};
use geode::request::{Mode, OutputRequest, Request};
use geode::schema::Schema;
use geode::transport::{HttpRequest, WireRequest};
use serde_json::json;

use crate::fixtures::weather;

/// Schema of the fixtures' person, as every dialect takes it.
pub(crate) const PERSON: &str = r#"{"type":"object","properties":{"name":{"type":"string"},"age":{"type":"integer"}},"required":["name","age"],"additionalProperties":false}"#;

/// A typed question.
pub(crate) fn person(dialect: &'static Dialect, mode: Mode) -> Request {
    let schema: Schema = PERSON.parse().unwrap();
    let plan = lower_schema(&schema, dialect).unwrap();
    Request {
        system: Some("You extract data.".to_owned()),
        messages: vec![Message::user("Ada Lovelace was 36.")],
        output: Some(OutputRequest {
            name: "person".into(),
            description: Some("A person".to_owned()),
            plan: Arc::new(plan),
            mode,
        }),
        max_output_tokens: Some(1024),
        ..Request::default()
    }
}

/// A question with a tool on offer.
pub(crate) fn with_tool(choice: ToolChoice) -> Request {
    Request {
        messages: vec![Message::user("Weather in Seoul?")],
        tools: vec![weather()],
        tool_choice: choice,
        ..Request::default()
    }
}

/// A conversation with a call, an image in its result, an error, a reminder and an image of the user's.
pub(crate) fn conversation(opaque: Vec<Opaque>) -> Request {
    let image = || Part::Image { media_type: "image/png".to_owned(), data: "iVBO".to_owned() };
    let text = |text: &str| Part::Text { text: text.to_owned() };
    let call =
        |id: &str, input: &str| ToolUse { id: id.to_owned(), name: "get_weather".to_owned(), input: input.to_owned() };
    let result = |id: &str, content, is_error| ToolResult {
        tool_use_id: id.to_owned(),
        name: "get_weather".to_owned(),
        content,
        is_error,
    };
    Request {
        messages: vec![
            Message::User { content: vec![text("Weather here?"), image()] },
            Message::Assistant {
                text: "I'll check.".to_owned(),
                tool_uses: vec![call("a1", r#"{"city":"Seoul","unit":"c"}"#), call("a2", "not json")],
                opaque,
            },
            Message::ToolResults {
                results: vec![
                    result("a1", vec![text(r#"{"temp":21}"#), image()], false),
                    result("a2", vec![text("no JSON")], true),
                ],
            },
            Message::Reminder { text: "Answer briefly.".to_owned() },
        ],
        ..Request::default()
    }
}

/// An opaque item of a wire.
pub(crate) fn opaque(wire: &str, item: serde_json::Value) -> Opaque {
    Opaque { adapter: wire.to_owned(), item }
}

/// A foreign item, which must stay out.
pub(crate) fn foreign() -> Opaque {
    opaque("another-wire", json!({"secret": "of another provider"}))
}

pub(crate) fn http(adapter: &dyn Adapter, request: &Request) -> Result<HttpRequest, AdapterFault> {
    match adapter.encode(request)? {
        WireRequest::Http(request) => Ok(request),
        _ => panic!("not an HTTP request"),
    }
}

/// The body that an adapter writes.
pub(crate) fn body(adapter: &dyn Adapter, request: &Request) -> String {
    String::from_utf8(http(adapter, request).unwrap().body.to_vec()).unwrap()
}
