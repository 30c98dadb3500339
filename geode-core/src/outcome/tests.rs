use std::error::Error;

use super::*;
use crate::adapter::{AdapterFault, ProviderError, ProviderErrorKind};
use crate::dialect::{Incompatible, OPENAI_STRICT, lower_schema};
use crate::json::Reader;
use crate::transport::{TransportError, TransportErrorKind};

/// Must show nowhere.
const CONTENT: &str = "s3cr3t";

fn report() -> Report {
    Reader::read::<bool>(&format!("\"{CONTENT}\""), &Default::default()).unwrap_err()
}

fn incompatible() -> Incompatible {
    lower_schema(&r#"{"type":"object","patternProperties":{"^a":{}}}"#.parse().unwrap(), &OPENAI_STRICT).unwrap_err()
}

/// A state, and whether an error is the cause that it has to give; `None` where it has none.
type Case = (Failure, Option<fn(&(dyn Error + 'static)) -> bool>);

/// One of each, in the order of their declaration.
fn all() -> Vec<Case> {
    let broken = TransportError::new(TransportErrorKind::Interrupted, "the connection broke");
    let broken = broken.with_source(std::io::Error::from(std::io::ErrorKind::ConnectionReset));
    let reported = ProviderError::new(ProviderErrorKind::Server, Some(500), None, "try later".to_owned());
    let issue = Issue { pointer: "/a".into(), code: "unknown_citation".into(), message: CONTENT.into() };
    vec![
        (Failure::Refused { reason: Redacted(CONTENT.into()) }, None),
        (Failure::Incomplete { reason: IncompleteReason::TokenLimit }, None),
        (Failure::InvalidSchema(report()), Some(|cause| cause.is::<Report>())),
        (Failure::InvalidBusiness(vec![issue]), Some(|cause| cause.is::<Issue>())),
        (
            Failure::Transport(broken),
            Some(|cause| {
                cause.is::<TransportError>() && cause.source().is_some_and(|cause| cause.is::<std::io::Error>())
            }),
        ),
        (Failure::Adapter(AdapterFault::Provider(Box::new(reported))), Some(|cause| cause.is::<AdapterFault>())),
        (Failure::Schema(incompatible()), Some(|cause| cause.is::<Incompatible>())),
        (Failure::Unsupported { reason: "no tools".into() }, None),
        (Failure::StructuredOutputFailed { reminders: 2 }, None),
        (Failure::DeadlineExceeded, None),
        (Failure::Earlier { kind: "refused".into(), message: "the model declined".into() }, None),
    ]
}

/// A new state has to stand here, and then in the list.
fn position(failure: &Failure) -> usize {
    match failure {
        Failure::Refused { .. } => 0,
        Failure::Incomplete { .. } => 1,
        Failure::InvalidSchema(_) => 2,
        Failure::InvalidBusiness(_) => 3,
        Failure::Transport(_) => 4,
        Failure::Adapter(_) => 5,
        Failure::Schema(_) => 6,
        Failure::Unsupported { .. } => 7,
        Failure::StructuredOutputFailed { .. } => 8,
        Failure::DeadlineExceeded => 9,
        Failure::Earlier { .. } => 10,
    }
}

#[test]
fn every_state_with_an_error_behind_it_gives_that_and_none_shows_content() {
    let positions: Vec<usize> = all().iter().map(|(failure, _)| position(failure)).collect();
    assert_eq!(positions, Vec::from_iter(0..=10));
    for (failure, is_cause) in all() {
        let error = CallError::new(failure, Account::default());
        match (error.source(), is_cause) {
            (Some(cause), Some(is_cause)) => assert!(is_cause(cause), "{error}: {cause:?}"),
            (None, None) => {}
            (cause, _) => panic!("{error}: {cause:?}"),
        }
        let mut level: Option<&(dyn Error + 'static)> = Some(&error);
        while let Some(error) = level {
            let shown = format!("{error} {error:?}");
            assert!(!shown.contains(CONTENT) && !shown.trim().is_empty(), "{shown}");
            level = error.source();
        }
    }
}
