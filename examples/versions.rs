//! Two versions of a schema in one store: read as one union, taken to the latest; and what a change breaks. No key, no
//! network.
//!
//!     cargo run --example versions

#![allow(clippy::print_stdout)]

use geode::StructuredOutput;
use geode::record::{Record, RecordOf};
use geode::schema::compare;

/// A support ticket, as it was asked for until March.
#[derive(Debug, StructuredOutput)]
#[geode(version = "1", name = "Ticket")]
struct TicketV1 {
    /// What it is about.
    topic: Topic,
    /// Whether it can't wait.
    urgent: bool,
}

/// A support ticket.
#[derive(Debug, StructuredOutput)]
#[geode(version = "2", name = "Ticket")]
struct TicketV2 {
    /// What it is about.
    topic: TopicV2,
    /// 1 is the most urgent.
    #[geode(range(min = 1, max = 4))]
    priority: u8,
}

#[derive(Debug, StructuredOutput)]
#[geode(rename_all = "snake_case")]
enum Topic {
    Billing,
    Technical,
}

#[derive(Debug, StructuredOutput)]
#[geode(rename_all = "snake_case", name = "Topic")]
enum TopicV2 {
    Billing,
    Technical,
    /// New in 2.
    Shipping,
}

/// A ticket of whatever version: what a consumer reads.
#[derive(Debug, StructuredOutput)]
#[geode(versions)]
enum AnyTicket {
    V1(TicketV1),
    V2(TicketV2),
}

/// The step from one version to the next is an ordinary `From`.
impl From<TicketV1> for TicketV2 {
    fn from(old: TicketV1) -> Self {
        TicketV2 {
            topic: match old.topic {
                Topic::Billing => TopicV2::Billing,
                Topic::Technical => TopicV2::Technical,
            },
            priority: if old.urgent { 1 } else { 3 },
        }
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Producers of both versions wrote into one store.
    let store = [
        serde_json::to_string(&Record::new(TicketV1 { topic: Topic::Billing, urgent: true }, "triage-6"))?,
        serde_json::to_string(&Record::new(TicketV2 { topic: TopicV2::Shipping, priority: 2 }, "triage-7"))?,
    ];
    println!("Stored records, read as one union and taken to the latest version:\n");
    for line in &store {
        let stored: RecordOf = serde_json::from_str(line)?;
        let version = stored.version.clone().unwrap_or_default();
        let record = stored.open_stored::<AnyTicket>()?;
        let release = record.prompt_release.as_deref().unwrap_or("none");
        println!("  version {version} by {release}: {:?}", record.value.latest());
    }

    println!("\nA consumer that knows version 1 alone gets a document of version 2:\n");
    let newer = geode::to_string(&TicketV2 { topic: TopicV2::Billing, priority: 2 });
    if let Err(report) = geode::from_str::<TicketV1>(&newer) {
        indent(&report.to_string());
    }

    println!("\nA consumer that knows 1 and 2 gets a document of version 3:\n");
    if let Err(report) = geode::from_str::<AnyTicket>(r#"{"topic": "billing", "schemaVersion": "3"}"#) {
        indent(&report.to_string());
    }

    println!("\nWhat changed from 1 to 2, and whom it breaks:\n");
    for change in compare(&geode::schema::<TicketV1>(), &geode::schema::<TicketV2>()) {
        println!("  {change}");
    }

    println!("\nA consumer of version 1 that becomes one of the union breaks no producer, so it is deployed first:\n");
    for change in compare(&geode::schema::<TicketV1>(), &geode::schema::<AnyTicket>()) {
        println!("  {change}");
    }
    Ok(())
}

fn indent(text: &str) {
    text.lines().for_each(|line| println!("  {line}"));
}
