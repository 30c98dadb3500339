//! Tools of an MCP server that runs beside the client, behind a pipe.

use std::collections::VecDeque;
use std::sync::Mutex;

use geode::tool::mcp::{Import, ImportError, Imported};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, CancelledNotificationParam, ContentBlock, ErrorData,
    ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool as Listed,
};
use rmcp::service::{NotificationContext, RequestContext, RoleClient, RoleServer, RunningService};
use rmcp::{ServerHandler, ServiceExt};
use tokio::sync::mpsc;

use super::*;

/// A server with these pages of tools, that gives these results, and tells of calls that were given up.
struct Server {
    pages: Vec<Vec<Listed>>,
    results: Mutex<VecDeque<Result<CallToolResult, ErrorData>>>,
    asked: mpsc::UnboundedSender<String>,
}

impl ServerHandler for Server {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        request: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let page = request.and_then(|request| request.cursor).map_or(0, |cursor| cursor.parse().unwrap());
        let mut result = ListToolsResult::with_all_items(self.pages[page].clone());
        result.next_cursor = (page + 1 < self.pages.len()).then(|| (page + 1).to_string());
        Ok(result)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let arguments = Value::from(request.arguments.unwrap_or_default());
        let _ = self.asked.send(format!("{} {arguments}", request.name));
        let next = self.results.lock().unwrap().pop_front();
        match next {
            Some(result) => result.map(CallToolResponse::from),
            None => std::future::pending().await,
        }
    }

    async fn on_cancelled(&self, _: CancelledNotificationParam, _: NotificationContext<RoleServer>) {
        let _ = self.asked.send("given up".to_owned());
    }
}

/// The client, and what the server was asked.
struct Connected {
    client: RunningService<RoleClient, ()>,
    asked: mpsc::UnboundedReceiver<String>,
}

async fn connect(pages: Vec<Vec<Listed>>, results: Vec<Result<CallToolResult, ErrorData>>) -> Connected {
    let (here, there) = tokio::io::duplex(1 << 16);
    let (sender, asked) = mpsc::unbounded_channel();
    let server = Server { pages, results: Mutex::new(results.into()), asked: sender };
    tokio::spawn(async move { server.serve(there).await.unwrap().waiting().await });
    Connected { client: ().serve(here).await.unwrap(), asked }
}

fn tool(name: &'static str, schema: Value) -> Listed {
    let Value::Object(schema) = schema else { panic!("no object") };
    Listed::new(name, format!("Does {name}."), schema)
}

fn look_up() -> Listed {
    tool(
        "orders.look_up",
        json!({"type": "object", "properties": {"order": {"type": "string", "pattern": "^A-[0-9]+$"}},
               "required": ["order"], "additionalProperties": false}),
    )
}

fn ok(blocks: Vec<ContentBlock>) -> Result<CallToolResult, ErrorData> {
    Ok(CallToolResult::success(blocks))
}

async fn call(tools: &ToolSet, name: &str, input: &str) -> Executed {
    run(tools.clone(), Caller::default(), name, input).await
}

fn error(done: &Executed) -> Value {
    assert!(done.result.is_error);
    serde_json::from_str(text(done)).unwrap()
}

#[tokio::test]
async fn what_a_server_lists_is_imported_page_by_page() {
    let elsewhere = json!({"type": "object", "properties": {"a": {"$ref": "https://example.org/a.json"}}});
    let pages = vec![
        vec![look_up(), tool("read/all", json!({"type": "object"}))],
        vec![
            tool("read.all", json!({"type": "object"})),
            tool("elsewhere", elsewhere),
            tool("a-list", json!({"type": "array"})),
        ],
    ];
    let connected = connect(pages, vec![]).await;
    let Imported { tools, refused } = Import::new().from(&connected.client).await.unwrap();
    assert_eq!(tools.names().collect::<Vec<_>>(), ["orders_look_up", "read_all", "read_all_2"]);
    assert!(tools.names().all(|name| tools.tier(name) == Some(Tier::Write)), "{tools:?}");
    let refused: Vec<(Option<&str>, String)> = refused.iter().map(|error| (error.tool(), error.to_string())).collect();
    assert_eq!(refused[0].0, Some("elsewhere"));
    assert!(refused[0].1.contains("https://example.org/a.json"), "{refused:?}");
    assert_eq!(refused[1].0, Some("a-list"));
    assert_eq!(refused.len(), 2);

    let specs = tools.plan(&OPENAI_STRICT).unwrap().specs;
    assert_eq!(specs[0].description, "Does orders.look_up.");
    let nothing: Value = serde_json::from_str(specs[1].input_schema.get()).unwrap();
    assert_eq!(nothing, json!({"type": "object", "properties": {}}));

    let import = Import::new().prefix("shop-").tier(Tier::PreApproved).tier_of("read.all", Tier::Dangerous);
    let some = import.only(["read.all", "orders.look_up"]).from(&connected.client).await.unwrap().tools;
    let tiers: Vec<_> = some.names().map(|name| (name, some.tier(name).unwrap())).collect();
    assert_eq!(tiers, [("shop-orders_look_up", Tier::PreApproved), ("shop-read_all", Tier::Dangerous)]);

    let unknown = Import::new().only(["orders.lookup"]).from(&connected.client).await.unwrap_err();
    assert!(unknown.to_string().contains("did you mean `orders.look_up`?"), "{unknown}");
}

#[tokio::test]
async fn calls_are_checked_here_and_made_there() {
    let structured = |text: &str| {
        let mut result = CallToolResult::success(vec![ContentBlock::text(text)]);
        result.structured_content = Some(json!({"state": "sent"}));
        Ok(result)
    };
    let results = vec![
        ok(vec![ContentBlock::text("It is on its way."), ContentBlock::text("")]),
        structured("{\"state\": \"sent\"}"),
        structured("It was sent."),
        ok(vec![]),
    ];
    let mut connected = connect(vec![vec![look_up()]], results).await;
    let tools = Import::new().from(&connected.client).await.unwrap().tools;

    let invalid = error(&call(&tools, "orders_look_up", r#"{"order":"1","all":true}"#).await);
    assert_eq!((&invalid["error_type"], invalid["context"].as_array().map(Vec::len)), (&json!("validation"), Some(2)));
    assert!(connected.asked.try_recv().is_err(), "an invalid call went out");

    let expected = [
        vec!["It is on its way."],
        vec!["{\"state\": \"sent\"}"],
        vec!["It was sent.", r#"{"state":"sent"}"#],
        vec!["null"],
    ];
    for texts in expected {
        let done = call(&tools, "orders_look_up", r#"{"order":"A-1"}"#).await;
        let parts: Vec<Part> = texts.iter().map(|text| Part::Text { text: (*text).to_owned() }).collect();
        assert_eq!(done.result.content, parts);
        assert_eq!(connected.asked.recv().await.unwrap(), r#"orders.look_up {"order":"A-1"}"#);
    }
}

#[tokio::test]
async fn images_are_shown_and_what_cannot_be_is_named() {
    let blocks = vec![
        ContentBlock::image("iVBORw0=", "image/png"),
        ContentBlock::image("AAAA", "image/tiff"),
        ContentBlock::audio("AAAA", "audio/wav"),
    ];
    let connected = connect(vec![vec![look_up()]], vec![ok(blocks)]).await;
    let tools = Import::new().from(&connected.client).await.unwrap().tools;
    let done = call(&tools, "orders_look_up", r#"{"order":"A-1"}"#).await;
    let [Part::Image { media_type, data }, Part::Text { text: image }, Part::Text { text: sound }] =
        &done.result.content[..]
    else {
        panic!("{:?}", done.result)
    };
    assert_eq!((media_type.as_str(), data.as_str()), ("image/png", "iVBORw0="));
    assert!(image.contains("image/tiff") && sound.contains("audio/wav"), "{image} {sound}");
}

#[tokio::test]
async fn failures_are_results_that_the_model_can_act_on() {
    let results = vec![
        Ok(CallToolResult::error(vec![ContentBlock::text("no such order")])),
        Err(ErrorData::invalid_params("order: unknown shop", None)),
        Err(ErrorData::internal_error("the database is away", None)),
    ];
    let mut connected = connect(vec![vec![look_up()]], results).await;
    let tools = Import::new().from(&connected.client).await.unwrap().tools;
    let expected = [
        ("internal", true, "no such order"),
        ("validation", true, "order: unknown shop"),
        ("internal", true, "the database is away"),
    ];
    for (kind, recoverable, message) in expected {
        let error = error(&call(&tools, "orders_look_up", r#"{"order":"A-1"}"#).await);
        assert_eq!(error["error_type"], json!(kind), "{error}");
        assert_eq!((&error["recoverable"], &error["error"]), (&json!(recoverable), &json!(message)));
    }
    connected.client.close().await.unwrap();
    let gone = error(&call(&tools, "orders_look_up", r#"{"order":"A-1"}"#).await);
    assert_eq!(gone["error_type"], "connection", "{gone}");
}

/// The clock is paused: it goes on when nothing else can happen.
#[tokio::test(start_paused = true)]
async fn a_call_that_takes_too_long_is_given_up_on_both_sides() {
    let mut connected = connect(vec![vec![look_up()]], vec![]).await;
    let tools = Import::new().timeout(Duration::from_secs(5)).from(&connected.client).await.unwrap().tools;
    let error = error(&call(&tools, "orders_look_up", r#"{"order":"A-1"}"#).await);
    assert_eq!(error["error_type"], "timeout", "{error}");
    assert!(connected.asked.recv().await.unwrap().starts_with("orders.look_up"));
    assert_eq!(connected.asked.recv().await.unwrap(), "given up");
}

#[tokio::test]
async fn a_list_without_an_end_is_refused() {
    let pages = (0..11).map(|_| vec![look_up(); 100]).collect();
    let connected = connect(pages, vec![]).await;
    let error = Import::new().from(&connected.client).await.unwrap_err();
    assert!(matches!(error, ImportError::TooMany), "{error}");
}
