//! The README's example: one type, one call, one checked value. No key, no network.

#![allow(clippy::print_stdout)]

use geode::StructuredOutput;
use geode::adapter::embedded::Embedded;
use geode::client::Client;

/// A support ticket.
#[derive(Debug, StructuredOutput)]
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

#[derive(Debug, PartialEq, StructuredOutput)]
#[geode(rename_all = "snake_case")]
enum Category {
    /// Charges, payments, refunds, invoices.
    Billing,
    /// Crashes, errors, pages that fail.
    Technical,
    /// Anything else.
    Other,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    // A small deterministic extractor, so that this runs without a key. `Client::from_env()` asks a provider.
    let client = Client::new(Embedded::new());
    let ticket = client.call::<Ticket>("Two charges on my card for order AB-12345, please refund one.").await?;
    println!("{:#?}", *ticket);

    println!("\nits schema:\n{}", geode::schema::<Ticket>().to_pretty());

    let wrong = r#"{"category": "biling", "confidence": 1.5, "order": "12345", "execute_refund": true}"#;
    let report = geode::from_str::<Ticket>(wrong).unwrap_err();
    println!("\na wrong answer:\n{report}\n\nwhat goes back to the model:\n{}", report.for_model());
    Ok(())
}
