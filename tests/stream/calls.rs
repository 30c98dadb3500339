//! Streamed calls: previews while the answer comes, one checked value at its end, and nothing from what was cut.

use std::sync::Arc;
use std::sync::atomic::Ordering;

use geode::adapter::openai_responses;
use geode::client::{Client, Fallback, Update};
use geode::json::stream::State;
use geode::outcome::{CallError, Failure, IncompleteReason, Outcome};
use serde_json::json;

use crate::fixtures::{ANSWER, Line, Scripted, Ticket, pieces, responses_events, ticket, wires};

fn client(transport: Scripted) -> Client {
    Client::builder(openai_responses::payg("dummy").model("m")).transport(transport).build()
}

fn answering(text: &str) -> Client {
    client(Scripted::events(responses_events(&pieces(text, 5))))
}

async fn failed(client: &Client) -> CallError {
    client.stream::<Ticket>("x").finish().await.expect_err("must fail")
}

#[tokio::test]
async fn previews_grow_and_the_value_comes_last() {
    let mut answer = answering(ANSWER).stream::<Ticket>("Two chairs were charged twice.");
    let mut reasons = Vec::new();
    let mut before_end = 0;
    while let Some(update) = answer.next().await {
        let Update::Answer(preview) = update else { panic!("{update:?}") };
        before_end += usize::from(preview.state() == State::Growing);
        if let Some(reason) = preview.get("/reason") {
            reasons.push((reason.as_str().unwrap().to_owned(), reason.is_done()));
        }
    }
    assert!(before_end > 10);
    assert!(reasons.windows(2).all(|pair| pair[1].0.starts_with(&pair[0].0)));
    assert_eq!(reasons.iter().find(|reason| reason.1).unwrap().0, ticket().reason);
    let accepted = answer.finish().await.unwrap();
    assert_eq!(*accepted, ticket());
    assert_eq!((accepted.usage().input_tokens, accepted.usage().output_tokens), (11, 7));
    assert_eq!(accepted.request_id(), Some("req-9"));
    assert_eq!(accepted.account().attempts.len(), 1);
    assert_eq!(accepted.account().raw_text(), ANSWER);
}

#[tokio::test]
async fn finish_alone_is_enough() {
    assert_eq!(answering(ANSWER).stream::<Ticket>("x").finish().await.unwrap().into_value(), ticket());
}

#[tokio::test]
async fn every_wire_gives_the_same_however_its_bytes_are_cut() {
    for wire in wires() {
        let body = (wire.events)(&pieces(ANSWER, 7)).concat();
        let mut last = None;
        for size in [1, 2, 3, 5, 17, 256, body.len()] {
            let client = Client::builder(Arc::clone(&wire.adapter)).transport(Scripted::cut(&body, size)).build();
            let mut answer = client.stream::<Ticket>("x");
            let mut shown = Vec::new();
            while let Some(update) = answer.next().await {
                let Update::Answer(preview) = update else { panic!("{update:?}") };
                shown.push(preview.get("/reason").and_then(|reason| reason.as_str()).map(str::to_owned));
            }
            let accepted = answer.finish().await.unwrap_or_else(|error| panic!("{} by {size}: {error}", wire.name));
            assert_eq!((&*accepted, accepted.usage().output_tokens), (&ticket(), 7), "{} by {size}", wire.name);
            let last = last.get_or_insert_with(|| shown.clone());
            assert_eq!(*last, shown, "{} by {size}", wire.name);
        }
    }
}

#[tokio::test]
async fn a_stream_cut_after_any_event_is_incomplete() {
    for wire in wires() {
        let events = (wire.events)(&pieces(ANSWER, 40));
        // chat is complete with its finish reason, the others with their last event
        let complete = if wire.name == "chat" { events.len() - 2 } else { events.len() };
        for kept in 0..complete {
            let client =
                Client::builder(Arc::clone(&wire.adapter)).transport(Scripted::events(events[..kept].to_vec())).build();
            let error = failed(&client).await;
            assert!(
                matches!(error.failure(), Failure::Incomplete { reason: IncompleteReason::StreamCut }),
                "{} after {kept} events: {error:?}",
                wire.name
            );
        }
    }
}

#[tokio::test]
async fn a_prefix_that_cannot_be_mended_stops_the_exchange() {
    let text = ANSWER.replace("\"lines\"", "\"execute_refund\": true, \"lines\"");
    let transport = Scripted::events(responses_events(&pieces(&text, 5)));
    let client = client(transport.clone());
    let error = failed(&client).await;
    let Failure::InvalidSchema(report) = error.failure() else { panic!("{error}") };
    assert_eq!(report.violations()[0].pointer(), "/execute_refund");
    let read = transport.taken.load(Ordering::Relaxed);
    assert!((10..20).contains(&read), "{read} events were read");
    assert_eq!(Arc::strong_count(&transport.alive), 2, "the stream is gone, the test and its client remain");
    assert_eq!(error.account().attempts[0].outcome, Outcome::InvalidSchema);
    assert!(error.account().notes.iter().any(|note| note.message.contains("first violation")));
}

#[tokio::test]
async fn the_end_is_checked_by_the_ordinary_reader() {
    let error = failed(&answering(&ANSWER.replace("\"quantity\": 10", "\"quantity\": 100.5e0"))).await;
    assert!(error.is_invalid_schema(), "{error}");
    let checked = answering(ANSWER)
        .request::<Ticket>()
        .user("x")
        .check(|ticket, _, issues| {
            issues.require(ticket.lines.len() < 2, "/lines", "one_line", "more than one line");
        })
        .stream();
    assert!(checked.finish().await.unwrap_err().is_invalid_business());
}

#[tokio::test]
async fn a_refusal_is_shown_and_ends_in_refused() {
    let event = |data: serde_json::Value| format!("data: {data}\n\n");
    let refusal = json!({"type": "message", "id": "i", "content": [{"type": "refusal", "refusal": "I can't."}]});
    let events = vec![
        event(json!({"type": "response.refusal.delta", "delta": "I can"})),
        event(json!({"type": "response.refusal.delta", "delta": "'t."})),
        event(
            json!({"type": "response.completed", "response": {"id": "r", "status": "completed", "output": [refusal]}}),
        ),
    ];
    let mut answer = client(Scripted::events(events)).stream::<Ticket>("x");
    let mut shown = Vec::new();
    while let Some(update) = answer.next().await {
        let Update::Refusal(text) = update else { panic!("{update:?}") };
        shown.push(text.to_owned());
    }
    assert_eq!(shown, ["I can", "I can't."]);
    assert!(answer.finish().await.unwrap_err().is_refusal());
}

#[tokio::test]
async fn an_error_in_the_stream_is_the_providers() {
    let mut events = responses_events(&pieces(ANSWER, 40));
    events.truncate(3);
    events.push(format!("data: {}\n\n", json!({"type": "error", "code": "server_error", "message": "overloaded"})));
    let error = failed(&client(Scripted::events(events))).await;
    assert!(matches!(error.failure(), Failure::Adapter(_)), "{error:?}");
}

#[tokio::test]
async fn elements_come_as_they_complete() {
    let transport = Scripted::events(responses_events(&pieces(ANSWER, 5)));
    let mut answer = client(transport.clone()).stream::<Ticket>("x");
    let mut lines = answer.elements::<Line>("/lines");
    let mut read = Vec::new();
    for expected in &ticket().lines {
        assert_eq!(lines.next().await.unwrap().unwrap(), *expected);
        read.push(transport.taken.load(Ordering::Relaxed));
    }
    assert!(read[0] < read[1], "the first came before the second was there: {read:?}");
    assert!(lines.next().await.is_none());
    assert_eq!(answer.finish().await.unwrap().into_value(), ticket());
}

#[tokio::test]
async fn elements_of_a_wrapped_root_list() {
    let text = r#"{"value": [{"item": "a", "quantity": 1}, {"item": "b", "quantity": 2}]}"#;
    let mut answer = answering(text).stream::<Vec<Line>>("x");
    let mut lines = answer.elements::<Line>("");
    let mut items = Vec::new();
    while let Some(line) = lines.next().await {
        items.push(line.unwrap().item);
    }
    assert_eq!(items, ["a", "b"]);
    assert_eq!(answer.preview().unwrap().elements().count(), 2);
    assert_eq!(answer.finish().await.unwrap().len(), 2);
}

#[tokio::test]
async fn nothing_is_read_ahead() {
    let transport = Scripted::events(responses_events(&pieces(ANSWER, 2)));
    let mut answer = client(transport.clone()).stream::<Ticket>("x");
    assert_eq!(transport.taken.load(Ordering::Relaxed), 0, "nothing is sent before it is asked for");
    for shown in 1..10 {
        answer.next().await.unwrap();
        // two events stand in front of the text
        assert!(transport.taken.load(Ordering::Relaxed) <= shown + 3);
    }
    drop(answer);
    assert_eq!(Arc::strong_count(&transport.alive), 1, "dropping the answer ends the exchange");
}

#[tokio::test]
async fn a_fallback_steps_in_behind_a_cut_stream() {
    let mut events = responses_events(&pieces(ANSWER, 40));
    events.pop();
    let answer =
        client(Scripted::events(events)).request::<Ticket>().user("x").fallback(Fallback::value(ticket())).stream();
    let accepted = answer.finish().await.unwrap();
    assert!(accepted.account().fallback.is_some());
}

#[tokio::test]
async fn the_embedded_adapter_streams_too() {
    let client = Client::new(geode::adapter::embedded::Embedded::new());
    let mut answer = client.stream::<Line>("I want 12 chairs.");
    let mut updates = 0;
    while answer.next().await.is_some() {
        updates += 1;
    }
    assert!(updates > 1);
    assert_eq!(answer.finish().await.unwrap().quantity, 12);
}
