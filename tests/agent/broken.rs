//! Watched runs whose stream breaks: no tool of that answer runs, and nothing that was shown is shown again.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Duration;

use geode::client::RetryPolicy;
use geode::outcome::{Failure, IncompleteReason};

use super::streams::{WIRES, events};
use super::watched::{both, searching};
use super::*;
use crate::support::server::{Piece, Server};

#[tokio::test]
async fn a_cut_stream_runs_no_tool_wherever_it_is_cut() {
    for wire in WIRES {
        let whole = (wire.calls)("Let me look.", &both());
        for kept in 0..whole.len() - wire.after - 1 {
            let server = Server::start([events(&whole[..kept])]).await;
            let runs = Arc::default();
            let agent = searching((wire.adapter)(&server.url), &runs).retry(RetryPolicy::none());
            let mut session = agent.session();
            let error = session.stream_text("Is it due?").finish().await.unwrap_err();
            let cut = matches!(
                error.failure(),
                geode::agent::AgentFailure::Call(Failure::Incomplete { reason: IncompleteReason::StreamCut })
            );
            assert!(cut, "{} after {kept} events: {error:?}", wire.name);
            assert_eq!(runs.load(Ordering::SeqCst), 0, "{} after {kept} events", wire.name);
            assert_eq!(session.history(), [Message::user("Is it due?")], "{} after {kept} events", wire.name);
        }
    }
}

#[tokio::test]
async fn a_broken_stream_is_not_taken_up_again_and_the_session_goes_on() {
    let wire = &WIRES[1];
    let mut broken = events(&(wire.calls)("Let me look.", &both())[..4]);
    broken.pieces.push(Piece::Break);
    let server = Server::start([broken, events(&(wire.text)("It is."))]).await;
    let runs = Arc::default();
    let mut session = searching((wire.adapter)(&server.url), &runs).session();
    let mut run = session.stream_text("Is it due?");
    let mut updates = 0;
    while run.next().await.is_some() {
        updates += 1;
    }
    assert!(updates > 2 && run.finish().await.is_err());
    assert_eq!(session.go_on_text().await.unwrap().value, "It is.");
    assert_eq!(runs.load(Ordering::SeqCst), 0);
}

/// Until something was shown, a stream that is cut is like an exchange that failed.
#[tokio::test]
async fn a_stream_that_is_cut_before_anything_was_shown_is_tried_again() {
    let wire = &WIRES[1];
    let server = Server::start([events(&[]), events(&(wire.text)("It is."))]).await;
    let quick = RetryPolicy::default().delays(Duration::from_millis(1), Duration::from_millis(1));
    let mut session = searching((wire.adapter)(&server.url), &Arc::default()).retry(quick).session();
    let answer = session.stream_text("Is it due?").finish().await.unwrap();
    assert_eq!((answer.value.as_str(), answer.account().attempts.len()), ("It is.", 2));
    assert_eq!(server.asked().len(), 2);
}

/// A provider's error in the stream is tried again before anything of the answer was shown, and never after.
#[tokio::test]
async fn an_error_in_the_stream_is_tried_again_only_where_nothing_was_shown() {
    let wire = &WIRES[1];
    let overloaded =
        "data: {\"error\":{\"message\":\"The server is overloaded\",\"type\":\"server_error\",\"code\":503}}\n\n";
    let quick = RetryPolicy::default().delays(Duration::from_millis(1), Duration::from_millis(1));
    for (shown, attempts) in [(0, 2), (1, 1)] {
        let mut broken = (wire.text)("It is.");
        broken.truncate(shown);
        broken.push(overloaded.to_owned());
        let server = Server::start([events(&broken), events(&(wire.text)("It is."))]).await;
        let agent = searching((wire.adapter)(&server.url), &Arc::default()).retry(quick.clone());
        let mut session = agent.session();
        let outcome = session.stream_text("Is it due?").finish().await;
        assert_eq!(server.asked().len(), attempts, "{outcome:?}");
        match outcome {
            Ok(answer) => assert_eq!((shown, answer.value.as_str()), (0, "It is.")),
            Err(error) => assert!(shown == 1 && error.is_transport() && error.is_retryable(), "{error:?}"),
        }
    }
}
