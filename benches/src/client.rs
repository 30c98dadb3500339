//! Part `client`: 64 calls at once to a server on this machine, beside bare reqwest and other clients.
//!
//! All ask the same model the same with the same schema, on one runtime of one thread; the server has a thread of its
//! own. The time is CPU time of the clients' thread.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line program")]

#[macro_use]
mod types;

mod callgrind;
#[allow(dead_code, reason = "the other parts use the rest")]
mod inputs;
mod measure;
mod server;

use std::hint::black_box;
use std::process::ExitCode;

use async_openai::types::chat as openai;
use geode::StructuredOutput;
use geode::adapter::openai_chat;
use geode::dialect::{OPENAI_STRICT, lower};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;
use tokio::runtime::{Builder, Runtime};
use tokio::task::JoinSet;

use inputs::Ticket;
use measure::{Case, medians, target};

const AT_ONCE: usize = 64;
/// Calls of each of them in one round.
const EACH: usize = 8;
const ROUNDS: usize = 41;
const MODEL: &str = "gpt-4o";
const SYSTEM: &str = "You are the assistant of a support desk. Sort the message into the categories of the schema and \
                      answer with JSON that satisfies it, and with nothing else.";
const USER: &str = "A customer writes: you have taken the subscription twice this month, and since the update each \
                    export ends in a timeout. The parcel of order 4217 has not come either. Please look into it.";

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: [Message<'a>; 2],
    response_format: Format<'a>,
}

#[derive(Serialize)]
struct Message<'a> {
    role: &'a str,
    content: &'a str,
}

#[derive(Serialize)]
struct Format<'a> {
    r#type: &'a str,
    json_schema: Named<'a>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
    strict: bool,
    schema: &'a RawValue,
}

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
    usage: Tokens,
}

#[derive(Deserialize)]
struct Choice {
    message: Content,
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Content {
    content: Option<String>,
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct Tokens {
    prompt_tokens: u64,
    completion_tokens: u64,
}

fn body(schema: &RawValue) -> Body<'_> {
    Body {
        model: MODEL,
        messages: [Message { role: "system", content: SYSTEM }, Message { role: "user", content: USER }],
        response_format: Format { r#type: "json_schema", json_schema: Named { name: "Ticket", strict: true, schema } },
    }
}

/// What a user of serde does with the answer's text.
fn read(text: &str) {
    black_box(serde_json::from_str::<Ticket>(text).expect("a ticket"));
}

/// Runs one round of a case.
fn round<F: Future<Output = ()> + Send + 'static>(runtime: &Runtime, call: impl Fn() -> F + Clone + Send + 'static) {
    runtime.block_on(async {
        let mut tasks = JoinSet::new();
        for _ in 0..AT_ONCE {
            let call = call.clone();
            tasks.spawn(async move {
                for _ in 0..EACH {
                    call().await;
                }
            });
        }
        while let Some(ended) = tasks.join_next().await {
            ended.expect("a call");
        }
    });
}

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["--callgrind"] => {
            return callgrind::run("client", |counter| {
                println!("Ratio of instructions of the clients' thread.\n");
                target("client_instructions", counter.ratio("geode", "reqwest + typed serde"), 1.10);
            });
        }
        // what `--callgrind` runs under valgrind
        ["once", "client", name] => run(Some(name)),
        _ => run(None),
    }
    ExitCode::SUCCESS
}

/// Measures all cases, or runs the one that is named.
fn run(only: Option<&str>) {
    let base: &'static str = format!("http://{}/v1", server::start()).leak();
    let runtime = &Builder::new_current_thread().enable_all().build().expect("a runtime");
    let plan = lower(Ticket::SHAPE, &OPENAI_STRICT).expect("a plan");
    let raw: &'static RawValue = Box::leak(plan.schema.clone());
    let schema: Value = serde_json::from_str(raw.get()).expect("a schema");
    let url = format!("{base}/chat/completions");

    let bare = reqwest::Client::new();
    let floor = move || {
        let request = bare.post(&url).bearer_auth("sk-none").json(&body(raw));
        async move {
            let reply = request.send().await.and_then(reqwest::Response::error_for_status).expect("a reply");
            let bytes = reply.bytes().await.expect("a body");
            let read_whole: Completion = serde_json::from_slice(&bytes).expect("a completion");
            let choice = &read_whole.choices[0];
            black_box((&choice.finish_reason, &choice.message.refusal, read_whole.usage.prompt_tokens));
            black_box(read_whole.usage.completion_tokens);
            read(choice.message.content.as_deref().expect("text"));
        }
    };

    let client = geode::client::Client::new(openai_chat::openai("sk-none").base_url(base).model(MODEL));
    let ours = move || {
        let call = client.request::<Ticket>().system(SYSTEM).user(USER);
        async move {
            black_box(call.send().await.expect("a ticket"));
        }
    };

    let config = async_openai::config::OpenAIConfig::new().with_api_key("sk-none").with_api_base(base);
    let client = async_openai::Client::with_config(config);
    let of_openai = schema.clone();
    let async_openai = move || {
        let (client, schema) = (client.clone(), of_openai.clone());
        async move {
            let messages = [
                openai::ChatCompletionRequestSystemMessage::from(SYSTEM).into(),
                openai::ChatCompletionRequestUserMessage::from(USER).into(),
            ];
            let named = openai::ResponseFormatJsonSchema {
                description: None,
                name: "Ticket".to_owned(),
                schema,
                strict: Some(true),
            };
            let request = openai::CreateChatCompletionRequestArgs::default()
                .model(MODEL)
                .messages(messages)
                .response_format(openai::ResponseFormat::JsonSchema { json_schema: named })
                .build()
                .expect("a request");
            let reply = client.chat().create(request).await.expect("a reply");
            read(reply.choices[0].message.content.as_deref().expect("text"));
        }
    };

    let resolver = genai::resolver::ServiceTargetResolver::from_resolver_fn(
        move |target: genai::ServiceTarget| -> Result<genai::ServiceTarget, genai::resolver::Error> {
            Ok(genai::ServiceTarget {
                endpoint: genai::resolver::Endpoint::from_owned(format!("{base}/")),
                auth: genai::resolver::AuthData::from_single("sk-none"),
                model: genai::ModelIden::new(genai::adapter::AdapterKind::OpenAI, target.model.model_name),
            })
        },
    );
    let client = genai::Client::builder().with_service_target_resolver(resolver).build().expect("a client");
    let of_genai = schema.clone();
    let genai = move || {
        use genai::chat::{ChatMessage, ChatOptions, ChatRequest, ChatResponseFormat, JsonSpec};
        let (client, schema) = (client.clone(), of_genai.clone());
        async move {
            let request = ChatRequest::default().with_system(SYSTEM).append_message(ChatMessage::user(USER));
            let format = ChatResponseFormat::JsonSpec(JsonSpec::new("Ticket", schema));
            let options = ChatOptions::default().with_response_format(format);
            let reply = client.exec_chat(MODEL, request, Some(&options)).await.expect("a reply");
            read(reply.first_text().expect("text"));
        }
    };

    let client = rig_core::providers::openai::OpenAIConfig::new("sk-none").with_base_url(base).client().chat(MODEL);
    let of_rig: schemars::Schema = schema.try_into().expect("a schema");
    let rig = move || {
        let (client, schema) = (client.clone(), of_rig.clone());
        async move {
            let request = rig_core::completion::CompletionRequest::new(USER).preamble(SYSTEM).output_schema(schema);
            let reply = client.call(request).await.expect("a reply");
            let rig_core::completion::message::AssistantContent::Text(text) = &reply.choice[0] else {
                panic!("no text")
            };
            read(&text.text);
        }
    };

    let mut cases = vec![
        Case::new("reqwest + typed serde", || round(runtime, floor.clone())),
        Case::new("geode", || round(runtime, ours.clone())),
        Case::new("async-openai", || round(runtime, async_openai.clone())),
        Case::new("genai", || round(runtime, genai.clone())),
        Case::new("rig-core", || round(runtime, rig.clone())),
    ];
    if let Some(name) = only {
        return callgrind::once(&mut cases, name);
    }
    let calls = (AT_ONCE * EACH) as f64;
    for case in &mut cases {
        case.scale = 1.0 / calls;
    }
    let times = medians(&mut cases, ROUNDS);
    let allocations: Vec<f64> =
        cases.iter_mut().map(|case| allocation_counter::measure(|| (case.run)()).count_total as f64 / calls).collect();

    let sent = serde_json::to_string(&body(raw)).expect("serialises").len();
    println!("{AT_ONCE} calls at once; {sent} bytes out, {} bytes in.\n", server::COMPLETION.len());
    println!("| client | µs a call | ratio | allocations a call |\n|---|---:|---:|---:|");
    for ((case, time), allocations) in cases.iter().zip(&times).zip(&allocations) {
        println!("| {} | {:.1} | {:.2} | {allocations:.0} |", case.name, time / 1000.0, time / times[0]);
    }
    println!();
    target("client_cpu", times[1] / times[0], 1.10);
    target("client_allocations", allocations[1], 120.0);
}
