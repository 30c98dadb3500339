//! What no grammar of the server's lets through from it alone: a call of a tool that the runtime does not know.

use std::pin::Pin;

use geode::agent::Budget;
use geode::client::Client;
use geode::message::Message;
use geode::transport::{
    ExchangeLimits, StandardTransport, Transport, TransportError, WireReply, WireRequest, WireStream,
};
use serde_json::{Value, json};

use super::{chat, said, start, turn, weather};

/// A gateway between runtime and server, which offers the model one more tool, as gateways with tools of their own do.
struct Gateway(StandardTransport);

impl Gateway {
    fn pass(mut request: WireRequest) -> WireRequest {
        if let WireRequest::Http(http) = &mut request {
            let mut body: Value = serde_json::from_slice(&http.body).expect("a body of JSON");
            if let Some(tools) = body["tools"].as_array_mut() {
                let mut tool = tools[0].clone();
                tool["function"]["name"] = json!("get_time");
                tools.push(tool);
                http.body = body.to_string().into();
            }
        }
        request
    }
}

impl Transport for Gateway {
    fn send<'a>(
        &'a self,
        request: WireRequest,
        limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>> {
        self.0.send(Self::pass(request), limits)
    }

    fn stream<'a>(
        &'a self,
        request: WireRequest,
        limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>> {
        self.0.stream(Self::pass(request), limits)
    }
}

/// The model calls the gateway's tool, beside one of ours: ours runs, the other comes back as a result that names what
/// there is, and the run goes on.
#[tokio::test]
async fn a_call_of_an_unknown_tool_is_a_result_and_the_run_goes_on() {
    let Some(server) = start() else { return };
    let client = Client::builder(chat(&server)).transport(Gateway(StandardTransport::new())).build();
    let agent = client.agent().tool(weather(true)).max_output_tokens(80).budget(Budget::default().rounds(3));
    let mut earlier = Vec::new();
    for (one, other) in [("Rome", "Oslo"), ("Lima", "Cairo")] {
        let called = [
            ("get_weather", json!({"city": one}), json!({"sky": "sun"})),
            ("get_time", json!({"city": other}), json!("12:00")),
        ];
        let question = format!("What is the weather in {one}, and what time is it in {other}?");
        earlier.extend(turn(&question, &called, &format!("There is sun in {one}, and it is 12:00 in {other}.")));
    }
    let begun = earlier.len();
    let mut session = agent.resume(earlier);
    let answer = session.run_text("What is the weather in Paris, and what time is it in Berlin?").await.expect("text");
    println!("{:?} in {} attempts", answer.value, answer.account().attempts.len());
    let Message::ToolResults { results } = &session.history()[begun + 2] else { panic!("{:?}", session.history()) };
    let [weather, time] = results.as_slice() else { panic!("{results:?}") };
    assert_eq!((said(weather), weather.is_error), (r#"{"sky":"rain"}"#, false));
    assert!(time.is_error && said(time).contains("there is no tool `get_time`"), "{}", said(time));
}
