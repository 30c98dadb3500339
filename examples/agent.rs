//! An agent from a YAML file: model, instruction, tools by name, and the form of its answer.
//!
//!     cargo run --example agent                                  # no key, no network
//!     cargo run --example agent -- "Is AB-10003 lost?"           # your own question
//!     cargo run --example agent -- --provider openai-payg "…"    # the same agent on a provider
//!     cargo run --example agent -- --config my-agent.yaml "…"    # another file

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::process::ExitCode;

use geode::agent::{Agent, AgentEvent};
use geode::client::Client;
use geode::config::AgentConfig;
use geode::tool::{ToolError, ToolSet};

const HELP: &str = "\
Runs the agent that a YAML file describes.

usage: agent [options] [QUESTION]

  QUESTION          what to ask (default: three questions, one after another)
  --config FILE     the agent (default: examples/data/agent.yaml)
  --provider NAME   the adapter, instead of the file's: openai-payg, anthropic-payg, ollama, ...
                    its key comes from its usual variable, such as OPENAI_API_KEY
  --help            this text";

const CONFIG: &str = include_str!("data/agent.yaml");

const QUESTIONS: [&str; 3] = [
    "Please lookup order AB-10001.",
    "Lookup order AB-10002, when does it come?",
    "Lookup order AB-10003, it never came.",
];

/// Looks an order up by its number: its state, and where its parcel is.
#[geode::tool(tier = "safe", timeout = "5s")]
async fn lookup_order(
    /// The order number.
    #[geode(pattern = "^[A-Z]{2}-[0-9]{5}$")]
    order: String,
) -> Result<String, ToolError> {
    match order.as_str() {
        "AB-10001" => Ok("Order AB-10001: the parcel was delivered on Monday.".to_owned()),
        "AB-10002" => Ok("Order AB-10002: the parcel was shipped and is on its way.".to_owned()),
        "AB-10003" => Ok("Order AB-10003: the parcel is lost.".to_owned()),
        _ => Err(ToolError::not_found(format_args!("there is no order {order}")).hint("Ask for the right number.")),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> ExitCode {
    match run().await {
        Ok(code) => code,
        Err(message) => {
            eprintln!("agent: {message}");
            ExitCode::from(2)
        }
    }
}

async fn run() -> Result<ExitCode, String> {
    let (mut questions, mut provider, mut text) = (Vec::new(), None, CONFIG.to_owned());
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut value = || arguments.next().ok_or(format!("`{argument}` needs a value; see --help"));
        match argument.as_str() {
            "--help" => {
                println!("{HELP}");
                return Ok(ExitCode::SUCCESS);
            }
            "--provider" => provider = Some(value()?),
            "--config" => {
                let file = value()?;
                text = std::fs::read_to_string(&file).map_err(|error| format!("{file}: {error}"))?;
            }
            option if option.starts_with("--") => return Err(format!("unknown option `{option}`; see --help")),
            _ => questions.push(argument),
        }
    }
    if questions.is_empty() {
        questions = QUESTIONS.map(str::to_owned).into();
    }
    let config = AgentConfig::from_yaml(&text).map_err(|error| format!("the configuration is wrong:\n{error}"))?;
    let adapter = provider.as_deref().or(config.adapter()).unwrap_or("embedded");
    let client = Client::from_name(adapter).map_err(|error| error.to_string())?;
    let tools = ToolSet::new().with(LookupOrder);
    let agent = config.agent(&client, &tools).map_err(|error| error.to_string())?.observe(show);
    let mut failed = false;
    for question in questions {
        println!("> {question}");
        failed |= !answer(&agent, &question).await;
        println!();
    }
    Ok(ExitCode::from(u8::from(failed)))
}

/// Asks one question. Says whether there was an answer.
async fn answer(agent: &Agent, question: &str) -> bool {
    match agent.run_value(question).await {
        Ok(answer) => {
            println!("  = {}  ({:?} mode)", answer.value, answer.account().mode);
            true
        }
        Err(error) => {
            println!("  ! {error}");
            false
        }
    }
}

fn show(event: &AgentEvent) {
    match event {
        AgentEvent::ToolFinished { tool, failure: None, .. } => println!("  . {tool} gave a result"),
        AgentEvent::ToolFinished { tool, failure: Some(kind), .. } => println!("  . {tool} failed: {}", kind.name()),
        AgentEvent::AnswerRejected { violations } => println!("  . the answer was sent back: {violations} violations"),
        AgentEvent::Reminded { reminder } => println!("  . reminder {reminder}: hand the answer in"),
        _ => {}
    }
}
