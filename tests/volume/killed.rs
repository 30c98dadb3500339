//! A run of 10,000 calls that is killed resumes to exactly one result an item.

use std::collections::HashMap;
use std::hash::{BuildHasher as _, Hasher as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use axum::Json;
use axum::extract::State;
use axum::routing::post;
use futures_util::{StreamExt as _, stream};
use geode::adapter::openai_responses;
use geode::client::{Call, Client};
use geode::volume::Item;
use serde_json::{Value, json};

const ITEMS: usize = 10_000;
const CONCURRENCY: usize = 32;
/// How often the run is killed, each time at another point.
const KILLS: usize = 3;

/// How often each item was asked.
type Asked = Arc<Mutex<HashMap<usize, usize>>>;

/// A Responses endpoint that answers with the number in the prompt.
async fn serve(asked: Asked) -> String {
    let answer = |State(asked): State<Asked>, Json(body): Json<Value>| async move {
        let text = body["input"].to_string();
        let digits = text.split("item ").nth(1).unwrap_or_default();
        let number: usize = digits.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
        *asked.lock().unwrap().entry(number).or_default() += 1;
        let text = json!({ "value": number }).to_string();
        Json(json!({
            "id": "resp_1", "status": "completed", "model": "loopback",
            "output": [{"type": "message", "content": [{"type": "output_text", "text": text}]}],
            "usage": {"input_tokens": 5, "output_tokens": 3}
        }))
    };
    let router = axum::Router::new().route("/v1/responses", post(answer)).with_state(asked);
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    tokio::spawn(async move { axum::serve(listener, router).await.unwrap() });
    url
}

fn ask(client: &Client, number: usize) -> Call<u32> {
    client.request::<u32>().user(format!("item {number}"))
}

/// Runs what the journal does not hold yet.
async fn run(url: &str, journal: &Path) -> Vec<Item<u32>> {
    let client = Client::new(openai_responses::payg("sk-dummy").base_url(url));
    let items = client.many(stream::iter(0..ITEMS), ask).concurrency(CONCURRENCY).journal(journal).run().unwrap();
    items.collect().await
}

/// The process that is killed. Does nothing unless the test below started it.
#[tokio::test]
async fn worker() {
    if let (Ok(url), Ok(journal)) = (std::env::var("GEODE_TEST_URL"), std::env::var("GEODE_TEST_JOURNAL")) {
        run(&url, Path::new(&journal)).await;
    }
}

/// A number that differs from run to run.
fn random() -> usize {
    std::hash::RandomState::new().build_hasher().finish() as usize
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_run_that_is_killed_again_and_again_comes_to_one_result_an_item() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("run.jsonl");
    let asked = Asked::default();
    let url = serve(Arc::clone(&asked)).await;
    let sum = |asked: &Asked| asked.lock().unwrap().values().sum::<usize>();

    let mut killed_at = Vec::new();
    for _ in 0..KILLS {
        let point = sum(&asked) + 1 + random() % (ITEMS / (KILLS + 1));
        let mut worker = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "killed::worker", "--nocapture"])
            .env("GEODE_TEST_URL", &url)
            .env("GEODE_TEST_JOURNAL", &journal)
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        while sum(&asked) < point {
            assert!(worker.try_wait().unwrap().is_none(), "the worker ended before it was killed");
            tokio::time::sleep(Duration::from_millis(1)).await;
        }
        // SIGKILL: nothing of the process gets to tidy up.
        worker.kill().unwrap();
        worker.wait().unwrap();
        // What the dead process still had on the wire arrives.
        tokio::time::sleep(Duration::from_millis(50)).await;
        killed_at.push(sum(&asked));
    }
    let before = sum(&asked);

    let items = run(&url, &journal).await;
    assert_eq!(items.len(), ITEMS, "killed at {killed_at:?}");
    for (position, item) in items.iter().enumerate() {
        assert_eq!((item.index, **item.result.as_ref().unwrap() as usize), (position, position), "{killed_at:?}");
    }
    // Paid twice is what was on the wire when a process died, and nothing else.
    let paid = asked.lock().unwrap().clone();
    assert_eq!(paid.len(), ITEMS, "items were lost: killed at {killed_at:?}");
    let again = paid.values().sum::<usize>() - ITEMS;
    assert!(again <= KILLS * CONCURRENCY, "{again} calls were made again: killed at {killed_at:?}");
    let resumed = items.iter().filter(|item| item.resumed).count();
    assert!(resumed + KILLS * CONCURRENCY >= before, "{resumed} of {before} were resumed: killed at {killed_at:?}");

    // And a run that came to its end costs nothing when it is started again.
    let called = sum(&asked);
    let again = run(&url, &journal).await;
    assert!(again.len() == ITEMS && again.iter().all(|item| item.resumed) && sum(&asked) == called);
    let lines = std::fs::read_to_string(&journal).unwrap().lines().count();
    assert_eq!(lines, ITEMS + 1, "a line an item, and the head");
}
