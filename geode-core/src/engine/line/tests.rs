//! The line to a provider under faults, on paused time.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use bytes::Bytes;
use tokio::time::Instant;

use super::Line;
use crate::adapter::{Adapter, AdapterFault, Capabilities, Decoder, ProviderError, ProviderErrorKind};
use crate::dialect::PLAIN;
use crate::engine::{Deadline, RetryPolicy};
use crate::outcome::{Account, Failure, IncompleteReason};
use crate::reply::{FinishReason, Reply};
use crate::request::Request;
use crate::transport::{
    ExchangeLimits, HeaderMap, Transport, TransportError, TransportErrorKind, WireReply, WireRequest, WireStream,
};

/// What an exchange comes to.
#[derive(Clone)]
enum Step {
    Fault(TransportErrorKind),
    Provider(ProviderErrorKind, Option<Duration>),
    Malformed(i32),
    Bytes(usize),
    Stall,
    Done,
}

/// An adapter and a transport that follow a script.
#[derive(Clone)]
struct Script {
    steps: Arc<Mutex<VecDeque<Step>>>,
    sent: Arc<Mutex<Vec<Instant>>>,
}

impl std::fmt::Debug for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Script")
    }
}

impl Transport for Script {
    fn send<'a>(
        &'a self,
        _request: WireRequest,
        _limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>> {
        Box::pin(async {
            self.sent.lock().unwrap().push(Instant::now());
            let step = self.steps.lock().unwrap().front().cloned().expect("a further exchange was made");
            let body = match step {
                Step::Fault(kind) => {
                    self.steps.lock().unwrap().pop_front();
                    return Err(TransportError::new(kind, "scripted"));
                }
                Step::Stall => {
                    self.steps.lock().unwrap().pop_front();
                    return std::future::pending().await;
                }
                Step::Bytes(count) => Bytes::from(vec![b' '; count]),
                _ => Bytes::new(),
            };
            Ok(WireReply { status: 200, headers: HeaderMap::new(), body, stderr: Bytes::new() })
        })
    }

    fn stream<'a>(
        &'a self,
        _request: WireRequest,
        _limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>> {
        unreachable!("nothing is streamed here")
    }
}

impl Adapter for Script {
    fn name(&self) -> &'static str {
        "script"
    }
    fn capabilities(&self) -> &Capabilities {
        static NOTHING: Capabilities = Capabilities::text_only(&PLAIN, "a script");
        &NOTHING
    }
    fn default_model(&self) -> Option<&str> {
        None
    }
    fn encode(&self, _request: &Request) -> Result<WireRequest, AdapterFault> {
        Ok(WireRequest::Loopback(Bytes::new()))
    }
    fn decode(&self, _request: &Request, _reply: &WireReply) -> Result<Reply, AdapterFault> {
        match self.steps.lock().unwrap().pop_front() {
            Some(Step::Provider(kind, retry_after)) => Err(AdapterFault::Provider(Box::new(ProviderError {
                kind,
                status: None,
                code: None,
                message: "scripted".to_owned(),
                request_id: Some("r1".to_owned()),
                retry_after,
                should_retry: None,
            }))),
            Some(Step::Malformed(status)) => {
                Err(AdapterFault::Malformed { reason: "scripted".to_owned(), status: Some(status), request_id: None })
            }
            _ => Ok(Reply { finish: Some(FinishReason::Stop), text: "x".to_owned(), ..Reply::default() }),
        }
    }
    fn decoder(&self, _request: &Request) -> Box<dyn Decoder> {
        unreachable!("nothing is streamed here")
    }
}

struct Run {
    result: Result<Reply, Failure>,
    account: Account,
    /// When each request went out, counted from the start.
    sent: Vec<Duration>,
    took: Duration,
}

async fn run(policy: RetryPolicy, deadline: Duration, steps: &[Step]) -> Run {
    let script = Script { steps: Arc::new(Mutex::new(steps.iter().cloned().collect())), sent: Arc::default() };
    let line = Line {
        adapter: Arc::new(script.clone()),
        transport: Arc::new(script.clone()),
        limits: ExchangeLimits { timeout: Duration::from_secs(10), idle: Duration::from_secs(5), max_bytes: 1000 },
    };
    let mut account = Account::default();
    let begun = Instant::now();
    let result = line.exchange(&Request::default(), &policy, Deadline::after(deadline), &mut account).await;
    let sent = script.sent.lock().unwrap().iter().map(|at| *at - begun).collect();
    Run { result, account, sent, took: begun.elapsed() }
}

const MINUTE: Duration = Duration::from_secs(60);

fn kinds(run: &Run) -> Vec<&'static str> {
    run.account.attempts.iter().map(|attempt| attempt.outcome.name()).collect()
}

#[tokio::test(start_paused = true)]
async fn a_passing_fault_is_retried_and_waits_grow() {
    let run = run(
        RetryPolicy::default().jitter_seed(7),
        MINUTE,
        &[Step::Fault(TransportErrorKind::Connect), Step::Provider(ProviderErrorKind::Server, None), Step::Done],
    )
    .await;
    assert!(run.result.is_ok());
    assert_eq!(kinds(&run), ["transport_error", "transport_error", "accepted"]);
    let (first, second) = (run.sent[1] - run.sent[0], run.sent[2] - run.sent[1]);
    let (half, one, two) = (Duration::from_millis(500), Duration::from_secs(1), Duration::from_secs(2));
    // Time is paused, and its clock ticks in milliseconds.
    let tick = Duration::from_millis(2);
    assert!((half..=one + tick).contains(&first), "{first:?}");
    assert!((one..=two + tick).contains(&second), "{second:?}");
    assert!(run.account.attempts[2].delay + tick >= second);
}

#[tokio::test(start_paused = true)]
async fn many_that_fail_at_once_come_back_apart() {
    let mut waits = Vec::new();
    for seed in 0..20 {
        let steps = [Step::Fault(TransportErrorKind::Connect), Step::Done];
        let run = run(RetryPolicy::default().jitter_seed(seed), MINUTE, &steps).await;
        waits.push(run.account.attempts[1].delay);
    }
    waits.sort();
    waits.dedup();
    assert!(waits.len() > 15, "{waits:?}");
}

#[tokio::test(start_paused = true)]
async fn waits_are_no_longer_than_the_longest() {
    let second = Duration::from_secs(1);
    let policy = RetryPolicy::default().attempts(6).delays(second, second * 2);
    let run = run(policy, MINUTE, &[const { Step::Fault(TransportErrorKind::Connect) }; 6]).await;
    // A random part of up to one more wait is added.
    assert!(run.account.attempts.iter().all(|attempt| attempt.delay <= second * 4), "{:?}", run.account.attempts);
}

#[tokio::test(start_paused = true)]
async fn a_gateways_page_in_the_place_of_an_answer_is_tried_again() {
    for status in [500, 502, 599] {
        let run = run(RetryPolicy::default(), MINUTE, &[Step::Malformed(status), Step::Done]).await;
        assert_eq!((run.sent.len(), run.result.is_ok()), (2, true), "{status}");
    }
}

#[tokio::test(start_paused = true)]
async fn attempts_are_counted() {
    let run = run(RetryPolicy::default(), MINUTE, &[const { Step::Fault(TransportErrorKind::Interrupted) }; 3]).await;
    assert!(matches!(run.result, Err(Failure::Transport(_))));
    assert_eq!(run.sent.len(), 3);
}

#[tokio::test(start_paused = true)]
async fn what_cannot_pass_is_not_retried() {
    for step in [
        Step::Provider(ProviderErrorKind::Authentication, None),
        Step::Provider(ProviderErrorKind::QuotaExceeded, None),
        Step::Provider(ProviderErrorKind::SchemaRejected, None),
        Step::Malformed(200),
        Step::Malformed(404),
        Step::Fault(TransportErrorKind::ProgramMissing),
        Step::Bytes(1001),
    ] {
        let run = run(RetryPolicy::default(), MINUTE, &[step]).await;
        assert_eq!((run.sent.len(), run.result.is_err()), (1, true));
    }
}

/// Runs into a rate limit that the server asks to wait out. Gives the wait that followed.
async fn waited(seed: u64, asked: Duration, deadline: Duration) -> Duration {
    let limited = Step::Provider(ProviderErrorKind::RateLimited, Some(asked));
    let run = run(RetryPolicy::default().jitter_seed(seed), deadline, &[limited, Step::Done]).await;
    assert!(run.result.is_ok());
    assert_eq!(run.account.attempts[0].request_id.as_deref(), Some("r1"));
    let delay = run.account.attempts[1].delay;
    // Time is paused, and its clock ticks in milliseconds.
    assert!(run.sent[1] >= delay && run.sent[1] < delay + Duration::from_millis(5));
    delay
}

#[tokio::test(start_paused = true)]
async fn a_servers_delay_goes_first_and_many_that_were_told_the_same_come_back_apart() {
    let asked = Duration::from_secs(20);
    let mut waits = Vec::new();
    for seed in 0..50 {
        let wait = waited(seed, asked, MINUTE).await;
        assert!(wait >= asked && wait <= asked + asked / 10, "{wait:?}");
        assert_eq!(wait, waited(seed, asked, MINUTE).await, "a seed makes it repeatable");
        waits.push(wait);
    }
    waits.sort();
    // They are spread over the whole of it: no fifth of it is empty.
    for fifth in 0..5 {
        let from = asked + asked / 50 * fifth;
        assert!(waits.iter().any(|wait| (from..from + asked / 50).contains(wait)), "{waits:?}");
    }
    // A short delay is spread over the first wait of the policy.
    let short = Duration::from_millis(10);
    assert!(waited(1, short, MINUTE).await > short + short / 10);
    assert!(waited(1, short, MINUTE).await <= short + Duration::from_millis(500));
}

#[tokio::test(start_paused = true)]
async fn what_is_added_to_a_servers_delay_leaves_time_for_the_attempt() {
    let asked = MINUTE - Duration::from_millis(20);
    for seed in 0..20 {
        assert!(waited(seed, asked, MINUTE).await <= MINUTE - Duration::from_millis(10));
    }
}

#[tokio::test(start_paused = true)]
async fn a_delay_beyond_the_deadline_ends_the_call_at_once() {
    let step = Step::Provider(ProviderErrorKind::RateLimited, Some(MINUTE * 2));
    let run = run(RetryPolicy::default(), MINUTE, &[step]).await;
    assert_eq!(run.result.unwrap_err().retry_after(), Some(MINUTE * 2));
    assert_eq!(run.took, Duration::ZERO);
}

#[tokio::test(start_paused = true)]
async fn a_stall_costs_one_attempt_and_never_more_than_the_deadline() {
    let run_1 = run(RetryPolicy::default(), MINUTE, &[Step::Stall, Step::Done]).await;
    assert!(run_1.result.is_ok());
    assert!(run_1.sent[1] >= Duration::from_secs(10));
    let run_2 = run(RetryPolicy::default().attempts(99), Duration::from_secs(15), &[const { Step::Stall }; 99]).await;
    assert!(matches!(run_2.result, Err(Failure::DeadlineExceeded)), "{:?}", run_2.result);
    assert!(run_2.took <= Duration::from_millis(15_005), "{:?}", run_2.took);
}

#[tokio::test(start_paused = true)]
async fn a_flood_is_incomplete() {
    let run = run(RetryPolicy::default(), MINUTE, &[Step::Bytes(1001)]).await;
    assert!(matches!(run.result, Err(Failure::Incomplete { reason: IncompleteReason::TooLarge })));
}
