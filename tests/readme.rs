//! What the README shows is what this version does, word by word.

use geode::StructuredOutput;

/// A support ticket.
#[derive(Debug, StructuredOutput)]
#[allow(dead_code)]
struct Ticket {
    /// What it is about.
    category: Category,
    /// How sure the classification is.
    #[geode(range(min = 0.0, max = 1.0))]
    confidence: f64,
    /// The order number, where the message names one.
    #[geode(pattern = "^[A-Z]{2}-[0-9]{5}$")]
    order: Option<String>,
}

#[derive(Debug, StructuredOutput)]
#[geode(rename_all = "snake_case")]
enum Category {
    /// Charges, payments, refunds, invoices.
    Billing,
    /// Crashes, errors, pages that fail.
    Technical,
    /// Anything else.
    Other,
}

const README: &str = include_str!("../README.md");

#[track_caller]
fn shows(text: &str) {
    assert!(README.contains(text.trim_end()), "the README does not show:\n{text}");
}

#[test]
fn the_schema_is_shown() {
    shows(&geode::schema::<Ticket>().to_pretty());
}

#[test]
fn the_report_and_the_feedback_are_shown() {
    let wrong = r#"{"category": "biling", "confidence": 1.5, "order": "12345", "execute_refund": true}"#;
    shows(wrong);
    let report = geode::from_str::<Ticket>(wrong).unwrap_err();
    shows(&report.to_string());
    shows(&report.for_model());
}

#[test]
fn the_compile_error_is_shown() {
    let message = include_str!("../geode-derive/tests/ui/constraint/wrong_shape.stderr");
    shows(message.split("\n  |\n  = note").next().unwrap());
}

#[test]
fn the_example_is_the_quickstart() {
    let quickstart = include_str!("../examples/quickstart.rs");
    let types = quickstart.split("/// A support ticket.").nth(1).unwrap().split("#[tokio::main").next().unwrap();
    shows(types);
}

#[test]
fn the_adapters_are_listed() {
    for line in include_str!("../docs/adapters.md").lines() {
        if let Some(name) = line.strip_prefix("| `").and_then(|rest| rest.split('`').next()) {
            shows(&format!("`{name}`"));
        }
    }
}
