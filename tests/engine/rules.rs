//! Business rules: on types, on calls, sync and async.

use geode::StructuredOutput;
use geode::check::Issues;
use geode::client::{Client, RetryPolicy};
use geode::outcome::{CallError, Failure};
use geode::testing::scripted::{ScriptedAdapter, text};

/// A part that carries a rule of its own.
#[derive(Debug, PartialEq, StructuredOutput)]
#[geode(check = even)]
struct Part {
    n: i32,
}

fn even(part: &Part, _: &(), issues: &mut Issues) {
    issues.require(part.n % 2 == 0, "/n", "odd", "must be even");
}

/// A whole whose rule wants a context.
#[derive(Debug, StructuredOutput)]
#[geode(check = at_most)]
struct Whole {
    one: Part,
    list: Vec<Part>,
    either: Either,
    maybe: Option<Part>,
}

#[derive(Debug, StructuredOutput)]
#[geode(untagged)]
enum Either {
    Part(Part),
    Text(String),
}

struct Limit(usize);

fn at_most(whole: &Whole, limit: &Limit, issues: &mut Issues) {
    issues.require(whole.list.len() <= limit.0, "/list", "too_many", "too many parts");
}

fn client(answer: &str) -> Client {
    Client::builder(ScriptedAdapter::replies([text(answer)])).retry(RetryPolicy::none()).build()
}

fn found(error: &CallError) -> Vec<(&str, &str)> {
    error.issues().iter().map(|issue| (issue.pointer.as_str(), issue.code.as_str())).collect()
}

const ODD: &str = r#"{"one":{"n":1},"list":[{"n":2},{"n":3}],"either":{"n":5},"maybe":null}"#;

#[tokio::test]
async fn rules_of_types_hold_wherever_a_value_stands() {
    let error = client(ODD).request::<Whole>().user("x").context(Limit(1)).send().await.unwrap_err();
    assert_eq!(found(&error), [("/list", "too_many"), ("/one/n", "odd"), ("/list/1/n", "odd"), ("/either/n", "odd")]);
    let fine = r#"{"one":{"n":0},"list":[],"either":"t","maybe":{"n":4}}"#;
    assert!(client(fine).request::<Whole>().user("x").context(Limit(1)).send().await.is_ok());
}

/// A union whose first variant may fail after a rule in it has spoken.
#[derive(Debug, StructuredOutput)]
#[geode(untagged)]
enum Retried {
    Pair { part: Part, other: u8 },
    Single { part: Part },
}

#[tokio::test]
async fn a_variant_that_was_given_up_leaves_no_issue_behind() {
    let call = client(r#"{"value":[{"part":{"n":1},"other":0},{"part":{"n":3}}]}"#).request::<Vec<Retried>>().user("x");
    let error = call.send().await.unwrap_err();
    assert_eq!(found(&error), [("/value/0/part/n", "odd"), ("/value/1/part/n", "odd")]);
}

#[tokio::test]
async fn a_context_that_a_rule_wants_and_that_is_missing_is_an_error() {
    let error = client(ODD).request::<Whole>().user("x").send().await.unwrap_err();
    assert!(matches!(error.failure(), Failure::Unsupported { .. }));
    assert!(error.to_string().contains("Limit") && error.to_string().contains(".context("), "{error}");
    // Rules without one run under any.
    let error = client(r#"{"n":1}"#).request::<Part>().user("x").context(Limit(9)).send().await.unwrap_err();
    assert_eq!(found(&error), [("/n", "odd")]);
}

#[tokio::test]
async fn the_schema_goes_first() {
    let error = client(r#"{"one":{"n":1},"list":[],"either":"t"}"#).request::<Whole>().user("x").context(Limit(1));
    assert!(error.send().await.unwrap_err().is_invalid_schema());
}

#[tokio::test]
async fn rules_of_the_call_add_to_those_of_the_type() {
    let positive = |part: &Part, least: &i32, issues: &mut Issues| {
        issues.require(part.n >= *least, "/n", "small", "too small");
    };
    let call = client(r#"{"n":-1}"#).request::<Part>().user("x").context(0).check(positive).check_async(|part, _| {
        Box::pin(async move {
            tokio::task::yield_now().await;
            let mut issues = Issues::new();
            issues.require(part.n != -1, "", "looked_up", "not in the database");
            issues
        })
    });
    let error = call.send().await.unwrap_err();
    assert_eq!(found(&error), [("/n", "odd"), ("/n", "small"), ("", "looked_up")]);
}

#[tokio::test]
async fn a_check_set_before_the_context_still_runs() {
    let never = |_: &Part, _: &(), issues: &mut Issues| issues.add("", "never", "");
    let call = client(r#"{"n":2}"#).request::<Part>().user("x").check(never).context(Limit(1));
    assert_eq!(found(&call.send().await.unwrap_err()), [("", "never")]);
}

#[tokio::test(start_paused = true)]
async fn a_check_that_stalls_meets_the_deadline() {
    let call = client(r#"{"n":2}"#).request::<Part>().user("x").check_async(|_, _| Box::pin(std::future::pending()));
    let (begun, limit) = (tokio::time::Instant::now(), std::time::Duration::from_secs(3));
    let error = call.deadline(limit).send().await.unwrap_err();
    assert!(matches!(error.failure(), Failure::DeadlineExceeded));
    assert_eq!(begun.elapsed(), limit);
}

/// Calls can be spawned, and what they come to can be sent on.
#[test]
fn calls_are_send() {
    fn is_send<T: Send>(value: T) -> T {
        value
    }
    let client = client("{}");
    drop(is_send(client.call::<Part>("x")));
    drop(is_send(
        client.request::<Whole>().context(Limit(1)).check_async(|_, _| Box::pin(async { Issues::new() })).send(),
    ));
    fn shared<T: Send + Sync>() {}
    shared::<(Client, CallError, geode::outcome::Accepted<Part>)>();
}
