//! Tool calls that no grammar of a real model's server would let through, from `llmock`: several at once, a denied one,
//! ones that break the schema or are no JSON, and tools that nobody offered. Whole and streamed, over each wire.

use std::sync::Arc;

use geode::StructuredOutput;
use geode::adapter::{Adapter, anthropic, gemini, openai_chat, openai_responses};
use geode::client::{Client, RetryPolicy};
use geode::message::{Message, Part, ToolResult};
use geode::request::Mode;
use geode::tool::{Caller, Denial, Tier, ToolError, from_fn};
use serde_json::{Value, json};

use crate::faults::Faults;
use crate::{Person, maria};

#[derive(Debug, StructuredOutput)]
struct Refund {
    /// The order's number.
    order: String,
    /// How much.
    #[geode(range(min = 1))]
    cents: u32,
}

fn calls(calls: &[(&str, Value)]) -> Value {
    let calls = calls.iter().map(|(name, arguments)| json!({"name": name, "arguments": arguments}));
    json!({"type": "reply", "tool_calls": calls.collect::<Vec<_>>()})
}

/// Four rounds: two whose first call is broken, one of good and bad calls, and the answer.
fn script() -> Value {
    let broken = |kind| json!({"type": "tool_fault", "kind": kind});
    let two = [("refund", json!({"order": "A-1", "cents": 7})), ("refund", json!({"order": "A-1", "cents": 9}))];
    let four = [
        ("refund", json!({"order": "A-1", "cents": 500})),
        ("refund", json!({"order": "A-1", "cents": 0, "force": true})),
        ("refund", json!({"order": "B-2", "cents": 500})),
        ("refunds", json!({"order": "A-1", "cents": 500})),
    ];
    let answer = [("__structured_output__", json!({"name": "Maria Lopez", "age": 34}))];
    json!([
        broken("malformed_arguments"),
        calls(&two),
        broken("unknown_tool"),
        calls(&two),
        calls(&four),
        calls(&answer)
    ])
}

/// What kind of failure each result is of; `Null` for none.
fn kinds(message: &Message) -> Vec<Value> {
    let Message::ToolResults { results } = message else { panic!("no results: {message:?}") };
    results
        .iter()
        .map(|result| serde_json::from_str::<Value>(said(result)).expect("JSON")["error_type"].clone())
        .collect()
}

fn said(result: &ToolResult) -> &str {
    let [Part::Text { text }] = result.content.as_slice() else { panic!("no text: {result:?}") };
    text
}

#[tokio::test]
async fn bad_calls_are_results_and_the_run_goes_on_to_its_answer() {
    let Some(faults) = Faults::start() else { return };
    let url = |path| faults.server.url(path);
    let adapters: [Arc<dyn Adapter>; 4] = [
        Arc::new(openai_chat::openai("dummy").base_url(url("/v1"))),
        Arc::new(openai_responses::payg("dummy").base_url(url("/v1"))),
        Arc::new(anthropic::payg("dummy").base_url(url("/anthropic/v1"))),
        Arc::new(gemini::api("dummy").base_url(url("/gemini/v1beta"))),
    ];
    for (adapter, streamed) in adapters.iter().flat_map(|adapter| [(adapter, false), (adapter, true)]) {
        let name = format!("{}{}", adapter.name(), if streamed { ", streamed" } else { "" });
        faults.script(script()).await;
        let refund = from_fn("refund", "Pays back.", |refund: Refund| async move { Ok::<_, ToolError>(refund.cents) });
        let refund = refund.tier(Tier::Safe).authorize(|refund: &Refund, _: &Caller| match refund.order.as_str() {
            "A-1" => Ok(()),
            _ => Err(Denial::new("the order belongs to somebody else")),
        });
        let client = Client::builder(Arc::clone(adapter)).retry(RetryPolicy::none()).build();
        let mut session = client.agent().mode(Mode::Tool).tool(refund).session();
        let answer = match streamed {
            false => session.run::<Person>("Refund A-1 and B-2.").await,
            true => session.stream::<Person>("Refund A-1 and B-2.").finish().await,
        };
        assert_eq!(answer.unwrap_or_else(|error| panic!("{name}: {error:?}")).into_value(), maria(), "{name}");

        let history = session.history();
        let good = Value::Null;
        assert_eq!(kinds(&history[2]), [json!("validation"), good.clone()], "{name}");
        assert_eq!(kinds(&history[4]), [json!("not_found"), good.clone()], "{name}");
        let bad = ["validation", "authorization", "not_found"].map(Value::from);
        assert_eq!(kinds(&history[6]), [&[good], bad.as_slice()].concat(), "{name}");
        let Message::ToolResults { results } = &history[6] else { unreachable!("their kinds were read") };
        assert_eq!(said(&results[0]), "500", "{name}");
        let wrong = said(&results[1]);
        assert!(wrong.contains("/cents") && wrong.contains("/force"), "{name}: {wrong}");
        assert!(said(&results[3]).contains("Did you mean `refund`?"), "{name}: {}", said(&results[3]));
        for turn in history[1..].chunks_exact(2) {
            let [Message::Assistant { tool_uses, .. }, Message::ToolResults { results }] = turn else {
                panic!("{name}: {turn:?}")
            };
            let pairs = tool_uses.iter().zip(results).all(|(call, result)| call.id == result.tool_use_id);
            assert!(pairs && tool_uses.len() == results.len(), "{name}");
        }
    }
}
