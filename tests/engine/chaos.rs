//! Ten thousand calls under random faults, 64 at once, on paused time: each ends in exactly one state, none hangs, and
//! the counts add up.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::StreamExt as _;
use geode::StructuredOutput;
use geode::adapter::{AdapterFault, ProviderError, ProviderErrorKind};
use geode::check::Issues;
use geode::client::{Client, RetryPolicy};
use geode::reply::{FinishReason, Reply};
use geode::testing::scripted::{ScriptedAdapter, text};
use geode::transport::{
    ExchangeLimits, Transport, TransportError, TransportErrorKind, WireReply, WireRequest, WireStream,
};

const CALLS: usize = 10_000;
const AT_ONCE: usize = 64;

#[derive(Debug, StructuredOutput)]
struct Answer {
    n: u8,
}

/// A small generator of numbers that look random and are the same in every run (splitmix64).
struct Dice(AtomicU64);

impl Dice {
    fn roll(&self, sides: u64) -> u64 {
        let mut z = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % sides
    }
}

/// A network that is slow, stalls, breaks and floods.
struct Weather(Dice);

impl Transport for Weather {
    fn send<'a>(
        &'a self,
        request: WireRequest,
        _: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>> {
        Box::pin(async move {
            tokio::time::sleep(Duration::from_millis(self.0.roll(4_000))).await;
            let kind = match self.0.roll(20) {
                0 => TransportErrorKind::Connect,
                1 => TransportErrorKind::Interrupted,
                2 => TransportErrorKind::TooLarge,
                3 => TransportErrorKind::ProgramMissing,
                4 => return std::future::pending().await,
                _ => {
                    let WireRequest::Loopback(body) = request else { panic!("the script's own wire") };
                    return Ok(WireReply { status: 0, headers: Vec::new(), body, stderr: Bytes::new() });
                }
            };
            Err(TransportError::new(kind, "weather"))
        })
    }

    fn stream<'a>(
        &'a self,
        _: WireRequest,
        _: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>> {
        Box::pin(async { Err(TransportError::new(TransportErrorKind::Unsupported, "nothing is streamed here")) })
    }
}

/// A model in the same mood. Every answer costs one token.
fn model() -> ScriptedAdapter {
    let dice = Dice(AtomicU64::new(7));
    ScriptedAdapter::new(move |_| {
        let mut reply = match dice.roll(12) {
            0 => text("{"),
            1 => text(r#"{"n":1000}"#),
            2 => Reply { refusal: Some("no".into()), ..text("") },
            3 => Reply { finish: None, ..text(r#"{"n":1}"#) },
            4 => Reply { finish: Some(FinishReason::TokenLimit), ..text(r#"{"n":1"#) },
            5 => Reply { finish: Some(FinishReason::ContentFilter), ..text("") },
            6 => text(r#"{"n":13}"#),
            7 => {
                let mut error = ProviderError::new(ProviderErrorKind::RateLimited, Some(429), None, "slow down".into());
                error.retry_after = Some(Duration::from_secs(dice.roll(40)));
                return Err(AdapterFault::Provider(Box::new(error)));
            }
            _ => text(r#"{"n":1}"#),
        };
        reply.usage.output_tokens = 1;
        Ok(reply)
    })
}

#[tokio::test(start_paused = true)]
async fn every_call_ends_in_exactly_one_state() {
    let client = Client::builder(model())
        .transport(Weather(Dice(AtomicU64::new(1))))
        .timeout(Duration::from_secs(5))
        .deadline(Duration::from_secs(30))
        .retry(RetryPolicy::default().jitter_seed(3))
        .build();
    let unlucky = |answer: &Answer, _: &(), issues: &mut Issues| {
        issues.require(answer.n != 13, "/n", "unlucky", "not thirteen");
    };
    let outcomes: Vec<_> = futures_util::stream::iter(0..CALLS)
        .map(|_| {
            let client = client.clone();
            async move {
                let begun = tokio::time::Instant::now();
                let outcome = client.request::<Answer>().user("x").check(unlucky).send().await;
                (outcome, begun.elapsed())
            }
        })
        .buffer_unordered(AT_ONCE)
        .collect()
        .await;

    assert_eq!(outcomes.len(), CALLS);
    let mut states: BTreeMap<&str, usize> = BTreeMap::new();
    for (outcome, took) in &outcomes {
        assert!(*took <= Duration::from_millis(30_050), "a call took {took:?}");
        let (state, account) = match outcome {
            Ok(accepted) => ("accepted", accepted.account()),
            Err(error) => {
                let states = [error.is_refusal(), error.is_incomplete(), error.is_invalid_schema()];
                let states = states.into_iter().chain([error.is_invalid_business(), error.is_transport()]);
                assert_eq!(states.filter(|holds| *holds).count(), 1, "{error:?}");
                (error.failure().kind(), error.account())
            }
        };
        *states.entry(state).or_default() += 1;
        // The ledger ends in the state of the call, and every answer in it was paid for exactly once.
        let last = account.attempts.last().expect("an attempt");
        assert_eq!(last.kind, state);
        assert!(account.attempts.len() <= 3);
        let paid: u64 = account.attempts.iter().map(|attempt| attempt.usage.output_tokens).sum();
        assert_eq!(account.usage.output_tokens, paid);
        let answered = account.attempts.iter().filter(|attempt| attempt.kind != "transport_error").count() as u64;
        let unanswered = account.attempts.iter().filter(|attempt| attempt.usage.output_tokens == 0).count() as u64;
        assert!(paid <= answered && paid + unanswered == account.attempts.len() as u64);
        let waits: Duration = account.attempts.iter().map(|attempt| attempt.delay + attempt.duration).sum();
        assert!(waits <= *took + Duration::from_millis(50));
    }
    assert_eq!(states.values().sum::<usize>(), CALLS);
    // Every state occurs, so that the test says something about each.
    let seen: Vec<_> = states.keys().copied().collect();
    let all = ["accepted", "incomplete", "invalid_business", "invalid_schema", "refused", "transport_error"];
    assert_eq!(seen, all, "{states:?}");
}
