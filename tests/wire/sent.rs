//! Every file of `sent/`: what a provider documents that it takes, in the words of this test, and what goes over a real
//! socket to it. A file holds a whole request, or the forms of the tool choice.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;

use geode::adapter::{
    Adapter, AdapterFault, Codec, HttpAdapter, anthropic, bedrock, gemini, openai_chat, openai_responses,
};
use geode::dialect::{ANTHROPIC, BEDROCK, Dialect, GEMINI, OPENAI_STRICT, PLAIN, lower_schema};
use geode::message::{Message, Part, ToolChoice, ToolResult, ToolSpec, ToolUse};
use geode::request::{Mode, OutputRequest, Request};
use geode::schema::Schema;
use serde_json::{Value, json};

use crate::exchange::{LIMITS, exchange};
use crate::fixtures::tool;
use crate::requests::http;
use crate::support::server::{Answer, Server};

const TOKEN: &str = "an-example-token";
const ORDER: &str = r#"{"type":"object","properties":{"item":{"type":"string","description":"What is ordered"},"count":{"type":"integer"},"note":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["item","count","note"],"additionalProperties":false}"#;
const PARCEL: &str = r#"{"type":"object","properties":{"number":{"type":"string"},"carrier":{"type":"string","enum":["sea","air"]}},"required":["number","carrier"],"additionalProperties":false}"#;

/// Headers that the HTTP client itself adds.
const OF_THE_CLIENT: [&str; 4] = ["host", "user-agent", "content-length", "accept"];

/// A request for an order, or for a text where there is no dialect.
fn order(dialect: Option<(&'static Dialect, Mode)>) -> Request {
    let output = dialect.map(|(dialect, mode)| OutputRequest {
        name: "order".into(),
        description: Some("One order".to_owned()),
        plan: Arc::new(lower_schema(&ORDER.parse::<Schema>().unwrap(), dialect).unwrap()),
        mode,
    });
    Request {
        system: Some("You take orders.".to_owned()),
        messages: vec![Message::user("Three blue mugs, please.")],
        output,
        max_output_tokens: Some(600),
        ..Request::default()
    }
}

fn native(dialect: &'static Dialect) -> Request {
    order(Some((dialect, Mode::Native)))
}

/// JSON mode, which wants the word in the prompt.
fn json_mode(max_output_tokens: Option<u32>) -> Request {
    let system = Some("Answer with JSON alone.".to_owned());
    Request { system, max_output_tokens, ..order(Some((&PLAIN, Mode::Prompted))) }
}

fn find_parcel() -> ToolSpec {
    tool("find_parcel", "Where a parcel is", PARCEL)
}

/// One call at most, of the tool that is named.
fn forced() -> Request {
    Request { tool_choice: ToolChoice::Named("find_parcel".to_owned()), single_call: true, ..ask(ToolChoice::Auto) }
}

fn ask(tool_choice: ToolChoice) -> Request {
    Request {
        system: Some("You take orders.".to_owned()),
        messages: vec![Message::user("Where is parcel B-7?")],
        tools: vec![find_parcel()],
        tool_choice,
        ..Request::default()
    }
}

/// A conversation whose call came to something, or failed.
fn answered(result: &str, is_error: bool) -> Request {
    let call = ToolUse {
        id: "call_1".to_owned(),
        name: "find_parcel".to_owned(),
        input: r#"{"number":"B-7","carrier":"sea"}"#.to_owned(),
    };
    let result = ToolResult {
        tool_use_id: call.id.clone(),
        name: call.name.clone(),
        content: vec![Part::Text { text: result.to_owned() }],
        is_error,
    };
    Request {
        messages: vec![
            Message::user("Where is parcel B-7?"),
            Message::Assistant { text: String::new(), tool_uses: vec![call], opaque: Vec::new() },
            Message::ToolResults { results: vec![result] },
        ],
        tools: vec![find_parcel()],
        ..Request::default()
    }
}

fn port() -> Request {
    answered(r#"{"port":"Rotterdam"}"#, false)
}

fn extra(request: Request, members: &[(&str, Value)]) -> Request {
    let extra = members.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    Request { extra, ..request }
}

/// The adapter of a folder, and of a file in it that has another; and the same at another address.
type Pair = (Box<dyn Adapter>, Box<dyn Fn(&str) -> Box<dyn Adapter>>);

fn pair<C: Codec + Clone + 'static>(adapter: HttpAdapter<C>) -> Pair {
    let at = adapter.clone();
    (Box::new(adapter), Box::new(move |url| Box::new(at.clone().base_url(url))))
}

fn messages() -> HttpAdapter<anthropic::Messages> {
    anthropic::payg(TOKEN)
}

/// A Claude model that an OAuth token asks without the identity of Claude Code.
fn haiku() -> HttpAdapter<anthropic::Messages> {
    anthropic::oauth(TOKEN).model("claude-haiku-4-5")
}

fn requests() -> Vec<(&'static str, Pair, Request)> {
    let responses = || pair(openai_responses::payg(TOKEN));
    let chat = || pair(openai_chat::openai(TOKEN));
    let converse = || pair(bedrock::converse("eu-central-1", TOKEN));
    let of_codex =
        [("reasoning", json!({"effort": "medium", "summary": "auto"})), ("prompt_cache_key", json!("orders"))];
    let thinking = |kind: &str| [("thinking", json!({ "type": kind }))];
    vec![
        ("anthropic_messages/headers_api_key", pair(messages()), order(None)),
        ("anthropic_messages/headers_oauth", pair(haiku()), order(None)),
        ("anthropic_messages/request_json_schema", pair(messages()), native(&ANTHROPIC)),
        ("anthropic_messages/request_legacy_output_format", pair(messages().beta_output_format()), native(&ANTHROPIC)),
        (
            "anthropic_messages/request_legacy_output_format_oauth",
            pair(haiku().beta_output_format()),
            native(&ANTHROPIC),
        ),
        ("anthropic_messages/request_tool_result", pair(messages()), port()),
        ("anthropic_messages/request_tool_result_error", pair(messages()), answered("no such parcel", true)),
        ("anthropic_messages/request_tools", pair(messages()), forced()),
        ("bedrock_converse/request_json_schema", converse(), native(&BEDROCK)),
        ("bedrock_converse/request_tools", converse(), ask(ToolChoice::Named("find_parcel".to_owned()))),
        (
            "codex_oauth/request",
            pair(openai_responses::codex_oauth(TOKEN, "an-account")),
            extra(native(&OPENAI_STRICT), &of_codex),
        ),
        ("gemini/request_response_json_schema", pair(gemini::api(TOKEN)), native(&GEMINI)),
        (
            "glm/request_json_object",
            pair(openai_chat::glm_payg(TOKEN)),
            extra(json_mode(Some(600)), &thinking("disabled")),
        ),
        (
            "glm/request_tools",
            pair(openai_chat::glm_coding_plan(TOKEN)),
            Request { stream: true, ..extra(ask(ToolChoice::Auto), &thinking("enabled")) },
        ),
        ("openai_chat/request_json_object", pair(openai_chat::openrouter(TOKEN)), json_mode(None)),
        ("openai_chat/request_json_schema", chat(), native(&OPENAI_STRICT)),
        ("openai_chat/request_stream", chat(), Request { stream: true, ..native(&OPENAI_STRICT) }),
        ("openai_chat/request_tool_result", chat(), port()),
        ("openai_chat/request_tools", chat(), forced()),
        ("openai_responses/request_json_schema", responses(), native(&OPENAI_STRICT)),
        ("openai_responses/request_tool_result", responses(), port()),
        ("openai_responses/request_tools", responses(), forced()),
    ]
}

/// Every file, by folder and name.
fn files() -> BTreeMap<String, Value> {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/wire/sent");
    let mut files = BTreeMap::new();
    for wire in std::fs::read_dir(folder).unwrap() {
        for file in std::fs::read_dir(wire.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            let wire = path.parent().and_then(|folder| folder.file_name()).unwrap().to_str().unwrap();
            let name = format!("{wire}/{}", path.file_stem().unwrap().to_str().unwrap());
            files.insert(name, serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap());
        }
    }
    files
}

#[tokio::test]
async fn every_request_goes_over_the_socket_as_its_file_says() {
    let files = files();
    let requests = requests();
    let named: BTreeSet<&str> = requests.iter().map(|(file, ..)| *file).collect();
    let all: BTreeSet<&str> = files.keys().map(String::as_str).filter(|file| !file.ends_with(FORMS)).collect();
    assert_eq!(named, all, "the table must name every file");
    for (file, (adapter, at), request) in requests {
        let expected = &files[file];
        let url = http(&*adapter, &request).unwrap().url;
        assert_eq!(url, expected["url"].as_str().unwrap(), "{file}");

        let server = Server::start([Answer::json(500, "")]).await;
        exchange(&*at(&server.url), &request, LIMITS).await.unwrap_err();
        let asked = server.asked().remove(0);
        assert!(url.ends_with(&asked.path), "{file}: {}", asked.path);
        let body: Value = serde_json::from_str(&asked.body).unwrap();
        assert_eq!(body, expected["body"], "{file}");
        let sent = asked.headers.iter().map(|(name, value)| (name.as_str(), value.to_str().unwrap()));
        let wanted: BTreeMap<&str, &str> = expected["headers"]
            .as_object()
            .unwrap()
            .iter()
            .map(|(name, value)| (name.as_str(), value.as_str().unwrap()))
            .collect();
        let own = sent.filter(|(name, _)| wanted.contains_key(name) || !OF_THE_CLIENT.contains(name));
        assert_eq!(own.collect::<BTreeMap<_, _>>(), wanted, "{file}");
    }
}

const FORMS: &str = "tool_choice_forms";

/// A file of these holds, for each choice, what stands at some places of the body; `null` where nothing does.
#[test]
fn every_tool_choice_has_its_form_on_each_wire() {
    let adapters: [(&str, Box<dyn Adapter>); 7] = [
        ("anthropic_messages", Box::new(messages())),
        ("bedrock_converse", Box::new(bedrock::converse("eu-central-1", TOKEN))),
        ("gemini", Box::new(gemini::api(TOKEN))),
        ("glm", Box::new(openai_chat::glm_payg(TOKEN))),
        ("llama_cpp", Box::new(openai_chat::llama_cpp())),
        ("openai_chat", Box::new(openai_chat::openai(TOKEN))),
        ("openai_responses", Box::new(openai_responses::payg(TOKEN))),
    ];
    let parcel = || vec!["find_parcel".to_owned()];
    let choices = [
        ("auto", ToolChoice::Auto),
        ("none", ToolChoice::None),
        ("required", ToolChoice::Required),
        ("named", ToolChoice::Named("find_parcel".to_owned())),
        ("among", ToolChoice::Among { tools: parcel(), required: false }),
        ("required among", ToolChoice::Among { tools: parcel(), required: true }),
        ("single", ToolChoice::Auto),
    ];
    let files = files();
    assert_eq!(files.keys().filter(|file| file.ends_with(FORMS)).count(), adapters.len());
    for (wire, adapter) in adapters {
        let forms = files[&format!("{wire}/{FORMS}")].as_object().unwrap();
        assert_eq!(forms.len(), choices.len(), "{wire}");
        for (name, choice) in &choices {
            let mut request = Request { single_call: *name == "single", ..ask(choice.clone()) };
            request.tools.push(tool("list_parcels", "All parcels", r#"{"type":"object"}"#));
            let sent = match http(&*adapter, &request) {
                Ok(request) => serde_json::from_slice(&request.body).unwrap(),
                Err(AdapterFault::Unsupported { .. }) => json!("unsupported"),
                Err(other) => panic!("{wire}, {name}: {other:?}"),
            };
            let Some(places) = forms[*name].as_object() else {
                assert_eq!(sent, forms[*name], "{wire}, {name}");
                continue;
            };
            for (place, wanted) in places {
                assert_eq!(sent.pointer(place).unwrap_or(&Value::Null), wanted, "{wire}, {name}: {place}");
            }
        }
    }
}

#[test]
fn a_choice_that_no_model_could_follow_is_a_mistake() {
    let none = ToolChoice::Among { tools: Vec::new(), required: false };
    let missing = |name: &str| ToolChoice::Among { tools: vec![name.to_owned()], required: true };
    for (choice, sign) in [
        (ToolChoice::Named("find_parcels".to_owned()), "`find_parcels`"),
        (missing("find_parcels"), "`find_parcels`"),
        (none, "among no tools"),
    ] {
        for (_, (adapter, _), _) in requests() {
            let error = adapter.encode(&ask(choice.clone())).err().unwrap();
            assert!(matches!(error, AdapterFault::Configuration { .. }), "{error:?}");
            assert!(error.to_string().contains(sign), "{error}");
        }
    }
}
