//! A run of 10,000 calls that is killed resumes to exactly one result an item.

use std::collections::HashMap;
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

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_killed_run_resumes_to_one_result_an_item() {
    let folder = tempfile::tempdir().unwrap();
    let journal = folder.path().join("run.jsonl");
    let asked = Asked::default();
    let url = serve(Arc::clone(&asked)).await;

    let mut worker = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "killed::worker", "--nocapture"])
        .env("GEODE_TEST_URL", &url)
        .env("GEODE_TEST_JOURNAL", &journal)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while asked.lock().unwrap().len() < ITEMS / 3 {
        assert!(worker.try_wait().unwrap().is_none(), "the worker ended before it was killed");
        tokio::time::sleep(Duration::from_millis(2)).await;
    }
    worker.kill().unwrap();
    worker.wait().unwrap();
    // What the dead process still had on the wire arrives.
    tokio::time::sleep(Duration::from_millis(50)).await;
    let before = asked.lock().unwrap().values().sum::<usize>();
    assert!(before < ITEMS, "killed too late to show anything");

    let items = run(&url, &journal).await;
    assert_eq!(items.len(), ITEMS);
    for (position, item) in items.iter().enumerate() {
        assert_eq!((item.index, **item.result.as_ref().unwrap() as usize), (position, position));
    }
    let asked = asked.lock().unwrap();
    assert_eq!(asked.len(), ITEMS, "no item was lost");
    let twice = asked.values().filter(|count| **count > 1).count();
    assert!(twice <= CONCURRENCY && asked.values().all(|count| *count <= 2), "{twice} items were paid twice");
    let resumed = items.iter().filter(|item| item.resumed).count();
    assert!(resumed + CONCURRENCY >= before, "{resumed} of {before} were resumed");
}
