//! The evaluation cases that every use of structured output should have, over one ticket type.

use geode::StructuredOutput;
use geode::check::Issues;
use geode::client::{Client, RetryPolicy};
use geode::outcome::{Accepted, CallError, Failure, IncompleteReason};
use geode::reply::{FinishReason, Reply};
use geode::report::Code;
use geode::testing::scripted::{ScriptedAdapter, text};

/// A support message, classified.
#[derive(Debug, PartialEq, StructuredOutput)]
#[geode(version = "1")]
struct Ticket {
    category: Category,
    #[geode(length(min = 1, max = 500))]
    summary: String,
    #[geode(range(min = 0.0, max = 1.0))]
    confidence: f64,
    needs_human_review: bool,
    #[geode(items(max = 3))]
    citations: Vec<Citation>,
}

/// Where a statement is from.
#[derive(Debug, PartialEq, StructuredOutput)]
struct Citation {
    document_id: String,
    quote: String,
}

#[derive(Debug, Clone, Copy, PartialEq, StructuredOutput)]
#[geode(rename_all = "snake_case")]
enum Category {
    Billing,
    Technical,
    Account,
    Other,
}

/// The documents that were retrieved for the message.
struct Retrieved(&'static [&'static str]);

fn ticket_rules(ticket: &Ticket, retrieved: &Retrieved, issues: &mut Issues) {
    for (index, citation) in ticket.citations.iter().enumerate() {
        let known = retrieved.0.contains(&citation.document_id.as_str());
        issues.require(known, format!("/citations/{index}/document_id"), "unknown_citation", "not among the documents");
    }
    let reviewed = ticket.confidence >= 0.5 || ticket.needs_human_review;
    issues.require(reviewed, "/needs_human_review", "low_confidence_without_review", "a person must look at it");
}

/// Asks a model that gives this reply, once.
async fn ask(reply: Reply) -> Result<Accepted<Ticket>, CallError> {
    let client = Client::builder(ScriptedAdapter::replies([reply])).retry(RetryPolicy::none()).build();
    let call = client.request().user("I was charged twice.").context(Retrieved(&["d1", "d2"]));
    call.check(ticket_rules).send().await
}

/// A ticket's JSON, in which some members are replaced.
fn ticket(changes: &[(&str, &str)]) -> String {
    let members = [
        ("schemaVersion", r#""1""#),
        ("category", r#""billing""#),
        ("summary", r#""Charged twice.""#),
        ("confidence", "0.9"),
        ("needs_human_review", "false"),
        ("citations", r#"[{"document_id":"d1","quote":"paid twice"}]"#),
    ];
    let change = |name: &str| changes.iter().find(|(changed, _)| *changed == name).map(|(_, value)| *value);
    let members = members.map(|(name, value)| format!("{name:?}:{}", change(name).unwrap_or(value)));
    format!("{{{}}}", members.join(","))
}

#[tokio::test]
async fn a_normal_object() {
    let accepted = ask(text(ticket(&[]))).await.unwrap();
    assert_eq!(accepted.category, Category::Billing);
    assert_eq!(accepted.citations, [Citation { document_id: "d1".into(), quote: "paid twice".into() }]);
}

#[tokio::test]
async fn every_enum_value() {
    let values = [
        ("billing", Category::Billing),
        ("technical", Category::Technical),
        ("account", Category::Account),
        ("other", Category::Other),
    ];
    for (name, value) in values {
        let accepted = ask(text(ticket(&[("category", &format!("{name:?}"))]))).await.unwrap();
        assert_eq!(accepted.category, value);
    }
    let error = ask(text(ticket(&[("category", r#""refunds""#)]))).await.unwrap_err();
    assert_eq!(error.violations().unwrap().violations()[0].code(), Code::UnknownValue);
}

#[tokio::test]
async fn confidence_at_and_beyond_its_limits() {
    for (confidence, value) in [("0", 0.0), ("1", 1.0), ("0.0", 0.0), ("1.0", 1.0), ("1e0", 1.0)] {
        let changes = [("confidence", confidence), ("needs_human_review", "true")];
        assert_eq!(ask(text(ticket(&changes))).await.unwrap().confidence, value);
    }
    for confidence in ["-0.01", "1.01", "1e400", "NaN", r#""0.5""#, "null"] {
        let error = ask(text(ticket(&[("confidence", confidence)]))).await.unwrap_err();
        assert!(error.is_invalid_schema(), "{confidence}: {error}");
    }
}

#[tokio::test]
async fn no_citation_and_the_maximum() {
    let citation = r#"{"document_id":"d2","quote":"q"}"#;
    for (count, fits) in [(0, true), (3, true), (4, false)] {
        let citations = format!("[{}]", vec![citation; count].join(","));
        match ask(text(ticket(&[("citations", &citations)]))).await {
            Ok(accepted) => assert!(fits && accepted.citations.len() == count),
            Err(error) => {
                assert!(!fits);
                let report = error.violations().unwrap();
                assert_eq!(
                    (report.violations()[0].pointer(), report.violations()[0].code()),
                    ("/citations", Code::Items)
                );
            }
        }
    }
}

#[tokio::test]
async fn long_and_non_ascii_strings() {
    // Lengths count characters, not bytes.
    for (summary, fits) in [("ü".repeat(500), true), ("😀".repeat(500), true), ("ü".repeat(501), false)] {
        let answer = ask(text(ticket(&[("summary", &format!("\"{summary}\""))]))).await;
        assert_eq!(answer.is_ok_and(|accepted| accepted.summary == summary), fits);
    }
    let accepted = ask(text(ticket(&[("summary", r#""Zwei \u20ac \ud83d\ude00 „Posten“\n\t\u0000""#)]))).await.unwrap();
    assert_eq!(accepted.summary, "Zwei € 😀 „Posten“\n\t\0");
}

#[tokio::test]
async fn a_refusal_is_never_parsed() {
    // Even where the text beside it would pass every check.
    let reply = Reply { refusal: Some("I can't help with that.".to_owned()), ..text(ticket(&[])) };
    let error = ask(reply).await.unwrap_err();
    assert!(error.is_refusal() && !error.is_retryable());
    assert_eq!(error.refusal(), Some("I can't help with that."));
    assert!(!format!("{error} {error:?}").contains("can't help"));
}

#[tokio::test]
async fn a_token_limit_stop_is_never_parsed() {
    let error = ask(Reply { finish: Some(FinishReason::TokenLimit), ..text(ticket(&[])) }).await.unwrap_err();
    assert!(matches!(error.failure(), Failure::Incomplete { reason: IncompleteReason::TokenLimit }));
    assert!(error.is_retryable());
}

#[tokio::test]
async fn a_cut_answer_is_never_parsed() {
    let error = ask(Reply { finish: None, ..text(ticket(&[])) }).await.unwrap_err();
    assert!(matches!(error.failure(), Failure::Incomplete { reason: IncompleteReason::StreamCut }));
    let error = ask(Reply { finish: Some(FinishReason::ContentFilter), ..text(ticket(&[])) }).await.unwrap_err();
    assert!(matches!(error.failure(), Failure::Incomplete { reason: IncompleteReason::ContentFilter }));
    let error =
        ask(Reply { finish: Some(FinishReason::Other("pause".into())), ..text(ticket(&[])) }).await.unwrap_err();
    assert!(error.is_incomplete());
    // Cut, though the provider says that it is whole: no JSON is closed by force.
    let whole = ticket(&[]);
    for end in 0..whole.len() {
        let error = ask(text(&whole[..end])).await.unwrap_err();
        assert!(error.is_invalid_schema() || (end == 0 && error.is_incomplete()), "cut at {end}: {error}");
    }
}

/// What a consumer of both versions reads.
#[derive(Debug, PartialEq, StructuredOutput)]
#[geode(tag = "schemaVersion")]
enum AnyTicket {
    #[geode(rename = "1")]
    V1 { summary: String },
    #[geode(rename = "2")]
    V2 { summary: String, language: String },
}

#[test]
fn versions_one_and_two_are_read_as_one_union() {
    let v1 = r#"{"schemaVersion":"1","summary":"s"}"#;
    let v2 = r#"{"schemaVersion":"2","summary":"s","language":"de"}"#;
    let read = geode::json::from_str::<AnyTicket>;
    assert_eq!(read(v1).unwrap(), AnyTicket::V1 { summary: "s".into() });
    assert_eq!(read(v2).unwrap(), AnyTicket::V2 { summary: "s".into(), language: "de".into() });
    assert!(read(r#"{"schemaVersion":"3","summary":"s"}"#).is_err());
}

#[tokio::test]
async fn a_closed_version_one_rejects_version_two() {
    let error = ask(text(ticket(&[("schemaVersion", r#""2""#)]))).await.unwrap_err();
    let violation = &error.violations().unwrap().violations()[0];
    assert_eq!((violation.pointer(), violation.code()), ("/schemaVersion", Code::Constant));
}

#[tokio::test]
async fn business_rules_report_every_issue() {
    let citations = r#"[{"document_id":"d1","quote":"q"},{"document_id":"d9","quote":"q"}]"#;
    let error = ask(text(ticket(&[("citations", citations), ("confidence", "0.2")]))).await.unwrap_err();
    assert!(error.is_invalid_business() && !error.is_retryable());
    let found: Vec<_> = error.issues().iter().map(|issue| (issue.pointer.as_str(), issue.code.as_str())).collect();
    assert_eq!(
        found,
        [("/citations/1/document_id", "unknown_citation"), ("/needs_human_review", "low_confidence_without_review"),]
    );
    // Reviewed by a person, a low confidence is fine.
    assert!(ask(text(ticket(&[("confidence", "0.2"), ("needs_human_review", "true")]))).await.is_ok());
}

#[tokio::test]
async fn a_malicious_extra_property_is_a_violation() {
    let answer = ticket(&[]).replacen('{', r#"{"execute_refund":true,"#, 1);
    let error = ask(text(answer)).await.unwrap_err();
    let report = error.violations().unwrap();
    assert_eq!(report.count(), 1);
    let violation = &report.violations()[0];
    assert_eq!((violation.pointer(), violation.code()), ("/execute_refund", Code::UnknownProperty));
}
