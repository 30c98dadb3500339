//! Typed tools: from an attribute, from the trait, and what each mistake is told.

#![cfg(all(feature = "client", feature = "derive"))]

mod enumeration;
#[cfg(feature = "rmcp")]
mod mcp;
#[cfg(feature = "rmcp")]
mod mcp_program;
mod raw;

use std::sync::Arc;
use std::time::Duration;

use geode::StructuredOutput;
use geode::check::Issues;
use geode::dialect::{OPENAI_STRICT, PLAIN};
use geode::message::{Part, ToolUse};
use geode::tool::{
    ApproveAll, Caller, Denial, Executed, Execution, Json, NoArguments, Tier, Tool, ToolContext, ToolError, ToolSet,
    from_fn,
};
use serde_json::{Value, json};

/// What was paid back.
#[derive(Debug, PartialEq, serde::Serialize)]
struct Receipt {
    order: String,
    cents: u32,
}

/// Pays an order back to its owner.
///
/// Only within 30 days.
#[geode::tool(tier = "write", timeout = "30s", authorize = owns)]
async fn refund(
    /// The order's number.
    #[geode(pattern = "^A-[0-9]+$")]
    order: String,
    #[geode(range(min = 1, max = 50_000))] cents: u32,
    #[context] context: ToolContext,
) -> Result<Receipt, ToolError> {
    if order == "A-404" {
        return Err(ToolError::not_found("no such order"));
    }
    assert_eq!(context.tool_use_id(), "1");
    Ok(Receipt { order, cents })
}

async fn owns(arguments: &RefundArguments, caller: &Caller) -> Result<(), Denial> {
    if caller.claim("orders").is_some_and(|orders| orders.to_string().contains(&arguments.order)) {
        Ok(())
    } else {
        Err(Denial::new("the order belongs to somebody else"))
    }
}

/// Where a parcel is.
#[derive(StructuredOutput)]
struct Place {
    city: String,
}

#[geode::tool(tier = "safe", name = "where-is", description = "Finds a parcel.", struct = "WhereIsTool")]
async fn where_is(args: Place) -> Result<Json<Place>, ToolError> {
    Ok(Json(Place { city: args.city.to_uppercase() }))
}

/// The time.
#[geode::tool(tier = "safe")]
pub async fn now() -> Result<u64, ToolError> {
    Ok(7)
}

/// Has the name of what the tool is handed, and arguments of such names.
#[geode::tool(tier = "safe", authorize = arguments)]
async fn context(arguments: u8, context: u8, caller: u8) -> Result<u8, ToolError> {
    Ok(arguments + context + caller)
}

async fn arguments(_: &ContextArguments, _: &Caller) -> Result<(), Denial> {
    Ok(())
}

/// Is there under a condition.
#[geode::tool(tier = "safe")]
#[cfg(any())]
async fn conditional(order: String) -> Result<String, ToolError> {
    Ok(order)
}

async fn run(tools: ToolSet, caller: Caller, name: &str, input: &str) -> Executed {
    let tools = tools.plan(&OPENAI_STRICT).unwrap();
    let execution = Execution::new(&tools).approver(&ApproveAll).caller(Arc::new(caller));
    let call = ToolUse { id: "1".into(), name: name.into(), input: input.into() };
    execution.run(&[call]).await.remove(0)
}

fn text(done: &Executed) -> &str {
    match &done.result.content[..] {
        [Part::Text { text }] => text,
        other => panic!("not one text: {other:?}"),
    }
}

#[test]
fn an_attribute_makes_a_tool_of_a_function() {
    assert_eq!((Refund.name(), Refund.tier()), ("refund", Tier::Write));
    assert_eq!(Refund.description(), "Pays an order back to its owner.\n\nOnly within 30 days.");
    assert_eq!(Refund.timeout(), Some(Duration::from_secs(30)));
    assert_eq!((WhereIsTool.name(), WhereIsTool.description()), ("where-is", "Finds a parcel."));
    assert_eq!((Now.name(), Now.tier(), Now.timeout()), ("now", Tier::Safe, None));

    let specs = ToolSet::new().with(Refund).with(Now).plan(&PLAIN).unwrap().specs;
    let schema: Value = serde_json::from_str(specs[0].input_schema.get()).unwrap();
    assert_eq!(schema["required"], json!(["order", "cents"]));
    assert_eq!(schema["additionalProperties"], json!(false));
    assert_eq!(schema["properties"]["order"]["description"], json!("The order's number."));
    assert_eq!(schema["properties"]["cents"]["maximum"], json!(50_000));
    let nothing: Value = serde_json::from_str(specs[1].input_schema.get()).unwrap();
    assert_eq!((&nothing["type"], &nothing["properties"]), (&json!("object"), &json!({})));
}

#[tokio::test]
async fn arguments_are_parsed_then_authorized_then_run() {
    let owner = || Caller::new("c1").with_claim("orders", json!(["A-1", "A-404"]));
    let tools = || ToolSet::new().with(Refund);
    let done = run(tools(), owner(), "refund", r#"{"order":"A-1","cents":1200}"#).await;
    assert_eq!(text(&done), r#"{"order":"A-1","cents":1200}"#);
    assert!(!done.result.is_error);

    let cases = [
        (r#"{"order":"1","cents":0,"all":true}"#, "validation"),
        (r#"{"order":"A-2","cents":1200}"#, "authorization"),
        (r#"{"order":"A-404","cents":1200}"#, "not_found"),
    ];
    for (input, expected) in cases {
        let done = run(tools(), owner(), "refund", input).await;
        let error: Value = serde_json::from_str(text(&done)).unwrap();
        assert_eq!(error["error_type"], json!(expected), "{error}");
        if expected == "validation" {
            assert_eq!(error["context"].as_array().map(Vec::len), Some(3), "{error}");
        }
    }
}

#[tokio::test]
async fn results_have_many_forms() {
    let tools = || ToolSet::new().with(WhereIsTool).with(Now);
    assert_eq!(text(&run(tools(), Caller::default(), "where-is", r#"{"city":"Oslo"}"#).await), r#"{"city":"OSLO"}"#);
    assert_eq!(text(&run(tools(), Caller::default(), "now", "").await), "7");
    assert_eq!(text(&run(tools(), Caller::default(), "now", "{}").await), "7");
    let named =
        run(ToolSet::new().with(Context), Caller::new("c"), "context", r#"{"arguments":1,"context":2,"caller":3}"#);
    assert_eq!(text(&named.await), "6");
    let extra = run(tools(), Caller::default(), "now", r#"{"zone":"UTC"}"#).await;
    assert!(extra.result.is_error && text(&extra).contains("zone"));
}

/// What rules on arguments see is the caller: a limit of theirs, say.
#[tokio::test]
async fn rules_on_arguments_see_the_caller() {
    #[derive(StructuredOutput)]
    #[geode(check = within_the_limit)]
    struct Payment {
        cents: u32,
    }
    fn within_the_limit(payment: &Payment, caller: &Caller, issues: &mut Issues) {
        let limit = caller.claim("limit").and_then(Value::as_u64).unwrap_or(0);
        issues.require(u64::from(payment.cents) <= limit, "/cents", "over_limit", "more than the caller may pay");
    }
    let pay = || from_fn("pay", "Pays.", |payment: Payment| async move { Ok(payment.cents) });
    let caller = || Caller::new("c1").with_claim("limit", 100);
    let tools = || ToolSet::new().with(pay());
    assert_eq!(text(&run(tools(), caller(), "pay", r#"{"cents":100}"#).await), "100");
    let error: Value = serde_json::from_str(text(&run(tools(), caller(), "pay", r#"{"cents":101}"#).await)).unwrap();
    assert_eq!((&error["error_type"], &error["context"][0]["code"]), (&json!("validation"), &json!("over_limit")));

    // A rule that wants something else can't be held: the call does not run.
    #[derive(StructuredOutput)]
    #[geode(check = in_stock)]
    struct Order {
        count: u32,
    }
    fn in_stock(order: &Order, stock: &u32, issues: &mut Issues) {
        issues.require(order.count <= *stock, "/count", "out_of_stock", "not as many are there");
    }
    let order = from_fn("order", "Orders.", |order: Order| async move { Ok(order.count) });
    let done = run(ToolSet::new().with(order), caller(), "order", r#"{"count":1}"#).await;
    let error: Value = serde_json::from_str(text(&done)).unwrap();
    assert_eq!(error["error_type"], "internal");
    assert!(error["error"].as_str().unwrap().contains("u32"), "{error}");
}

/// A tool by hand, whose authorization waits.
struct Slow;

impl Tool for Slow {
    type Arguments = NoArguments;
    type Output = ();
    fn name(&self) -> &str {
        "slow"
    }
    fn description(&self) -> &str {
        "Asks somebody before."
    }
    fn tier(&self) -> Tier {
        Tier::Safe
    }
    async fn authorize(&self, _: &NoArguments, caller: &Caller) -> Result<(), Denial> {
        tokio::time::sleep(Duration::from_secs(3)).await;
        if caller.id().is_empty() { Err(Denial::new("nobody is known")) } else { Ok(()) }
    }
    async fn call(&self, _: NoArguments, _: ToolContext) -> Result<(), ToolError> {
        Ok(())
    }
}

#[tokio::test(start_paused = true)]
async fn authorization_may_wait() {
    assert!(run(ToolSet::new().with(Slow), Caller::default(), "slow", "{}").await.result.is_error);
    let allowed = run(ToolSet::new().with(Slow), Caller::new("c1"), "slow", "{}").await;
    assert_eq!(text(&allowed), "null");
}
