//! Calls of one tool, and their replay.

use geode::adapter::Adapter;
use geode::message::{Message, ToolChoice, ToolSpec};
use geode::reply::FinishReason;
use geode::request::Request;
use serde_json::value::RawValue;

use super::{chat, earlier_turns, messages, responses, send, start};

#[tokio::test]
async fn tools_are_called_and_their_results_replayed() {
    let Some(server) = start() else { return };
    tools(&chat(&server)).await;
    tools(&responses(&server)).await;
    tools(&messages(&server)).await;
}

/// A new question makes the model call again.
async fn tools(adapter: &dyn Adapter) {
    let mut messages = earlier_turns();
    messages.push(Message::user("What is the weather in Paris?"));
    let schema =
        r#"{"type":"object","properties":{"city":{"type":"string"}},"required":["city"],"additionalProperties":false}"#;
    let tool = ToolSpec {
        name: "get_weather".into(),
        description: "The weather of a city.".into(),
        input_schema: RawValue::from_string(schema.into()).expect("JSON"),
    };
    for tool_choice in [ToolChoice::Auto, ToolChoice::Required, ToolChoice::Named("get_weather".into())] {
        let request = Request {
            messages: messages.clone(),
            tools: vec![tool.clone()],
            tool_choice: tool_choice.clone(),
            max_output_tokens: Some(80),
            ..Request::default()
        };
        let reply = send(adapter, &request).await;
        assert_eq!(reply.finish, Some(FinishReason::ToolUse), "{tool_choice:?}: {}", reply.text);
        let call = &reply.tool_uses[0];
        assert_eq!(call.name, "get_weather");
        let input: serde_json::Value = serde_json::from_str(&call.input).expect("arguments are JSON");
        assert_eq!(input, serde_json::json!({"city": "Paris"}), "{tool_choice:?}");

        let (_, streamed) = crate::stream(adapter, &Request { stream: true, ..request }).await;
        assert_eq!(streamed.tool_uses.len(), reply.tool_uses.len(), "{tool_choice:?}");
        let streamed = &streamed.tool_uses[0];
        assert_eq!(serde_json::from_str::<serde_json::Value>(&streamed.input).expect("JSON"), input, "{tool_choice:?}");
        assert!(!streamed.id.is_empty());
    }
}
