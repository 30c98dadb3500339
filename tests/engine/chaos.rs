//! Ten thousand calls under random faults, 64 at once, on paused time, half of them streamed: each ends in exactly one
//! state, none hangs, the counts add up, and memory stays flat.

use std::collections::BTreeMap;
use std::ops::Range;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use axum::http::{HeaderValue, header};
use bytes::Bytes;
use futures_util::StreamExt as _;
use geode::StructuredOutput;
use geode::adapter::openai_chat;
use geode::check::Issues;
use geode::client::{Client, RetryPolicy};
use geode::outcome::{Accepted, CallError, Outcome};
use geode::transport::{
    ExchangeLimits, HeaderMap, Transport, TransportError, TransportErrorKind, WireReply, WireRequest, WireStream,
};
use metrics_exporter_prometheus::PrometheusBuilder;
use serde_json::json;

const AT_ONCE: usize = 64;

#[derive(Debug, StructuredOutput)]
struct Answer {
    n: u8,
}

/// A network that is slow, stalls, breaks and floods, and a server in the same mood.
#[derive(Clone, Default)]
struct Weather(Arc<Numbers>);

#[derive(Default)]
struct Numbers {
    seed: AtomicU64,
    /// Requests that reached it.
    asked: AtomicU64,
    /// Answers that arrived with their usage: each costs one token.
    paid: AtomicU64,
}

/// What comes of a request.
enum Sky {
    Fault(TransportErrorKind),
    Hang,
    Says { status: i32, retry_after: Option<u64>, body: String },
    Answers { text: &'static str, finish: &'static str, cut: bool },
}

impl Weather {
    /// Numbers that look random and are the same in every run (splitmix64).
    fn roll(&self, sides: u64) -> u64 {
        let mut z = self.0.seed.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }

    async fn sky(&self) -> Sky {
        self.0.asked.fetch_add(1, Ordering::Relaxed);
        tokio::time::sleep(Duration::from_millis(self.roll(4_000))).await;
        let says = |status, body: &str| Sky::Says { status, retry_after: None, body: body.to_owned() };
        let answers = |text, finish| Sky::Answers { text, finish, cut: false };
        match self.roll(24) {
            0 => Sky::Fault(TransportErrorKind::Connect),
            1 => Sky::Fault(TransportErrorKind::Interrupted),
            2 => Sky::Fault(TransportErrorKind::TooLarge),
            3 => Sky::Fault(TransportErrorKind::Unsupported),
            4 => Sky::Hang,
            5 => Sky::Says { status: 429, retry_after: Some(self.roll(40)), body: "{}".to_owned() },
            6 => says(500, r#"{"error":{"message":"broken"}}"#),
            7 => says(200, r#"{"error":{"message":"Service unavailable.","code":504}}"#),
            8 => says(200, "<html>proxy</html>"),
            9 => says(401, r#"{"error":{"message":"no such key"}}"#),
            10 => Sky::Answers { text: r#"{"n":1}"#, finish: "stop", cut: true },
            11 => answers("{", "stop"),
            12 => answers(r#"{"n":1000}"#, "stop"),
            13 => answers(r#"{"n":1"#, "length"),
            14 => answers("", "content_filter"),
            15 => answers(r#"{"n":13}"#, "stop"),
            16 => answers("I can't.", "refusal"),
            _ => answers(r#"{"n":1}"#, "stop"),
        }
    }
}

fn reply(status: i32, body: impl Into<Bytes>) -> WireReply {
    WireReply { status, headers: HeaderMap::new(), body: body.into(), stderr: Bytes::new() }
}

/// The reply of a server that says something else than an answer.
fn said(status: i32, retry_after: Option<u64>, body: String) -> WireReply {
    let headers = retry_after.map(|seconds| (header::RETRY_AFTER, seconds.into()));
    WireReply { headers: headers.into_iter().collect(), ..reply(status, body) }
}

impl Transport for Weather {
    fn send<'a>(
        &'a self,
        _: WireRequest,
        _: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>> {
        Box::pin(async move {
            match self.sky().await {
                Sky::Fault(kind) => Err(TransportError::new(kind, "weather")),
                Sky::Hang => std::future::pending().await,
                Sky::Says { status, retry_after, body } => Ok(said(status, retry_after, body)),
                Sky::Answers { cut: true, .. } => {
                    Err(TransportError::new(TransportErrorKind::Interrupted, "broken in the body"))
                }
                Sky::Answers { text, finish, .. } => {
                    self.0.paid.fetch_add(1, Ordering::Relaxed);
                    let message = match finish {
                        "refusal" => json!({"content": null, "refusal": text}),
                        _ => json!({"content": text}),
                    };
                    let body = json!({"id": "c", "model": "m", "usage": {"prompt_tokens": 1, "completion_tokens": 1},
                        "choices": [{"index": 0, "message": message, "finish_reason": finish.replace("refusal", "stop")}]});
                    Ok(reply(200, body.to_string()))
                }
            }
        })
    }

    fn stream<'a>(
        &'a self,
        _: WireRequest,
        _: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>> {
        Box::pin(async move {
            let (text, finish, cut) = match self.sky().await {
                Sky::Fault(kind) => return Err(TransportError::new(kind, "weather")),
                Sky::Hang => return std::future::pending().await,
                Sky::Says { status, retry_after, body } => {
                    let WireReply { headers, body, .. } = said(status, retry_after, body);
                    let body = Box::pin(futures_util::stream::iter([Ok(body)]));
                    return Ok(WireStream { status, headers, body });
                }
                Sky::Answers { text, finish, cut } => (text, finish, cut),
            };
            let member = if finish == "refusal" { "refusal" } else { "content" };
            let event = |choices: serde_json::Value, usage: serde_json::Value| {
                format!("data: {}\n\n", json!({"id": "c", "model": "m", "choices": choices, "usage": usage}))
            };
            let mut events = Vec::new();
            for piece in text.as_bytes().chunks(3) {
                let delta = json!([{"index": 0, "delta": {member: String::from_utf8_lossy(piece)}}]);
                events.push(event(delta, json!(null)));
            }
            if !cut {
                let finish = finish.replace("refusal", "stop");
                events.push(event(json!([{"index": 0, "delta": {}, "finish_reason": finish}]), json!(null)));
                events.push(event(json!([]), json!({"prompt_tokens": 1, "completion_tokens": 1})));
                events.push("data: [DONE]\n\n".to_owned());
            }
            // one answer in eight falls silent before its last event
            let silent = self.roll(8) == 0;
            let (numbers, last) = (Arc::clone(&self.0), events.len());
            let body = futures_util::stream::iter(events.into_iter().enumerate()).then(move |(index, event)| {
                let numbers = Arc::clone(&numbers);
                async move {
                    if silent && index + 1 == last {
                        std::future::pending::<()>().await;
                    }
                    numbers.paid.fetch_add(u64::from(event.contains("completion_tokens")), Ordering::Relaxed);
                    Ok(Bytes::from(event))
                }
            });
            let headers = HeaderMap::from_iter([(header::CONTENT_TYPE, HeaderValue::from_static("text/event-stream"))]);
            Ok(WireStream { status: 200, headers, body: Box::pin(body) })
        })
    }
}

fn client(weather: &Weather) -> Client {
    Client::builder(openai_chat::openai("dummy").model("m"))
        .transport(weather.clone())
        .timeout(Duration::from_secs(5))
        .deadline(Duration::from_secs(30))
        .retry(RetryPolicy::default().jitter_seed(3))
        .build()
}

/// What the calls came to.
#[derive(Default)]
struct Tally {
    states: BTreeMap<Outcome, u64>,
    attempts: BTreeMap<Outcome, u64>,
    tokens: u64,
}

impl Tally {
    fn count(&mut self, outcome: &Result<Accepted<Answer>, CallError>, took: Duration) {
        assert!(took <= Duration::from_millis(30_050), "a call took {took:?}");
        let account = match outcome {
            Ok(accepted) => accepted.account(),
            Err(error) => {
                let states = [error.is_refusal(), error.is_incomplete(), error.is_invalid_schema()];
                let states = states.into_iter().chain([error.is_invalid_business(), error.is_transport()]);
                assert_eq!(states.filter(|holds| *holds).count(), 1, "{error:?}");
                error.account()
            }
        };
        let state = Outcome::of(outcome);
        *self.states.entry(state).or_default() += 1;
        // The ledger ends in the state of the call, and every answer in it was paid for exactly once.
        assert_eq!(account.attempts.last().expect("an attempt").outcome, state);
        assert!(account.attempts.len() <= 3);
        let paid: u64 = account.attempts.iter().map(|attempt| attempt.usage.output_tokens).sum();
        assert_eq!(account.usage.output_tokens, paid);
        self.tokens += paid;
        let waits: Duration = account.attempts.iter().map(|attempt| attempt.delay + attempt.duration).sum();
        assert!(waits <= took + Duration::from_millis(50));
        for attempt in &account.attempts {
            *self.attempts.entry(attempt.outcome).or_default() += 1;
        }
    }
}

/// Makes calls, 64 at once, every second one streamed, and keeps nothing of them but the tally.
async fn calls(client: &Client, numbers: Range<u64>, tally: &mut Tally) {
    let unlucky = |answer: &Answer, _: &(), issues: &mut Issues| {
        issues.require(answer.n != 13, "/n", "unlucky", "not thirteen");
    };
    let mut outcomes = futures_util::stream::iter(numbers)
        .map(|number| async move {
            let begun = tokio::time::Instant::now();
            let call = client.request::<Answer>().user("x").check(unlucky);
            let outcome = match number % 2 {
                0 => call.send().await,
                _ => {
                    let mut answer = call.stream();
                    for _ in 0..number % 5 {
                        answer.next().await;
                    }
                    answer.finish().await
                }
            };
            (outcome, begun.elapsed())
        })
        .buffer_unordered(AT_ONCE);
    while let Some((outcome, took)) = outcomes.next().await {
        tally.count(&outcome, took);
    }
}

fn paused() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_current_thread().enable_time().start_paused(true).build().unwrap()
}

#[test]
fn every_call_ends_in_exactly_one_state_and_memory_stays_flat() {
    let weather = Weather::default();
    let (client, runtime) = (client(&weather), paused());
    let mut tally = Tally::default();
    // What is made once and kept (schema, plan, tables) is made by the first calls.
    runtime.block_on(calls(&client, 0..500, &mut tally));
    let few = allocation_counter::measure(|| runtime.block_on(calls(&client, 500..2_000, &mut tally)));
    let many = allocation_counter::measure(|| runtime.block_on(calls(&client, 2_000..10_000, &mut tally)));

    assert_eq!(tally.states.values().sum::<u64>(), 10_000);
    // Every state occurs, so that the test says something about each.
    let seen: Vec<_> = tally.states.keys().copied().collect();
    let answered = [Outcome::Accepted, Outcome::Refused, Outcome::Incomplete, Outcome::InvalidSchema];
    assert_eq!(seen, [&answered[..], &[Outcome::InvalidBusiness, Outcome::TransportError]].concat());
    // The other end counted the same attempts, and the same answers.
    assert_eq!(tally.attempts.values().sum::<u64>(), weather.0.asked.load(Ordering::Relaxed));
    assert_eq!(tally.tokens, weather.0.paid.load(Ordering::Relaxed));
    // Five times the calls hold no more at once, and leave nothing behind.
    assert!(many.bytes_max < few.bytes_max + few.bytes_max / 4, "{} after {}", many.bytes_max, few.bytes_max);
    assert!(many.bytes_current.abs() < 4_096, "{} bytes were left", many.bytes_current);
}

/// The sum of a metric's samples whose labels include this one.
fn sum(text: &str, name: &str, label: &str) -> u64 {
    text.lines()
        .filter(|line| line.strip_prefix(name).is_some_and(|rest| rest.starts_with(['{', ' '])) && line.contains(label))
        .map(|line| line.rsplit(' ').next().unwrap().parse::<u64>().unwrap())
        .sum()
}

#[test]
fn the_counters_add_up() {
    let weather = Weather::default();
    let (client, runtime) = (client(&weather), paused());
    let mut tally = Tally::default();
    let recorder = PrometheusBuilder::new().build_recorder();
    metrics::with_local_recorder(&recorder, || runtime.block_on(calls(&client, 0..2_000, &mut tally)));
    let text = recorder.handle().render();
    assert_eq!(sum(&text, "llm_requests_total", ""), weather.0.asked.load(Ordering::Relaxed));
    assert_eq!(sum(&text, "llm_output_tokens", ""), tally.tokens);
    for (outcome, count) in &tally.attempts {
        assert_eq!(sum(&text, "llm_responses_total", &format!("kind=\"{outcome}\"")), *count, "{outcome}");
    }
    let attempts: u64 = tally.attempts.values().sum();
    assert_eq!(sum(&text, "llm_responses_total", ""), attempts);
    assert_eq!(sum(&text, "llm_retries_total", ""), attempts - 2_000);
    assert_eq!(sum(&text, "llm_request_duration_seconds_count", ""), attempts);
}
