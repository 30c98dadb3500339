//! Which tools the model may or must call, round by round. What goes on the wire for that is held byte by byte against
//! `tests/agent/wire/forced.txt`, an adapter and a body a line; `GEODE_WRITE_WIRE=1` writes it anew.

use std::path::Path;
use std::sync::Arc;

use geode::adapter::{Adapter, anthropic, bedrock, gemini, openai_chat, openai_responses};
use geode::agent::{Agent, Budget};
use geode::client::Client;
use geode::message::{Message, ToolChoice};
use geode::request::{Mode, OUTPUT_TOOL};
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use geode::tool::{NoArguments, Tier, from_fn};
use serde_json::json;

use super::adapters::{CHAT, CODEX, CONVERSE, GEMINI, MESSAGES, RESPONSES, Wire, due};
use super::*;
use crate::support::server::Server;

/// What an adapter is able to.
enum Able {
    /// It forces a call, and holds a turn to one.
    Both,
    /// It forces a call.
    Force,
    /// Neither.
    Neither,
}

/// Whether the answer comes as text (the schema is on the wire beside the tools), or is handed in.
enum Ends {
    Text,
    HandIn,
}

type Row = (&'static str, Wire, Able, Ends, fn(&str) -> Arc<dyn Adapter>);

fn adapters() -> Vec<Row> {
    use Able::{Both, Force, Neither};
    use Ends::{HandIn, Text};
    vec![
        ("openai-payg", RESPONSES, Both, Text, |url| Arc::new(openai_responses::payg("k").base_url(url).model("m"))),
        ("codex-oauth", CODEX, Both, Text, |url| {
            Arc::new(openai_responses::codex_oauth("t", "a").base_url(url).model("m"))
        }),
        ("openai-chat", CHAT, Both, Text, |url| Arc::new(openai_chat::openai("k").base_url(url).model("m"))),
        ("openai-compatible", CHAT, Both, HandIn, |url| Arc::new(openai_chat::compatible(url).model("m"))),
        ("vllm", CHAT, Both, HandIn, |url| Arc::new(openai_chat::vllm().base_url(url).model("m"))),
        ("openrouter", CHAT, Both, HandIn, |url| Arc::new(openai_chat::openrouter("k").base_url(url).model("m"))),
        ("anthropic-payg", MESSAGES, Both, Text, |url| Arc::new(anthropic::payg("k").base_url(url).model("m"))),
        ("anthropic-oauth", MESSAGES, Both, Text, |url| Arc::new(anthropic::oauth("t").base_url(url).model("m"))),
        ("llama.cpp", CHAT, Force, HandIn, |url| Arc::new(openai_chat::llama_cpp().base_url(url).model("m"))),
        ("docker-model-runner", CHAT, Force, HandIn, |url| {
            Arc::new(openai_chat::docker_model_runner().base_url(url).model("m"))
        }),
        ("gemini", GEMINI, Force, HandIn, |url| Arc::new(gemini::api("k").base_url(url).model("m"))),
        ("bedrock", CONVERSE, Force, HandIn, |url| {
            Arc::new(bedrock::converse("us-east-1", "k").base_url(url).model("m"))
        }),
        ("ollama", CHAT, Neither, HandIn, |url| Arc::new(openai_chat::ollama().base_url(url).model("m"))),
        ("glm-payg", CHAT, Neither, HandIn, |url| Arc::new(openai_chat::glm_payg("k").base_url(url).model("m"))),
        ("glm-coding-plan", CHAT, Neither, HandIn, |url| {
            Arc::new(openai_chat::glm_coding_plan("k").base_url(url).model("m"))
        }),
    ]
}

fn forced(client: Client) -> Agent {
    let clock = from_fn("clock", "The time.", |_: NoArguments| async { Ok("12:00") });
    client.agent().tool(clock.tier(Tier::Safe)).tool_choice(ToolChoice::Required)
}

#[tokio::test]
async fn a_forced_first_call_and_one_call_a_turn_on_every_wire() {
    let mut sent = String::new();
    for (name, wire, able, ends, adapter) in adapters() {
        let last = match ends {
            Ends::Text => (wire.text)(VERDICT),
            Ends::HandIn => (wire.calls)(&[(OUTPUT_TOOL, due())]),
        };
        let script = [(wire.calls)(&[("clock", json!({}))]), last].map(|body| wire.answer(body));
        let server = Server::start(script).await;
        let client = Client::new(adapter(&server.url));
        assert_eq!(client.adapter_name(), name);
        let agent = match able {
            Able::Both => forced(client).single_call(true),
            Able::Force => {
                let error = forced(client.clone()).single_call(true).run::<Verdict>("Is it due?").await.unwrap_err();
                assert!(error.to_string().contains("can't make the request"), "{name}: {error}");
                assert!(format!("{error:?}").contains("one call a turn"), "{name}: {error:?}");
                assert!(server.asked().is_empty(), "{name}");
                forced(client)
            }
            Able::Neither => {
                let error = forced(client).run::<Verdict>("Is it due?").await.unwrap_err();
                assert!(error.is_configuration() && server.asked().is_empty(), "{name}: {error}");
                assert!(error.to_string().contains("can't be made to call a tool"), "{name}: {error}");
                continue;
            }
        };
        let answer = agent.run::<Verdict>("Is it due?").await;
        assert_eq!(answer.unwrap_or_else(|error| panic!("{name}: {error}: {error:?}")).value, verdict());
        for asked in server.asked() {
            sent.push_str(&format!("{name} {}\n", asked.body));
        }
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/agent/wire/forced.txt");
    if std::env::var_os("GEODE_WRITE_WIRE").is_some() {
        std::fs::write(&path, &sent).unwrap();
    }
    assert_eq!(sent, std::fs::read_to_string(&path).unwrap());
}

fn choices(model: &ScriptedAdapter) -> Vec<ToolChoice> {
    model.requests().into_iter().map(|request| request.tool_choice).collect()
}

fn search() -> geode::reply::Reply {
    calls([("search", json!({"text": "a"}))])
}

/// What OpenAI's Agents SDK calls a reset: a choice that were forced in every round would never let the model answer.
#[tokio::test]
async fn a_call_is_forced_once_for_each_of_the_users_turns() {
    let named = ToolChoice::Named("search".to_owned());
    for choice in [ToolChoice::Required, named] {
        let script = [search(), search(), text("one"), calls([("fails", json!({}))]), text("two")];
        let model = ScriptedAdapter::replies(script);
        let mut session = agent(&model).0.tool_choice(choice.clone()).single_call(true).session();
        session.run_text("First?").await.unwrap();
        session.run_text("Second?").await.unwrap();
        assert_eq!(
            choices(&model),
            [choice.clone(), ToolChoice::Auto, ToolChoice::Auto, choice, ToolChoice::Auto],
            "a call that fails is one too"
        );
        assert!(model.requests().iter().all(|request| request.single_call));
    }
}

/// A run that goes on where another was cut short knows what that one called.
#[tokio::test]
async fn going_on_does_not_force_a_call_again() {
    let model = ScriptedAdapter::replies([text("done")]);
    let called = Message::Assistant { text: String::new(), tool_uses: search().tool_uses, opaque: Vec::new() };
    let saved = vec![Message::user("go"), called, Message::ToolResults { results: Vec::new() }];
    agent(&model).0.tool_choice(ToolChoice::Required).resume(saved).go_on_text().await.unwrap();
    agent(&model).0.tool_choice(ToolChoice::Required).resume(vec![Message::user("go")]).go_on_text().await.unwrap();
    assert_eq!(choices(&model), [ToolChoice::Auto, ToolChoice::Required]);
}

/// Among some tools stays among these, with those that the runtime adds; only the force is lifted.
#[tokio::test]
async fn a_choice_among_tools_holds_for_the_whole_run() {
    let among = |tools: &[&str], required| ToolChoice::Among {
        tools: tools.iter().map(|name| (*name).to_owned()).collect(),
        required,
    };
    let rows = from_fn("rows", "Rows.", |_: NoArguments| async { Ok("0123456789".repeat(100)) }).tier(Tier::Safe);
    let handed_in = calls([(OUTPUT_TOOL, due())]);
    let model = ScriptedAdapter::replies([calls([("rows", json!({}))]), handed_in]);
    let agent = agent(&model).0.tool(rows).token_guard(100).mode(Mode::Tool);
    agent.tool_choice(among(&["rows"], true)).run::<Verdict>("go").await.unwrap();
    assert_eq!(choices(&model), [among(&["rows"], true), among(&["rows", "__read_result__", OUTPUT_TOOL], false)]);
}

/// In tool mode the model could do with the internal tool alone what it is forced to.
#[tokio::test]
async fn a_forced_call_is_none_of_the_internal_tool() {
    let model = ScriptedAdapter::replies([search(), calls([(OUTPUT_TOOL, due())])]);
    agent(&model).0.mode(Mode::Tool).tool_choice(ToolChoice::Required).run::<Verdict>("go").await.unwrap();
    let offered: Vec<bool> = model.requests().iter().map(|request| names(request).contains(&OUTPUT_TOOL)).collect();
    assert_eq!(offered, [false, true]);

    // A provider that does not keep to the choice is not asked in vain again.
    let model = ScriptedAdapter::replies([text("It is due."), calls([(OUTPUT_TOOL, due())])]);
    agent(&model).0.mode(Mode::Tool).tool_choice(ToolChoice::Required).run::<Verdict>("go").await.unwrap();
    assert_eq!(choices(&model), [ToolChoice::Required, ToolChoice::Auto]);
    assert!(names(&model.requests()[1]).contains(&OUTPUT_TOOL));
}

/// No call in the whole run: the tools stay on offer, for the history's sake, and a call that comes all the same does not
/// run.
#[tokio::test]
async fn the_choice_of_no_tool_holds_for_the_whole_run() {
    let model = ScriptedAdapter::replies([search(), text(VERDICT)]);
    let (none, events) = agent(&model);
    let mut session = none.tool_choice(ToolChoice::None).session();
    assert_eq!(session.run::<Verdict>("go").await.unwrap().value, verdict());
    assert_eq!(choices(&model), [ToolChoice::None, ToolChoice::None]);
    assert!(model.requests().iter().all(|request| !request.tools.is_empty() && request.output.is_some()));
    assert!(text_of(&results(&session.history()[2])[0]).contains("no tool may be called now"));
    assert_eq!(events.count(|event| matches!(event, AgentEvent::ToolFinished { .. })), 0);

    // The internal tool is no tool of the agent's.
    let model = ScriptedAdapter::replies([calls([(OUTPUT_TOOL, due())])]);
    agent(&model).0.mode(Mode::Tool).tool_choice(ToolChoice::None).run::<Verdict>("go").await.unwrap();
    assert_eq!(choices(&model), [ToolChoice::Named(OUTPUT_TOOL.to_owned())]);
}

#[tokio::test]
async fn the_wrap_up_and_a_call_aside_have_their_own_choice() {
    let model = ScriptedAdapter::replies([text(VERDICT)]);
    let required = || agent(&model).0.tool_choice(ToolChoice::Required);
    required().budget(Budget::default().rounds(1)).run::<Verdict>("go").await.unwrap();
    required().session().ask::<Verdict>("And?").await.unwrap();
    assert_eq!(choices(&model), [ToolChoice::None, ToolChoice::Auto]);

    // A provider that can't be made to hand in is left with nothing else to call.
    let unable = ScriptedAdapter::replies([calls([(OUTPUT_TOOL, due())])])
        .capabilities_with(|able| able.forced_tool_choice = false);
    let among = ToolChoice::Among { tools: vec!["search".to_owned()], required: false };
    let agent = agent(&unable).0.mode(Mode::Tool).tool_choice(among).budget(Budget::default().rounds(1));
    agent.run::<Verdict>("go").await.unwrap();
    assert_eq!((choices(&unable), names(&unable.requests()[0])), (vec![ToolChoice::Auto], vec![OUTPUT_TOOL]));
}

#[tokio::test]
async fn a_choice_that_cannot_be_met_is_a_mistake_before_anything_is_sent() {
    let among = |tools: Vec<String>| ToolChoice::Among { tools, required: false };
    let model = ScriptedAdapter::replies([text("never")]);
    let bare = Client::new(model.clone()).agent();
    let unable = model.clone().capabilities_with(|able| able.forced_tool_choice = false);
    for (agent, choice, sign) in [
        (agent(&model).0, ToolChoice::Named("serch".to_owned()), "did you mean `search`?"),
        (agent(&model).0, among(vec!["search".to_owned(), "b".to_owned()]), "there is no tool `b`"),
        (agent(&model).0, among(Vec::new()), "among no tools"),
        (agent(&model).0, ToolChoice::Named(OUTPUT_TOOL.to_owned()), "there is no tool `__structured_output__`"),
        (bare, ToolChoice::Required, "the agent has no tools"),
        (agent(&unable).0, ToolChoice::Required, "can't be made to call a tool"),
    ] {
        let error = agent.tool_choice(choice).run_text("go").await.unwrap_err();
        assert!(error.is_configuration() && error.to_string().contains(sign), "{error}");
    }
    assert!(model.requests().is_empty());
}
