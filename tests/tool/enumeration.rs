//! Enums of tools: `#[derive(Tools)]`.

use std::sync::Mutex;

use geode::dialect::ANTHROPIC;
use geode::tool::{Content, Dispatch, ToolOutput};
use geode::{StructuredOutput, Tools};

use super::*;

/// What is paid back.
#[derive(Debug, PartialEq, StructuredOutput)]
struct Repayment {
    #[geode(pattern = "^A-[0-9]+$")]
    order: String,
    #[geode(range(min = 1, max = 50_000))]
    cents: u32,
}

/// What the shop can do.
#[derive(Debug, PartialEq, Tools)]
#[geode(tier = "safe")]
enum Shop {
    /// Looks an order up.
    #[geode(timeout = "5s")]
    LookupOrder {
        /// The order's number.
        #[geode(pattern = "^A-[0-9]+$")]
        order: String,
        #[serde(rename = "withItems")]
        items: Option<bool>,
    },
    /// Pays an order back.
    #[geode(tier = "write")]
    Refund(Repayment),
    #[geode(name = "what-time", description = "The time.")]
    Clock,
}

/// Runs the shop's tools, and knows who may have money back.
#[derive(Default)]
struct Till {
    paid: Mutex<Vec<Repayment>>,
}

impl Dispatch<Shop> for Till {
    async fn authorize(&self, call: &Shop, caller: &Caller) -> Result<(), Denial> {
        match call {
            Shop::Refund(repayment) if caller.claim("order") != Some(&json!(repayment.order)) => {
                Err(Denial::new("the order belongs to somebody else"))
            }
            _ => Ok(()),
        }
    }

    async fn call(&self, call: Shop, context: ToolContext) -> Result<Content, ToolError> {
        assert_eq!(context.tool_use_id(), "1");
        match call {
            Shop::LookupOrder { order, items } => (order, items).into_content(),
            Shop::Refund(repayment) => {
                let cents = repayment.cents;
                self.paid.lock().unwrap().push(repayment);
                cents.into_content()
            }
            Shop::Clock => Err(ToolError::dependency("the clock stands still")),
        }
    }
}

#[test]
fn each_variant_is_a_tool() {
    let tools = Shop::tools(Till::default());
    assert_eq!(tools.names().collect::<Vec<_>>(), ["lookup_order", "refund", "what-time"]);
    let tiers = ["lookup_order", "refund", "what-time"].map(|name| tools.tier(name).unwrap());
    assert_eq!(tiers, [Tier::Safe, Tier::Write, Tier::Safe]);

    let specs = tools.plan(&OPENAI_STRICT).unwrap().specs;
    let descriptions: Vec<&str> = specs.iter().map(|spec| spec.description.as_str()).collect();
    assert_eq!(descriptions, ["Looks an order up.", "Pays an order back.", "The time."]);
    let schemas: Vec<Value> = specs.iter().map(|spec| serde_json::from_str(spec.input_schema.get()).unwrap()).collect();
    assert_eq!(schemas[0]["title"], "LookupOrderArguments");
    assert_eq!(schemas[0]["required"], json!(["order", "withItems"]));
    assert_eq!(schemas[0]["properties"]["order"]["description"], "The order's number.");
    assert_eq!(schemas[0]["properties"]["order"]["pattern"], "^A-[0-9]+$");
    assert_eq!(schemas[1]["properties"]["cents"]["minimum"], 1);
    assert_eq!((&schemas[2]["type"], &schemas[2]["properties"]), (&json!("object"), &json!({})));
}

#[tokio::test]
async fn calls_are_parsed_authorized_and_run_in_one_place() {
    let owner = || Caller::new("c1").with_claim("order", "A-1");
    let tools = || Shop::tools(Till::default());
    let found = run(tools(), owner(), "lookup_order", r#"{"order":"A-7","withItems":null}"#).await;
    assert_eq!(text(&found), r#"["A-7",null]"#);
    assert_eq!(text(&run(tools(), owner(), "refund", r#"{"order":"A-1","cents":5}"#).await), "5");

    let cases = [
        ("refund", r#"{"order":"A-2","cents":5}"#, "authorization"),
        ("refund", r#"{"order":"2","cents":0}"#, "validation"),
        ("lookup_order", r#"{"order":"A-1"}"#, "validation"),
        ("what-time", "", "dependency"),
        ("what-time", r#"{"zone":"UTC"}"#, "validation"),
    ];
    for (name, input, expected) in cases {
        let done = run(tools(), owner(), name, input).await;
        let error: Value = serde_json::from_str(text(&done)).unwrap();
        assert_eq!(error["error_type"], json!(expected), "{name} {input}: {error}");
    }
}

#[tokio::test]
async fn a_closure_runs_them_too() {
    let till = Arc::new(Mutex::new(0));
    let tools = Shop::tools(move |call: Shop, _: ToolContext| {
        let till = Arc::clone(&till);
        async move {
            match call {
                Shop::Refund(Repayment { cents, .. }) => *till.lock().unwrap() += cents,
                other => return Err(ToolError::internal(format_args!("{other:?} is not for sale"))),
            }
            Ok(*till.lock().unwrap())
        }
    });
    let repaid = run(tools.clone(), Caller::default(), "refund", r#"{"order":"A-1","cents":5}"#).await;
    assert_eq!(text(&repaid), "5");
    let again = run(tools.clone(), Caller::default(), "refund", r#"{"order":"A-1","cents":6}"#).await;
    assert_eq!(text(&again), "11");
    assert!(run(tools, Caller::default(), "what-time", "{}").await.result.is_error);
}

#[tokio::test(start_paused = true)]
async fn each_tool_has_its_own_time() {
    let tools = Shop::tools(|_: Shop, _: ToolContext| std::future::pending::<Result<(), ToolError>>());
    let begun = tokio::time::Instant::now();
    let done = run(tools, Caller::default(), "lookup_order", r#"{"order":"A-1","withItems":true}"#).await;
    assert!(text(&done).contains("took longer than 5s"), "{}", text(&done));
    assert_eq!(begun.elapsed().as_secs(), 5);
}

/// What a dialect can't carry stays in force, and is told.
#[test]
fn what_the_wire_cannot_carry_is_told() {
    let planned = Shop::tools(Till::default()).plan(&ANTHROPIC).unwrap();
    let lost: Vec<(&str, &str, &str)> = planned
        .weakenings()
        .map(|(tool, weakening)| (tool, weakening.pointer.as_str(), weakening.keyword.as_str()))
        .collect();
    assert_eq!(lost, [("refund", "/properties/cents", "minimum"), ("refund", "/properties/cents", "maximum")]);
    assert!(planned.hints.is_empty());
}
