//! What is tried again, with what, and when that ends. Time is paused: nothing waits for real.

use std::time::Duration;

use futures_util::future::BoxFuture;
use geode::StructuredOutput;
use geode::adapter::Enforcement;
use geode::client::{Client, RetryPolicy};
use geode::message::{Message, Part, ToolChoice};
use geode::outcome::{Failure, FallbackKind, Outcome};
use geode::reply::{FinishReason, Reply};
use geode::request::{Mode, OUTPUT_TOOL, Request};
use geode::testing::scripted::{ScriptedAdapter, calls, text};
use geode::transport::{ExchangeLimits, Transport, TransportError, WireReply, WireRequest, WireStream};
use serde_json::json;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};

#[derive(Debug, StructuredOutput)]
struct Answer {
    #[geode(range(max = 10))]
    n: u8,
}

fn model(replies: impl IntoIterator<Item = Reply>) -> ScriptedAdapter {
    ScriptedAdapter::replies(replies)
}

/// What was said in a request beyond the original input.
fn reminders(request: &Request) -> Vec<&str> {
    fn reminder(message: &Message) -> Option<&str> {
        match message {
            Message::Reminder { text } => Some(text),
            _ => None,
        }
    }
    request.messages.iter().filter_map(reminder).collect()
}

fn usage(reply: Reply, output_tokens: u64) -> Reply {
    let mut reply = reply;
    reply.usage.output_tokens = output_tokens;
    reply.request_id = Some(format!("r{output_tokens}"));
    reply
}

#[tokio::test(start_paused = true)]
async fn an_invalid_answer_is_asked_for_again_with_the_violations_only() {
    let model = model([usage(text(r#"{"n":11,"x":"secret"}"#), 5), usage(text(r#"{"n":7}"#), 3)]);
    let accepted = Client::new(model.clone()).request::<Answer>().system("Count.").user("Seven.").send().await.unwrap();
    assert_eq!(accepted.n, 7);
    let kinds: Vec<_> = accepted.account().attempts.iter().map(|attempt| attempt.outcome).collect();
    assert_eq!(kinds, [Outcome::InvalidSchema, Outcome::Accepted]);
    assert_eq!(accepted.usage().output_tokens, 8);
    assert_eq!(accepted.request_id(), Some("r3"));

    let [first, second] = &model.requests()[..] else { panic!("two requests") };
    assert_eq!(second.messages[0], first.messages[0]);
    assert_eq!((&second.system, second.messages.len()), (&first.system, 2));
    let [feedback] = reminders(second)[..] else { panic!("one reminder") };
    assert!(feedback.contains("/n") && feedback.contains("/x"), "{feedback}");
    let plan = |request: &Request| request.output.as_ref().unwrap().plan.schema.get().to_owned();
    assert_eq!(plan(first), plan(second));
}

#[tokio::test(start_paused = true)]
async fn feedback_does_not_pile_up() {
    let model = model([text("{}"), text(r#"{"n":99}"#), text(r#"{"n":1}"#)]);
    Client::new(model.clone()).call::<Answer>("x").await.unwrap();
    let requests = model.requests();
    assert_eq!(reminders(&requests[2]).len(), 1);
    assert!(reminders(&requests[2])[0].contains("10"));
}

#[tokio::test(start_paused = true)]
async fn the_last_failure_keeps_what_was_paid_for() {
    let model = model([usage(text("{}"), 5)]);
    let error = Client::new(model.clone()).call::<Answer>("x").await.unwrap_err();
    assert_eq!((error.usage().output_tokens, error.account().attempts.len()), (15, 3));
    assert_eq!(error.account().raw_text(), "{}");
    assert_eq!(error.account().guarantee, Some(Enforcement::Enforced));
    assert!(error.violations().is_some_and(|report| report.count() == 1));
}

#[tokio::test(start_paused = true)]
async fn refusals_and_business_failures_are_not_retried() {
    let refusal = Reply { refusal: Some("no".into()), ..text("") };
    let refused = model([refusal]);
    assert!(Client::new(refused.clone()).call::<Answer>("x").await.unwrap_err().is_refusal());
    assert_eq!(refused.requests().len(), 1);

    let broken = model([text(r#"{"n":1}"#)]);
    let client = Client::new(broken.clone());
    let rule = |_: &Answer, _: &(), issues: &mut geode::check::Issues| issues.add("/n", "odd", "is odd");
    assert!(client.request::<Answer>().user("x").check(rule).send().await.unwrap_err().is_invalid_business());
    assert_eq!(broken.requests().len(), 1);

    // Unless the caller asks for it.
    let again = RetryPolicy::default().attempts(2).invalid_business(true);
    assert!(client.request::<Answer>().user("x").check(rule).retry(again).send().await.is_err());
    assert_eq!(broken.requests().len(), 3);
    assert!(reminders(&broken.requests()[2])[0].contains("[odd]: is odd"));
}

#[tokio::test(start_paused = true)]
async fn an_answer_cut_by_its_own_limit_gets_more_room() {
    let cut = Reply { finish: Some(FinishReason::TokenLimit), ..text("{") };
    let model = model([cut, text(r#"{"n":1}"#)]);
    let call = Client::new(model.clone()).request::<Answer>().user("x").max_output_tokens(100);
    let accepted = call.send().await.unwrap();
    assert_eq!(model.requests()[1].max_output_tokens, Some(200));
    assert!(accepted.account().notes.iter().any(|note| note.message.contains("200")));
}

#[tokio::test(start_paused = true)]
async fn incomplete_answers_are_retried_unless_filtered_or_told_otherwise() {
    for (finish, retried) in
        [(None, true), (Some(FinishReason::Other("pause".into())), true), (Some(FinishReason::ContentFilter), false)]
    {
        let model = model([Reply { finish, ..text("{}") }, text(r#"{"n":1}"#)]);
        assert_eq!(Client::new(model).call::<Answer>("x").await.is_ok(), retried);
    }
    let empty = model([text(" \n"), text(r#"{"n":1}"#)]);
    assert!(Client::new(empty).call::<Answer>("x").await.is_ok());
    let once = RetryPolicy::default().incomplete(false).invalid_schema(false);
    let cut = model([Reply { finish: None, ..text("{}") }]);
    assert!(Client::builder(cut.clone()).retry(once).build().call::<Answer>("x").await.is_err());
    assert_eq!(cut.requests().len(), 1);
}

#[tokio::test(start_paused = true)]
async fn context_can_be_reduced_between_attempts() {
    let model = model([text("{}"), text("{}"), text(r#"{"n":1}"#)]);
    let policy = RetryPolicy::default().reduce_context(|messages, made| drop(messages.drain(..made as usize)));
    let history = ["a", "b", "c", "d"].map(Message::user);
    Client::new(model.clone()).request::<Answer>().history(history).retry(policy).send().await.unwrap();
    let lengths: Vec<_> =
        model.requests().iter().map(|request| request.messages.len() - reminders(request).len()).collect();
    assert_eq!(lengths, [4, 3, 2]);

    // Also where there is nothing to say about the failure: an answer that was cut.
    let cut = Reply { finish: Some(FinishReason::TokenLimit), ..text("{") };
    let model = self::model([cut, text(r#"{"n":1}"#)]);
    let policy = RetryPolicy::default().reduce_context(|messages, made| drop(messages.drain(..made as usize)));
    let history = ["a", "b", "c", "d"].map(Message::user);
    Client::new(model.clone()).request::<Answer>().history(history).retry(policy).send().await.unwrap();
    let requests = model.requests();
    assert_eq!((requests[0].messages.len(), requests[1].messages.len()), (4, 3));
}

#[tokio::test(start_paused = true)]
async fn tool_mode_gives_feedback_as_the_result_of_the_call() {
    let model = model([calls([(OUTPUT_TOOL, json!({ "n": 11 }))]), calls([(OUTPUT_TOOL, json!({ "n": 9 }))])]);
    let accepted = Client::new(model.clone()).request::<Answer>().user("x").mode(Mode::Tool).send().await.unwrap();
    assert_eq!((accepted.n, accepted.account().mode), (9, Mode::Tool));
    let requests = model.requests();
    // Its only tool is the one that hands in: it is forced.
    assert_eq!(requests[0].tool_choice, ToolChoice::Named(OUTPUT_TOOL.to_owned()));
    let [_, Message::Assistant { tool_uses, .. }, Message::ToolResults { results }] = &requests[1].messages[..] else {
        panic!("{:?}", requests[1].messages);
    };
    assert_eq!(tool_uses[0].id, results[0].tool_use_id);
    assert!(results[0].is_error);
    assert!(matches!(&results[0].content[..], [Part::Text { text }] if text.contains("/n")));
}

#[tokio::test(start_paused = true)]
async fn tool_mode_gives_broken_rules_as_the_result_of_the_call_too() {
    let model = model([calls([(OUTPUT_TOOL, json!({ "n": 1 }))]), calls([(OUTPUT_TOOL, json!({ "n": 2 }))])]);
    let even = |answer: &Answer, _: &(), issues: &mut geode::check::Issues| {
        issues.require(answer.n.is_multiple_of(2), "/n", "odd", "must be even");
    };
    let again = RetryPolicy::default().invalid_business(true);
    let call = Client::new(model.clone()).request::<Answer>().user("x").mode(Mode::Tool).check(even).retry(again);
    assert_eq!(call.send().await.unwrap().n, 2);
    let requests = model.requests();
    let [_, Message::Assistant { .. }, Message::ToolResults { results }] = &requests[1].messages[..] else {
        panic!("{:?}", requests[1].messages);
    };
    assert!(matches!(&results[0].content[..], [Part::Text { text }] if text.contains("/n [odd]: must be even")));
}

#[tokio::test(start_paused = true)]
async fn text_in_tool_mode_gets_two_reminders_and_then_fails() {
    let model = model([text(r#"{"n":1}"#)]);
    let client = Client::builder(model.clone()).retry(RetryPolicy::default().attempts(9)).build();
    let error = client.request::<Answer>().user("x").mode(Mode::Tool).send().await.unwrap_err();
    assert!(matches!(error.failure(), Failure::StructuredOutputFailed { reminders: 2 }), "{error}");
    assert_eq!(model.requests().len(), 3);
    assert!(reminders(&model.requests()[2])[0].contains(OUTPUT_TOOL));
}

#[tokio::test(start_paused = true)]
async fn dropping_the_call_stops_it() {
    let (stalling, mut exchanges) = Stalling::new();
    let client = Client::builder(model([text("{}")])).transport(stalling).build();
    assert!(tokio::time::timeout(Duration::from_secs(1), client.call::<Answer>("x")).await.is_err());
    exchanges.recv().await.expect("the exchange was begun");
    assert_eq!(exchanges.recv().await, Some("dropped"));
}

#[tokio::test(start_paused = true)]
async fn the_deadline_holds_whatever_stalls() {
    let begun = tokio::time::Instant::now();
    let client = Client::builder(ScriptedAdapter::replies([text("{}")]))
        .transport(Stalling::new().0)
        .timeout(Duration::from_secs(4))
        .deadline(Duration::from_secs(10))
        .retry(RetryPolicy::default().attempts(99))
        .build();
    let error = client.call::<Answer>("x").await.unwrap_err();
    assert!(matches!(error.failure(), Failure::DeadlineExceeded | Failure::Transport(_)), "{error:?}");
    assert!(begun.elapsed() <= Duration::from_millis(10_010), "{:?}", begun.elapsed());
    assert!(error.account().attempts.len() >= 2);
    assert_eq!(error.account().fallback, None::<FallbackKind>);
}

/// A transport that never answers. It tells of each exchange when it begins, and when it is dropped.
struct Stalling(UnboundedSender<&'static str>);

impl Stalling {
    fn new() -> (Self, UnboundedReceiver<&'static str>) {
        let (sender, exchanges) = unbounded_channel();
        (Stalling(sender), exchanges)
    }

    async fn stall<T>(&self) -> Result<T, TransportError> {
        struct Told<'a>(&'a UnboundedSender<&'static str>);
        impl Drop for Told<'_> {
            fn drop(&mut self) {
                let _ = self.0.send("dropped");
            }
        }
        let _ = self.0.send("begun");
        let _told = Told(&self.0);
        std::future::pending().await
    }
}

impl Transport for Stalling {
    fn send<'a>(&'a self, _: WireRequest, _: ExchangeLimits) -> BoxFuture<'a, Result<WireReply, TransportError>> {
        Box::pin(self.stall())
    }

    fn stream<'a>(&'a self, _: WireRequest, _: ExchangeLimits) -> BoxFuture<'a, Result<WireStream, TransportError>> {
        Box::pin(self.stall())
    }
}
