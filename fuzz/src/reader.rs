//! The reader beside `serde_json`: the same verdict and value, but for the policies that DESIGN.md names. And no
//! panic for types that serde has no equal of; what they accept comes back from the writer.

use geode::report::{Code, Report, Violation};
use geode::{StructuredOutput, from_slice, from_str, to_string};

use super::types::{Either, Event, Ticket, Tree, Wide};

/// One round.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else {
        assert!(from_slice::<Ticket>(data).is_err(), "bytes that are no UTF-8");
        return;
    };
    match (from_str::<Ticket>(text), serde_json::from_str::<Ticket>(text)) {
        (Ok(ours), Ok(theirs)) => assert!(same(&ours, &theirs), "{ours:?} and {theirs:?}"),
        (Ok(_), Err(error)) => assert!(we_take_it(text), "serde refuses: {error}"),
        (Err(report), Ok(_)) => assert!(we_refuse_it(&report), "only geode refuses: {report:?}"),
        (Err(report), Err(_)) => told(&report),
    }
    comes_back::<Ticket>(text);
    comes_back::<Wide>(text);
    comes_back::<Event>(text);
    comes_back::<Either>(text);
    comes_back::<Tree>(text);
    comes_back::<Vec<Option<bool>>>(text);
}

/// `serde_json` rounds some decimal fractions differently in the last bit.
fn same(ours: &Ticket, theirs: &Ticket) -> bool {
    let close = (ours.confidence - theirs.confidence).abs() <= ours.confidence.abs() * 1e-15;
    close && *ours == Ticket { confidence: ours.confidence, ..theirs.clone() }
}

/// A byte order mark is taken, and `1.0` and `1e2` are integers.
fn we_take_it(text: &str) -> bool {
    text.starts_with('\u{feff}') || text.contains(['.', 'e', 'E'])
}

/// serde takes an absent `Option`, an array for a struct, and an object for a unit variant.
fn we_refuse_it(report: &Report) -> bool {
    let policy = |violation: &Violation| {
        violation.code() == Code::Missing
            || (violation.code() == Code::Type && violation.found().starts_with(['[', '{']))
    };
    report.violations().iter().all(policy)
}

fn comes_back<T: StructuredOutput + PartialEq + std::fmt::Debug>(text: &str) {
    match from_str::<T>(text) {
        Ok(value) => {
            let written = to_string(&value);
            match from_str::<T>(&written) {
                Ok(back) => assert_eq!(back, value, "{written}"),
                Err(report) => panic!("{written}: {report}"),
            }
        }
        Err(report) => told(&report),
    }
}

/// Every report can be told, and is not empty.
fn told(report: &Report) {
    assert!(!report.violations().is_empty());
    assert!(report.count() >= report.violations().len());
    assert!(!report.to_string().is_empty() && !report.for_model().is_empty());
}
