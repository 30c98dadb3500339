use std::collections::HashMap;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{StreamExt as _, stream};

use super::rate_limit::RateLimit;
use super::*;
use crate::adapter::openai_responses;
use crate::client::RetryPolicy;
use crate::transport::{ExchangeLimits, HeaderMap, Transport, TransportError, WireReply, WireRequest, WireStream};

/// Answers each prompt with whether its number is even, and counts how often it was asked.
#[derive(Clone, Default)]
struct Parity {
    asked: Arc<Mutex<HashMap<u32, usize>>>,
    under_way: Arc<AtomicUsize>,
    most: Arc<AtomicUsize>,
    status: i32,
    headers: HeaderMap,
}

impl Parity {
    fn calls(&self) -> usize {
        self.asked.lock().unwrap().values().sum()
    }

    async fn answer(&self, request: WireRequest) -> WireReply {
        let WireRequest::Http(request) = request else { panic!("no HTTP request") };
        let body: serde_json::Value = serde_json::from_slice(&request.body).unwrap();
        let text = body.to_string();
        let number: u32 =
            text.split("number ").nth(1).unwrap().split(|c: char| !c.is_ascii_digit()).next().unwrap().parse().unwrap();
        *self.asked.lock().unwrap().entry(number).or_default() += 1;
        let now = self.under_way.fetch_add(1, Ordering::SeqCst) + 1;
        self.most.fetch_max(now, Ordering::SeqCst);
        tokio::time::sleep(Duration::from_millis(u64::from(number * 7 % 11))).await;
        self.under_way.fetch_sub(1, Ordering::SeqCst);
        let answer =
            if number % 10 == 9 { "\"odd\"".to_owned() } else { format!("{{\"value\":{}}}", number.is_multiple_of(2)) };
        let body = serde_json::json!({
            "id": "resp_1", "status": "completed", "model": "m",
            "output": [{"type": "message", "content": [{"type": "output_text", "text": answer}]}],
            "usage": {"input_tokens": 3, "output_tokens": 2}
        });
        let status = if self.status == 0 { 200 } else { self.status };
        WireReply { status, headers: self.headers.clone(), body: Bytes::from(body.to_string()), stderr: Bytes::new() }
    }
}

impl Transport for Parity {
    fn send<'a>(
        &'a self,
        request: WireRequest,
        _: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>> {
        Box::pin(async move { Ok(self.answer(request).await) })
    }

    fn stream<'a>(
        &'a self,
        _: WireRequest,
        _: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>> {
        unreachable!("nothing is streamed here")
    }
}

fn client(server: &Parity) -> Client {
    Client::builder(openai_responses::payg("sk-dummy")).transport(server.clone()).retry(RetryPolicy::none()).build()
}

fn ask(client: &Client, number: u32) -> Call<bool> {
    client.request::<bool>().user(format!("number {number}"))
}

#[tokio::test(start_paused = true)]
async fn outcomes_keep_the_order_and_the_bound_unless_told_otherwise() {
    let server = Parity::default();
    let items: Vec<_> = client(&server).many(stream::iter(0..100), ask).concurrency(7).run().unwrap().collect().await;
    assert!(items.iter().map(|item| item.index).eq(0..100));
    assert!(server.most.load(Ordering::SeqCst) == 7, "{:?}", server.most);
    for item in &items {
        match &item.result {
            Ok(even) => assert_eq!(**even, item.index % 2 == 0),
            Err(error) => assert!(error.is_invalid_schema() && item.index % 10 == 9, "{error}"),
        }
    }

    let unordered: Vec<usize> = client(&server)
        .many(stream::iter(0..100), ask)
        .unordered()
        .run()
        .unwrap()
        .map(|item: Item<bool>| item.index)
        .collect()
        .await;
    assert!(!unordered.is_sorted() && unordered.len() == 100);
}

#[tokio::test(start_paused = true)]
async fn a_run_that_was_dropped_goes_on_from_its_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let server = Parity::default();
    {
        let mut items = client(&server).many(stream::iter(0..50), ask).concurrency(4).journal(&path).run().unwrap();
        for _ in 0..20 {
            items.next().await.unwrap();
        }
    }
    let before = server.calls();
    let seen = Arc::new(Mutex::new(None));
    let last = Arc::clone(&seen);
    let items: Vec<Item<bool>> = client(&server)
        .many(stream::iter(0..50), ask)
        .concurrency(4)
        .journal(&path)
        .on_progress(move |progress| *last.lock().unwrap() = Some(progress.clone()))
        .run()
        .unwrap()
        .collect()
        .await;
    assert!(items.iter().map(|item| item.index).eq(0..50));
    assert!(items.iter().all(|item| item.result.is_ok() == (item.index % 10 != 9)));
    let resumed = items.iter().filter(|item| item.resumed).count();
    assert!(resumed >= 20, "{resumed}");
    assert_eq!(server.calls() - before, 50 - resumed, "what is in the journal is not called again");
    let progress = seen.lock().unwrap().take().unwrap();
    assert_eq!((progress.done, progress.accepted, progress.failed(), progress.resumed), (50, 45, 5, resumed));

    let called = server.calls();
    let again: Vec<Item<bool>> =
        client(&server).many(stream::iter(0..50), ask).journal(&path).retry_failed().run().unwrap().collect().await;
    assert_eq!(again.len(), 50);
    assert_eq!(server.calls() - called, 5, "only the failed ones");
}

#[tokio::test(start_paused = true)]
async fn a_changed_input_is_called_again_and_a_torn_line_is_dropped() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let server = Parity::default();
    client(&server).many(stream::iter([2, 4]), ask).journal(&path).run().unwrap().collect::<Vec<Item<bool>>>().await;
    // Cut within the two bytes of an é.
    let torn = "{\"index\":2,\"value\":\"caf\u{e9}".as_bytes();
    let mut bytes = std::fs::read(&path).unwrap();
    bytes.extend_from_slice(&torn[..torn.len() - 1]);
    std::fs::write(&path, bytes).unwrap();
    let items: Vec<Item<bool>> =
        client(&server).many(stream::iter([2, 6, 8]), ask).journal(&path).run().unwrap().collect().await;
    let resumed: Vec<bool> = items.iter().map(|item| item.resumed).collect();
    assert_eq!(resumed, [true, false, false]);
}

#[tokio::test]
async fn a_journal_of_another_schema_or_no_journal_at_all_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    let server = Parity::default();
    client(&server).many(stream::iter([2]), ask).journal(&path).run().unwrap().collect::<Vec<Item<bool>>>().await;
    let error = client(&server)
        .many(stream::iter([2]), |client: &Client, number: i32| client.request::<String>().user(number.to_string()))
        .journal(&path)
        .run()
        .err()
        .unwrap();
    assert!(error.to_string().contains("another schema"), "{error}");
    for foreign in ["not a journal\n", "not a journal"] {
        std::fs::write(&path, foreign).unwrap();
        let error = client(&server).many(stream::iter([2]), ask).journal(&path).run().err().unwrap();
        assert!(error.to_string().contains("line 1"), "{error}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), foreign, "another's file is left as it is");
    }
}

#[tokio::test]
async fn a_head_that_was_cut_is_begun_anew_and_two_runs_never_share_a_journal() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.jsonl");
    std::fs::write(&path, "{\"schema").unwrap();
    let server = Parity::default();
    let run = || client(&server).many(stream::iter([2]), ask).journal(&path).run();
    let first = run().unwrap();
    let error = run().err().unwrap();
    assert!(error.to_string().contains("another run writes"), "{error}");
    assert_eq!(first.collect::<Vec<Item<bool>>>().await.len(), 1);
    assert!(run().unwrap().collect::<Vec<Item<bool>>>().await[0].resumed, "a run that is over lets go of it");
}

#[tokio::test(start_paused = true)]
async fn requests_are_spread_and_a_servers_pause_is_kept_by_all() {
    let limits = ExchangeLimits { timeout: Duration::from_secs(5), idle: Duration::from_secs(5), max_bytes: 1 << 20 };
    let request = || {
        use crate::adapter::Adapter as _;
        let request = crate::request::Request {
            messages: vec![crate::message::Message::user("number 4")],
            ..crate::request::Request::default()
        };
        openai_responses::payg("sk-dummy").encode(&request).unwrap()
    };
    let limit = RateLimit::new(Parity::default(), 10, Duration::from_secs(1));
    let start = tokio::time::Instant::now();
    let sends = (0..21).map(|_| limit.send(request(), limits));
    futures_util::future::join_all(sends).await;
    assert!((2_000..2_100).contains(&start.elapsed().as_millis()), "{:?}", start.elapsed());

    let used_up = |remaining: &str, reset: &str, value: &str| {
        vec![(remaining.to_owned(), "0".to_owned()), (reset.to_owned(), value.to_owned())]
    };
    let in_a_while = httpdate::HttpDate::from(std::time::SystemTime::now() + Duration::from_secs(30)).to_string();
    let timestamp = timestamp(&in_a_while);
    let header = |name: &str, value: &str| vec![(name.to_owned(), value.to_owned())];
    let requests = ["x-ratelimit-remaining-requests", "x-ratelimit-reset-requests"];
    for (status, headers, expected) in [
        (429, header("retry-after", "3"), 3_000..3_050),
        (503, header("retry-after-ms", "40"), 40..90),
        // Of a success the same header says nothing.
        (200, header("retry-after", "3"), 0..50),
        (200, used_up(requests[0], requests[1], "1m1s"), 60_000..60_050),
        (200, used_up(requests[0], requests[1], "250ms"), 250..300),
        (200, used_up("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "6s"), 6_000..6_050),
        (
            200,
            [
                used_up(requests[0], requests[1], "1s"),
                used_up("x-ratelimit-remaining-tokens", "x-ratelimit-reset-tokens", "6s"),
            ]
            .concat(),
            6_000..6_050,
        ),
        (200, header(requests[1], "6s"), 0..50),
        (200, used_up(requests[0], requests[1], "soon"), 0..50),
        (
            200,
            used_up("anthropic-ratelimit-requests-remaining", "anthropic-ratelimit-requests-reset", &timestamp),
            28_000..30_050,
        ),
        (
            200,
            used_up("anthropic-ratelimit-input-tokens-remaining", "anthropic-ratelimit-input-tokens-reset", &timestamp),
            28_000..30_050,
        ),
        (
            200,
            used_up(
                "anthropic-ratelimit-requests-remaining",
                "anthropic-ratelimit-requests-reset",
                "2020-02-29T00:00:00Z",
            ),
            0..50,
        ),
    ] {
        let told = format!("{status} {headers:?}");
        let headers = headers.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()));
        let server = Parity { status, headers: headers.collect::<HeaderMap>(), ..Parity::default() };
        let limit = RateLimit::new(server, 1_000_000, Duration::from_secs(1));
        let _ = limit.send(request(), limits).await;
        let start = tokio::time::Instant::now();
        let _ = limit.clone().send(request(), limits).await;
        let waited = start.elapsed().as_millis();
        assert!(expected.contains(&waited), "{told} gave {waited} ms");
    }
}

/// The RFC 3339 spelling of an HTTP date.
fn timestamp(date: &str) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let [_, day, month, year, time, _] = date.split(' ').collect::<Vec<_>>()[..] else { panic!("{date}") };
    let month = MONTHS.iter().position(|name| *name == month).unwrap() + 1;
    format!("{year}-{month:02}-{day}T{time}Z")
}
