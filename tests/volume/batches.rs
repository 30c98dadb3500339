//! The batch engines of providers, over real sockets: typed items in, typed results out, and every way in which they are
//! late, partial, cut or refused.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use futures_util::StreamExt as _;
use geode::adapter::{AdapterFault, anthropic, openai_responses};
use geode::client::{Call, Client};
use geode::outcome::{Accepted, CallError};
use geode::transport::{
    ExchangeLimits, StandardTransport, Transport, TransportError, WireReply, WireRequest, WireStream,
};
use geode::volume::{BatchError, BatchState, Batches};

use crate::engine::{Engine, Fault, Wire};

const WIRES: [Wire; 2] = [Wire::OpenAi, Wire::Anthropic];
/// One item of each outcome that has a result.
const KEYS: [&str; 8] = ["good-1", "wrong-2", "refused-3", "cut-4", "rate-5", "bad-6", "good-7", "expired-8"];
const MINUTE: Duration = Duration::from_secs(60);

/// The standard transport, and a clock that stands still when no exchange is under way: waiting between two exchanges
/// costs no time, and a socket that takes some is no timeout.
struct OnPausedTime(StandardTransport);

thread_local! {
    /// Whether the clock of this thread's runtime stands still.
    static STANDS: Cell<bool> = const { Cell::new(false) };
}

fn let_time_pass(passes: bool) {
    match (STANDS.replace(!passes), passes) {
        (true, true) => tokio::time::resume(),
        (false, false) => tokio::time::pause(),
        _ => {}
    }
}

type Answer<'a, T> = Pin<Box<dyn Future<Output = Result<T, TransportError>> + Send + 'a>>;

impl Transport for OnPausedTime {
    fn send<'a>(&'a self, request: WireRequest, limits: ExchangeLimits) -> Answer<'a, WireReply> {
        Box::pin(async move {
            let_time_pass(true);
            let reply = self.0.send(request, limits).await;
            let_time_pass(false);
            reply
        })
    }

    fn stream<'a>(&'a self, request: WireRequest, limits: ExchangeLimits) -> Answer<'a, WireStream> {
        // The body is read after this returns, so the clock goes on.
        let_time_pass(true);
        self.0.stream(request, limits)
    }
}

fn batches(engine: &Engine, wire: Wire) -> Batches {
    let transport = || OnPausedTime(StandardTransport::new());
    match wire {
        Wire::OpenAi => {
            let adapter = openai_responses::payg("sk-dummy").base_url(&engine.url);
            Batches::openai(adapter.clone()).through(Client::builder(adapter).transport(transport()).build())
        }
        Wire::Anthropic => {
            let adapter = anthropic::payg("sk-ant-dummy").base_url(&engine.url);
            Batches::anthropic(adapter.clone()).through(Client::builder(adapter).transport(transport()).build())
        }
    }
}

fn ask(batches: &Batches) -> Call<bool> {
    batches.client().request::<bool>().system("Is the text below a complaint?")
}

fn items(batches: &Batches, keys: &[&str]) -> Vec<(String, Call<bool>)> {
    let number = |key: &str| key.split('-').nth(1).unwrap().to_owned();
    keys.iter().map(|key| ((*key).to_owned(), ask(batches).user(format!("complaint {}", number(key))))).collect()
}

/// Whatever came of a batch, and the error that ended it.
async fn results(
    batches: &Batches,
    id: &str,
) -> (BTreeMap<String, Result<Accepted<bool>, CallError>>, Option<BatchError>) {
    let batch = batches.wait(id, MINUTE).await.unwrap();
    let mut results = batches.results(&batch, ask(batches)).await.unwrap();
    let (mut found, mut order) = (BTreeMap::new(), Vec::new());
    while let Some(result) = results.next().await {
        match result {
            Ok(result) => {
                order.push(result.key.clone());
                assert!(found.insert(result.key, result.result).is_none(), "a key came twice");
            }
            Err(error) => {
                assert!(results.next().await.is_none(), "something came after the error");
                return (found, Some(error));
            }
        }
    }
    assert!(order.len() < 3 || !order.is_sorted(), "they came in order: {order:?}");
    (found, None)
}

#[tokio::test]
async fn typed_items_go_in_and_each_comes_out_as_what_became_of_it() {
    for wire in WIRES {
        let engine = Engine::start(wire, 4).await;
        let batches = batches(&engine, wire);
        let batch = batches.submit(items(&batches, &KEYS)).await.unwrap();
        assert_eq!((batch.state, batch.succeeded, batch.failed), (BatchState::InProgress, 0, 0), "{wire:?}");

        let begun = tokio::time::Instant::now();
        let batch = batches.wait(&batch.id, MINUTE).await.unwrap();
        assert!(begun.elapsed() >= 3 * MINUTE, "{wire:?} was asked more often than it was told to");
        assert_eq!((batch.state, batch.succeeded, batch.failed, batch.pending), (BatchState::Ended, 5, 3, 0));

        let (found, error) = results(&batches, &batch.id).await;
        assert!(error.is_none(), "{wire:?}: {error:?}");
        assert_eq!(found.keys().map(String::as_str).collect::<Vec<_>>(), {
            let mut keys = KEYS.to_vec();
            keys.sort_unstable();
            keys
        });
        let failure = |key: &str| found[key].as_ref().expect_err(key);
        assert!(!**found["good-1"].as_ref().unwrap() && **found["good-7"].as_ref().unwrap(), "{wire:?}");
        assert_eq!(found["good-1"].as_ref().unwrap().usage().input_tokens, 3);
        assert!(failure("wrong-2").is_invalid_schema());
        assert!(failure("refused-3").is_refusal());
        assert!(failure("cut-4").is_incomplete());
        assert!(failure("rate-5").is_transport() && failure("rate-5").is_retryable());
        assert!(failure("bad-6").is_transport() && !failure("bad-6").is_retryable());
        assert!(failure("expired-8").is_transport());
    }
}

#[tokio::test]
async fn another_process_goes_on_with_the_id_alone() {
    for wire in WIRES {
        let engine = Engine::start(wire, 2).await;
        let first = batches(&engine, wire);
        let id = first.submit(items(&first, &["good-1", "good-2", "good-7"])).await.unwrap().id;
        drop(first);
        let second = batches(&engine, wire);
        second.wait(&id, MINUTE).await.unwrap();
        let (found, error) = results(&second, &id).await;
        assert!(error.is_none() && found.len() == 3 && found.values().all(Result::is_ok), "{wire:?}: {error:?}");
        let submitted = engine.asked().iter().filter(|asked| asked.ends_with("/batches")).count();
        assert_eq!(submitted, 1, "going on submits nothing");
    }
}

#[tokio::test]
async fn faults_that_can_pass_are_waited_out_as_long_as_the_server_says() {
    for wire in WIRES {
        let engine = Engine::start(wire, 2).await;
        let batches = batches(&engine, wire);
        let id = batches.submit(items(&batches, &["good-1", "good-2"])).await.unwrap().id;
        for fault in [
            Fault::Status(503, None),
            Fault::Status(429, Some(300)),
            Fault::Break(10),
            Fault::Status(500, Some(5)),
            Fault::Status(529, None),
        ] {
            engine.fault("batch_1", fault);
        }
        let begun = tokio::time::Instant::now();
        let batch = batches.wait(&id, MINUTE).await.unwrap();
        assert_eq!(batch.state, BatchState::Ended);
        // A pause a fault, of which the server made one longer. The one that broke was an answer, too: the first.
        let waited = begun.elapsed();
        assert!((9 * MINUTE..10 * MINUTE).contains(&waited), "{wire:?} waited {waited:?}");
    }
}

#[tokio::test]
async fn faults_that_stay_end_the_wait() {
    for wire in WIRES {
        let engine = Engine::start(wire, 1).await;
        let batches = batches(&engine, wire);
        let id = batches.submit(items(&batches, &["good-1"])).await.unwrap().id;
        for fault in [Fault::Status(401, None), Fault::End(20)] {
            engine.fault("batch_1", fault.clone());
            let error = batches.wait(&id, MINUTE).await.unwrap_err();
            assert!(!error.is_retryable(), "{wire:?}, {fault:?}: {error}");
        }
        let unknown = batches.wait("batch_of_others", MINUTE).await.unwrap_err();
        assert!(matches!(unknown, BatchError::Adapter(AdapterFault::Provider(_))), "{unknown:?}");
        let asked = engine.asked().len();
        for id in ["", "../files", "batch_1/cancel", "a?b", "a b", "batch_1#"] {
            assert!(matches!(batches.status(id).await, Err(BatchError::Id)), "{id:?}");
            assert!(matches!(batches.cancel(id).await, Err(BatchError::Id)), "{id:?}");
        }
        assert_eq!(engine.asked().len(), asked, "nothing was sent");
    }
}

#[tokio::test]
async fn a_cancelled_batch_keeps_what_was_done() {
    for wire in WIRES {
        let engine = Engine::start(wire, 2).await;
        let batches = batches(&engine, wire);
        let id = batches.submit(items(&batches, &["good-1", "expired-2", "good-7", "wrong-3"])).await.unwrap().id;
        assert_eq!(batches.cancel(&id).await.unwrap().state, BatchState::Cancelling);
        let batch = batches.wait(&id, MINUTE).await.unwrap();
        assert_eq!((batch.state, batch.succeeded), (BatchState::Ended, 2), "{wire:?}");
        let (found, error) = results(&batches, &id).await;
        assert!(error.is_none(), "{wire:?}: {error:?}");
        assert!(!**found["good-1"].as_ref().unwrap() && **found["good-7"].as_ref().unwrap());
        match wire {
            // Items that were not begun stand in neither file.
            Wire::OpenAi => assert_eq!(found.len(), 2),
            Wire::Anthropic => {
                let cancelled = found["wrong-3"].as_ref().unwrap_err();
                assert!(cancelled.is_transport() && found.len() == 4, "{cancelled}");
            }
        }
    }
}

#[tokio::test]
async fn there_are_no_results_before_the_end_or_of_a_batch_that_was_refused() {
    for wire in WIRES {
        let engine = Engine::start(wire, 3).await;
        let batches = batches(&engine, wire);
        let batch = batches.submit(items(&batches, &["good-1"])).await.unwrap();
        let early = batches.results(&batch, ask(&batches)).await.err().unwrap();
        assert!(matches!(early, BatchError::NoResults(BatchState::InProgress)) && early.is_retryable(), "{early:?}");

        match (wire, batches.submit(items(&batches, &["illegal-1", "good-2"])).await) {
            // One provider looks at the items later, the other at once.
            (Wire::OpenAi, submitted) => {
                let batch = batches.wait(&submitted.unwrap().id, MINUTE).await.unwrap();
                assert_eq!(batch.state, BatchState::Failed);
                assert!(batch.error.as_ref().unwrap().contains("illegal-1"), "{batch:?}");
                let refused = batches.results(&batch, ask(&batches)).await.err().unwrap();
                assert!(refused.to_string().contains("refused as a whole") && !refused.is_retryable(), "{refused}");
            }
            (Wire::Anthropic, submitted) => {
                let error = submitted.unwrap_err();
                assert!(!error.is_retryable() && matches!(error, BatchError::Adapter(_)), "{error:?}");
            }
        }
    }
}

/// The path that results are fetched from.
fn results_path(wire: Wire) -> &'static str {
    match wire {
        Wire::OpenAi => "output/content",
        Wire::Anthropic => "/results",
    }
}

#[tokio::test]
async fn results_that_are_cut_say_so_and_can_be_fetched_again() {
    let keys: Vec<String> = (0..40).map(|n| format!("good-{n}")).collect();
    let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
    for wire in WIRES {
        let engine = Engine::start(wire, 1).await;
        let batches = batches(&engine, wire);
        let id = batches.submit(items(&batches, &keys)).await.unwrap().id;
        let path = results_path(wire);

        // The connection breaks within a line.
        engine.fault(path, Fault::Break(5_000));
        let (found, error) = results(&batches, &id).await;
        let error = error.unwrap();
        assert!(matches!(error, BatchError::Transport(_)) && error.is_retryable(), "{wire:?}: {error:?}");
        assert!(found.len() < 40 && found.values().all(Result::is_ok), "{wire:?}: {}", found.len());

        // The answer ends within a line, as if that were all.
        engine.fault(path, Fault::End(5_000));
        let (found, error) = results(&batches, &id).await;
        assert!(matches!(error, Some(BatchError::Adapter(AdapterFault::Malformed { .. }))), "{wire:?}: {error:?}");
        assert!(!found.is_empty() && found.values().all(Result::is_ok));

        // It ends between two lines: only the provider's counts tell.
        engine.fault(path, Fault::End(whole_lines(&engine, wire, 11).await));
        let (found, error) = results(&batches, &id).await;
        assert!(matches!(error, Some(BatchError::Short { found: 11, expected: 40 })), "{wire:?}: {error:?}");
        assert_eq!(found.len(), 11);

        // A line that is no result ends it too.
        engine.fault(path, Fault::Before(r#"{"id": "nobody's"}"#.to_owned()));
        let (found, error) = results(&batches, &id).await;
        assert!(matches!(error, Some(BatchError::Adapter(AdapterFault::Malformed { .. }))), "{wire:?}: {error:?}");
        assert!(found.is_empty());

        // An error in the place of the results.
        engine.fault(path, Fault::Status(503, None));
        let batch = batches.wait(&id, MINUTE).await.unwrap();
        assert!(batches.results(&batch, ask(&batches)).await.err().unwrap().is_retryable());

        let (found, error) = results(&batches, &id).await;
        assert!(error.is_none() && found.len() == 40 && found.values().all(Result::is_ok), "{wire:?}: {error:?}");
    }
}

/// How many bytes so many lines of the results have.
async fn whole_lines(engine: &Engine, wire: Wire, lines: usize) -> usize {
    let (path, header) = match wire {
        Wire::OpenAi => ("/files/file-batch_1-output/content", ("authorization", "Bearer sk-dummy")),
        Wire::Anthropic => ("/messages/batches/msgbatch_1/results", ("x-api-key", "sk-ant-dummy")),
    };
    let request = reqwest::Client::new().get(format!("{}{path}", engine.url)).header(header.0, header.1);
    let text = request.header("anthropic-version", "2023-06-01").send().await.unwrap().text().await.unwrap();
    text.split_inclusive('\n').take(lines).map(str::len).sum()
}

#[tokio::test]
async fn a_result_with_a_key_of_nobodys_is_handed_on_with_it() {
    for wire in WIRES {
        let engine = Engine::start(wire, 1).await;
        let batches = batches(&engine, wire);
        let id = batches.submit(items(&batches, &["good-1"])).await.unwrap().id;
        let stray = match wire {
            Wire::OpenAi => {
                r#"{"id":"x","custom_id":"stray-9","response":null,"error":{"code":"lost","message":"gone"}}"#
            }
            Wire::Anthropic => r#"{"custom_id":"stray-9","result":{"type":"lost"}}"#,
        };
        engine.fault(results_path(wire), Fault::Before(stray.to_owned()));
        let (found, error) = results(&batches, &id).await;
        assert!(error.is_none() && found.len() == 2, "{wire:?}: {error:?}");
        // An outcome that the documents don't name is a failure of that item alone.
        assert!(found["stray-9"].as_ref().unwrap_err().is_transport() && found["good-1"].is_ok());
    }
}

#[tokio::test]
async fn a_submission_that_fails_creates_no_batch() {
    for wire in WIRES {
        let engine = Engine::start(wire, 1).await;
        let batches = batches(&engine, wire);
        let path = if wire == Wire::OpenAi { "/files" } else { "/batches" };
        engine.fault(path, Fault::Status(413, None));
        let error = batches.submit(items(&batches, &["good-1"])).await.unwrap_err();
        assert!(!error.is_retryable() && matches!(error, BatchError::Adapter(_)), "{wire:?}: {error:?}");
        assert_eq!(engine.asked().len(), 1, "{wire:?} went on: {:?}", engine.asked());
    }
}

#[tokio::test]
async fn items_that_cannot_go_are_refused_before_anything_is_sent() {
    for wire in WIRES {
        let engine = Engine::start(wire, 1).await;
        let batches = batches(&engine, wire);
        let long = "k".repeat(65);
        for (keys, complaint) in [
            (&[][..], "no items"),
            (&["a-1", "a-1"][..], "twice"),
            (&["a b-1"][..], "letters"),
            (&["-", ""][..], "letters"),
            (&[long.as_str()][..], "64"),
        ] {
            let items = keys.iter().map(|key| ((*key).to_owned(), ask(&batches).user("complaint")));
            let error = batches.submit(items).await.unwrap_err();
            assert!(error.to_string().contains(complaint), "{keys:?}: {error}");
        }
        assert!(engine.asked().is_empty(), "{wire:?}");
    }
}
