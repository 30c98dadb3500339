//! The worker rule: exactly one more run, in time, and never after certain ends.

use std::time::Duration;

use geode::StructuredOutput;
use geode::worker::{SubTask, Termination, Worked, WorkerError, WorkerFault, WorkerRule};

#[derive(Debug, PartialEq, StructuredOutput)]
struct Findings {
    count: u8,
}

const LIMIT: Duration = Duration::from_secs(100);
const GOOD: &str = r#"Done: {"count":5}."#;

/// Runs a sub-task whose first run takes so long and comes to `first`, and whose second comes to `second`. Returns the
/// outcome, and the feedback that the second run was given, where there was one.
async fn work(
    seconds: u64,
    first: (Option<&str>, Termination),
    second: &str,
) -> (Result<Worked<Findings>, WorkerError>, Vec<String>) {
    let mut told = Vec::new();
    let outcome = WorkerRule::new(LIMIT)
        .run(|feedback| {
            let (result, termination) = match feedback {
                None => (first.0.map(str::to_owned), first.1.clone()),
                Some(feedback) => {
                    told.push(feedback);
                    (Some(second.to_owned()), Termination::Completed)
                }
            };
            async move {
                tokio::time::sleep(Duration::from_secs(seconds)).await;
                SubTask { result, termination }
            }
        })
        .await;
    (outcome, told)
}

#[tokio::test(start_paused = true)]
async fn a_good_first_run_is_enough() {
    let (outcome, told) = work(80, (Some(GOOD), Termination::Completed), "").await;
    assert_eq!(outcome.unwrap(), Worked { value: Findings { count: 5 }, runs: 1 });
    assert!(told.is_empty());
}

#[tokio::test(start_paused = true)]
async fn one_more_run_for_each_kind_of_bad_result() {
    for (result, termination, word) in [
        (None, Termination::Completed, "no result"),
        (Some(GOOD), Termination::Failed, "failed"),
        (Some(" \n"), Termination::Completed, "empty"),
        (Some("no object"), Termination::Completed, "JSON object"),
        (Some(r#"{"count":1"#), Termination::Completed, "closed"),
        (Some("{}"), Termination::Completed, "/count"),
        (Some(r#"{"count":300}"#), Termination::Completed, "/count"),
        (Some("{}"), Termination::Other("max_rounds".into()), "/count"),
    ] {
        let (outcome, told) = work(1, (result, termination), GOOD).await;
        assert_eq!(outcome.unwrap().runs, 2);
        assert!(told.len() == 1 && told[0].contains(word), "{told:?}");
    }
}

#[tokio::test(start_paused = true)]
async fn never_a_third_run() {
    let (outcome, told) = work(1, (Some("{}"), Termination::Completed), "{}").await;
    let error = outcome.unwrap_err();
    assert!(matches!(error.fault, WorkerFault::Invalid(_)));
    assert_eq!((error.runs, told.len()), (2, 1));
}

#[tokio::test(start_paused = true)]
async fn only_when_the_first_run_took_under_half_of_the_time() {
    let (outcome, _) = work(49, (Some("{}"), Termination::Completed), GOOD).await;
    assert_eq!(outcome.unwrap().runs, 2);
    for seconds in [50, 51] {
        let (outcome, told) = work(seconds, (Some("{}"), Termination::Completed), GOOD).await;
        assert_eq!(outcome.unwrap_err().runs, 1);
        assert!(told.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn never_after_the_exempt_ends() {
    let exempt = [Termination::InputBlocked, Termination::UserCancelled, Termination::UserClarificationNeeded];
    let names = ["input_blocked", "user_cancelled", "user_clarification_needed"];
    for (termination, name) in exempt.into_iter().zip(names) {
        assert_eq!(serde_json::to_value(&termination).unwrap(), name);
        let (outcome, told) = work(1, (None, termination.clone()), GOOD).await;
        let error = outcome.unwrap_err();
        assert_eq!((error.runs, error.termination), (1, Some(termination)));
        assert!(told.is_empty());
    }
}

#[tokio::test(start_paused = true)]
async fn the_time_limit_ends_a_run() {
    let (outcome, _) = work(101, (Some(GOOD), Termination::Completed), "").await;
    assert!(matches!(outcome.unwrap_err().fault, WorkerFault::TimedOut));
}
