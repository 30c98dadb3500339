//! One conversation through every adapter that takes tools: three calls at once (one valid, one invalid, one denied), then
//! a typed answer. The bodies of both requests are held byte by byte against `tests/agent/wire/`;
//! `GEODE_WRITE_WIRE=1` writes them anew.

use std::path::Path;
use std::sync::Arc;

use geode::adapter::{Adapter, anthropic, bedrock, gemini, openai_chat, openai_responses};
use geode::client::Client;
use geode::message::Message;
use geode::request::Mode;
use geode::tool::{Caller, Denial, NoArguments, Tier, ToolError, from_fn};
use serde_json::{Value, json};

use super::{Verdict, results, text_of, verdict};
use crate::support::server::{Answer, Server};

#[derive(geode::StructuredOutput)]
struct Refund {
    /// The order's number.
    order: String,
    #[geode(range(min = 1))]
    cents: u32,
}

/// The calls of the first answer: name and arguments.
fn proposed() -> [(&'static str, Value); 3] {
    [
        ("clock", json!({})),
        ("refund", json!({"order": "A-1", "cents": 0})),
        ("refund", json!({"order": "B-2", "cents": 500})),
    ]
}

/// A wire: how it writes an answer of calls, and one of text.
pub(super) struct Wire {
    pub(super) calls: fn(&[(&str, Value)]) -> String,
    pub(super) text: fn(&str) -> String,
    events: bool,
}

fn numbered(calls: &[(&str, Value)], one: impl Fn(String, &str, &Value) -> Value) -> Vec<Value> {
    calls.iter().enumerate().map(|(index, (name, input))| one(format!("call_{index}"), name, input)).collect()
}

pub(super) const RESPONSES: Wire = Wire {
    calls: |calls| {
        let output = numbered(calls, |id, name, input| {
            json!({"type": "function_call", "id": format!("fc_{id}"), "call_id": id, "name": name,
                   "arguments": input.to_string(), "status": "completed"})
        });
        json!({"id": "resp_1", "object": "response", "status": "completed", "model": "m", "output": output}).to_string()
    },
    text: |text| {
        let content = json!([{"type": "output_text", "text": text, "annotations": []}]);
        let output =
            json!([{"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": content}]);
        json!({"id": "resp_2", "object": "response", "status": "completed", "model": "m", "output": output}).to_string()
    },
    events: false,
};

/// The ChatGPT backend streams the same replies.
pub(super) const CODEX: Wire = Wire { events: true, ..RESPONSES };

pub(super) const CHAT: Wire = Wire {
    calls: |calls| {
        let calls = numbered(
            calls,
            |id, name, input| json!({"id": id, "type": "function", "function": {"name": name, "arguments": input.to_string()}}),
        );
        json!({"id": "c_1", "model": "m", "choices": [{"index": 0, "finish_reason": "tool_calls",
               "message": {"role": "assistant", "content": null, "tool_calls": calls}}]})
        .to_string()
    },
    text: |text| {
        json!({"id": "c_2", "model": "m", "choices": [{"index": 0, "finish_reason": "stop",
               "message": {"role": "assistant", "content": text}}]})
        .to_string()
    },
    events: false,
};

pub(super) const MESSAGES: Wire = Wire {
    calls: |calls| {
        let content =
            numbered(calls, |id, name, input| json!({"type": "tool_use", "id": id, "name": name, "input": input}));
        json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m", "content": content,
               "stop_reason": "tool_use", "usage": {"input_tokens": 1, "output_tokens": 1}})
        .to_string()
    },
    text: |text| {
        json!({"id": "msg_2", "type": "message", "role": "assistant", "model": "m",
               "content": [{"type": "text", "text": text}], "stop_reason": "end_turn",
               "usage": {"input_tokens": 1, "output_tokens": 1}})
        .to_string()
    },
    events: false,
};

/// Gemini names no ids: they are made up, and paired by name and order.
pub(super) const GEMINI: Wire = Wire {
    calls: |calls| {
        let parts = numbered(calls, |_, name, input| json!({"functionCall": {"name": name, "args": input}}));
        json!({"candidates": [{"content": {"role": "model", "parts": parts}, "finishReason": "STOP", "index": 0}]})
            .to_string()
    },
    text: |text| {
        let content = json!({"role": "model", "parts": [{"text": text}]});
        json!({"candidates": [{"content": content, "finishReason": "STOP", "index": 0}]}).to_string()
    },
    events: false,
};

pub(super) const CONVERSE: Wire = Wire {
    calls: |calls| {
        let content =
            numbered(calls, |id, name, input| json!({"toolUse": {"toolUseId": id, "name": name, "input": input}}));
        json!({"output": {"message": {"role": "assistant", "content": content}}, "stopReason": "tool_use"}).to_string()
    },
    text: |text| {
        json!({"output": {"message": {"role": "assistant", "content": [{"text": text}]}}, "stopReason": "end_turn"})
            .to_string()
    },
    events: false,
};

impl Wire {
    pub(super) fn answer(&self, body: String) -> Answer {
        if !self.events {
            return Answer::json(200, body);
        }
        let event =
            format!("event: response.completed\ndata: {{\"type\":\"response.completed\",\"response\":{body}}}\n\n");
        Answer::events([event.into()])
    }
}

/// The answer.
pub(super) fn due() -> Value {
    json!({"refund": true, "reason": "in time"})
}

/// How a model gives its answer, by the adapter's own data.
enum Ends {
    /// As text: the schema is on the wire beside the tools.
    Text,
    /// As text, in a last call: the schema would keep the model from its tools.
    LastCall,
    /// By the internal tool.
    HandIn,
}

/// Runs the conversation, and holds the requests against the file of this name.
async fn converse(name: &str, wire: Wire, adapter: fn(&str) -> Arc<dyn Adapter>, mode: Mode, ends: Ends) {
    let mut script = vec![(wire.calls)(&proposed())];
    match ends {
        Ends::Text => script.push((wire.text)(super::VERDICT)),
        Ends::LastCall => script.extend(["It is due.", super::VERDICT].map(wire.text)),
        Ends::HandIn => {
            script.push((wire.calls)(&[("__structured_output__", due())]));
        }
    }
    let server = Server::start(script.into_iter().map(|body| wire.answer(body))).await;
    let mut session = agent(Client::new(adapter(&server.url)).agent().mode(mode)).session();
    let answer = session.run::<Verdict>("Refund A-1 and B-2.").await;
    assert_eq!(answer.unwrap_or_else(|error| panic!("{name}: {error}: {error:?}")).value, verdict());

    let came = results(&session.history()[2]);
    let kind = |result| serde_json::from_str::<Value>(text_of(result)).unwrap()["error_type"].clone();
    let kinds: Vec<Value> = came.iter().map(kind).collect();
    assert_eq!(kinds, [Value::Null, json!("validation"), json!("authorization")], "{name}");
    let Some(Message::Assistant { text, .. }) = session.history().last() else { panic!("{name}: no answer") };
    assert_eq!(serde_json::from_str::<Value>(text).unwrap(), due(), "{name}");
    assert_eq!(text.matches(' ').count(), 1, "{name}: not compact");
    hold(name, &server.asked().into_iter().map(|asked| asked.body).collect::<Vec<_>>());
}

fn agent(agent: geode::agent::Agent) -> geode::agent::Agent {
    let clock = from_fn("clock", "The time.", |_: NoArguments| async { Ok("12:00") });
    let refund = from_fn("refund", "Pays back.", |refund: Refund| async move { Ok::<_, ToolError>(refund.cents) });
    let refund = refund.tier(Tier::Write).authorize(|refund: &Refund, caller: &Caller| match refund.order.as_str() {
        "A-1" if caller.id() == "c-7" => Ok(()),
        _ => Err(Denial::new("the order belongs to somebody else")),
    });
    agent.instruction("Decide about refunds.").tool(clock.tier(Tier::Safe)).tool(refund).caller(Caller::new("c-7"))
}

/// Compares the bodies with the file, a body a line.
fn hold(name: &str, bodies: &[String]) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agent/wire").join(format!("{name}.jsonl"));
    let found = bodies.join("\n") + "\n";
    if std::env::var_os("GEODE_WRITE_WIRE").is_some() {
        std::fs::write(&path, &found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(found, expected, "{name}");
}

macro_rules! conversations {
    ($($name:ident: $wire:expr, $mode:expr, $ends:expr, $adapter:expr;)*) => {
        $(
            #[tokio::test]
            async fn $name() {
                converse(stringify!($name), $wire, $adapter, $mode, $ends).await;
            }
        )*
    };
}

conversations! {
    openai_payg: RESPONSES, Mode::Auto, Ends::Text, |url| Arc::new(openai_responses::payg("key").base_url(url).model("m"));
    openai_payg_tool_mode: RESPONSES, Mode::Tool, Ends::HandIn, |url| Arc::new(openai_responses::payg("key").base_url(url).model("m"));
    codex_oauth: CODEX, Mode::Auto, Ends::Text, |url| Arc::new(openai_responses::codex_oauth("token", "account").base_url(url).model("m"));
    openai_chat: CHAT, Mode::Auto, Ends::Text, |url| Arc::new(openai_chat::openai("key").base_url(url).model("m"));
    openai_compatible: CHAT, Mode::Auto, Ends::HandIn, |url| Arc::new(openai_chat::compatible(url).model("m"));
    llama_cpp: CHAT, Mode::Auto, Ends::HandIn, |url| Arc::new(openai_chat::llama_cpp().base_url(url).model("m"));
    ollama: CHAT, Mode::Auto, Ends::HandIn, |url| Arc::new(openai_chat::ollama().base_url(url).model("m"));
    vllm: CHAT, Mode::Auto, Ends::HandIn, |url| Arc::new(openai_chat::vllm().base_url(url).model("m"));
    openrouter: CHAT, Mode::Auto, Ends::HandIn, |url| Arc::new(openai_chat::openrouter("key").base_url(url).model("m"));
    docker_model_runner: CHAT, Mode::Auto, Ends::HandIn, |url| Arc::new(openai_chat::docker_model_runner().base_url(url).model("m"));
    glm_payg: CHAT, Mode::Auto, Ends::HandIn, |url| Arc::new(openai_chat::glm_payg("key").base_url(url).model("m"));
    glm_coding_plan: CHAT, Mode::Auto, Ends::HandIn, |url| Arc::new(openai_chat::glm_coding_plan("key").base_url(url).model("m"));
    anthropic_payg: MESSAGES, Mode::Auto, Ends::Text, |url| Arc::new(anthropic::payg("key").base_url(url).model("m"));
    anthropic_payg_tool_mode: MESSAGES, Mode::Tool, Ends::HandIn, |url| Arc::new(anthropic::payg("key").base_url(url).model("m"));
    anthropic_oauth: MESSAGES, Mode::Auto, Ends::Text, |url| Arc::new(anthropic::oauth("token").base_url(url).model("m"));
    llama_cpp_native: CHAT, Mode::Native, Ends::LastCall, |url| Arc::new(openai_chat::llama_cpp().base_url(url).model("m"));
    gemini_native: GEMINI, Mode::Native, Ends::LastCall, |url| Arc::new(gemini::api("key").base_url(url).model("m"));
    gemini_api: GEMINI, Mode::Auto, Ends::HandIn, |url| Arc::new(gemini::api("key").base_url(url).model("m"));
    bedrock_converse: CONVERSE, Mode::Auto, Ends::HandIn, |url| Arc::new(bedrock::converse("us-east-1", "key").base_url(url).model("m"));
}

/// A saved run goes on with another provider and comes back: calls and results stay paired, and what only the first
/// provider understands goes to it alone.
#[tokio::test]
async fn a_run_goes_on_with_another_provider_and_comes_back() {
    let thinking = json!({"type": "thinking", "thinking": "Which zone?", "signature": "sig-1"});
    let call = json!({"type": "tool_use", "id": "toolu_1", "name": "clock", "input": {}});
    let first = json!({"id": "msg_1", "type": "message", "role": "assistant", "model": "m",
                       "content": [thinking, call], "stop_reason": "tool_use",
                       "usage": {"input_tokens": 1, "output_tokens": 1}});
    let script = [first.to_string(), (MESSAGES.text)("It is noon."), (MESSAGES.text)("Still noon.")];
    let messages = Server::start(script.map(|body| Answer::json(200, body))).await;
    let thinks = || agent(Client::new(anthropic::payg("key").base_url(&messages.url).model("m")).agent());
    let mut session = thinks().session();
    session.run_text("What time is it?").await.unwrap();
    let saved = serde_json::to_string(&session.into_history()).unwrap();

    let chat = Server::start([Answer::json(200, (CHAT.text)("Noon."))]).await;
    let other = agent(Client::new(openai_chat::openai("key").base_url(&chat.url).model("m")).agent());
    let mut session = other.resume(serde_json::from_str(&saved).unwrap());
    session.run_text("And now?").await.unwrap();
    let asked: Value = serde_json::from_str(&chat.asked()[0].body).unwrap();
    let turns = asked["messages"].as_array().unwrap();
    let roles: Vec<&str> = turns.iter().map(|turn| turn["role"].as_str().unwrap()).collect();
    assert_eq!(roles, ["developer", "user", "assistant", "tool", "assistant", "user"]);
    assert_eq!(turns[2]["tool_calls"][0]["id"], "toolu_1");
    assert_eq!((&turns[3]["tool_call_id"], &turns[3]["content"]), (&json!("toolu_1"), &json!("\"12:00\"")));
    assert!(!chat.asked()[0].body.contains("sig-1"), "{asked}");

    let saved = serde_json::to_string(&session.into_history()).unwrap();
    let mut session = thinks().resume(serde_json::from_str(&saved).unwrap());
    session.run_text("Really?").await.unwrap();
    let asked: Value = serde_json::from_str(&messages.asked()[2].body).unwrap();
    assert_eq!(asked["messages"][1]["content"][0], thinking);
    assert_eq!(asked["messages"].as_array().unwrap().len(), 7);
}
