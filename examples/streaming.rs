//! A live preview of an answer: fields fill in while they come, and the value is there only at the end.
//!
//! Runs offline on the embedded adapter, which is no language model: `cargo run --example streaming`. On a terminal the
//! preview is redrawn in place; elsewhere each change is a line.
#![allow(clippy::print_stdout, reason = "an example")]

use std::io::{IsTerminal, Write};
use std::time::Duration;

use geode::adapter::embedded::Embedded;
use geode::client::Client;
use geode::json::stream::Progress;
use geode::{Partial, StructuredOutput};

/// A support ticket, sorted.
#[derive(Debug, StructuredOutput, Partial)]
struct Ticket {
    /// What it is about.
    category: Category,
    /// The customer's own words.
    reason: String,
    /// Whether money is to be paid back.
    refund: bool,
    /// What the ticket names.
    items: Vec<Item>,
}

#[derive(Debug, Clone, Copy, StructuredOutput, Partial)]
#[serde(rename_all = "snake_case")]
enum Category {
    /// Charges, invoices and refunds.
    Billing,
    /// Something does not work.
    Technical,
    /// Parcels and delivery.
    Shipping,
}

#[derive(Debug, StructuredOutput, Partial)]
struct Item {
    /// How many.
    quantity: u32,
    /// The sentence that names it.
    quote: String,
}

const TEXT: &str = "I was charged twice for 2 chairs on order 118 and want a refund. The invoice shows both charges.";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(Embedded::new());
    println!("text: {TEXT}\n");

    let mut answer = client.stream::<Ticket>(TEXT);
    let mut screen = Screen::new();
    while answer.next().await.is_some() {
        if let Some(ticket) = answer.partial() {
            screen.show(&lines(&ticket))?;
            // as slow as a model, for eyes
            tokio::time::sleep(screen.pause()).await;
        }
    }

    let ticket = answer.finish().await?;
    println!("\naccepted: {:#?}", ticket.value);
    println!("{} tokens written", ticket.usage().output_tokens);
    Ok(())
}

/// The preview in lines.
fn lines(ticket: &TicketPartial<'_>) -> Vec<String> {
    let items = match ticket.items.shown() {
        None => "…".to_owned(),
        Some(items) => {
            let each = items.iter().filter_map(|item| {
                let item = item.shown()?;
                let quantity = item.quantity.done().map_or("…".to_owned(), u32::to_string);
                Some(format!("{quantity}, from: {}", text(&item.quote)))
            });
            each.collect::<Vec<_>>().join(", ")
        }
    };
    vec![
        format!("category  {}", ticket.category.done().map_or("…".to_owned(), |category| format!("{category:?}"))),
        format!("reason    {}", text(&ticket.reason)),
        format!("refund    {}", ticket.refund.done().map_or("…", |refund| if *refund { "yes" } else { "no" })),
        format!("items     {items}"),
    ]
}

/// A string with a mark while it grows.
fn text(progress: &Progress<&str>) -> String {
    match progress {
        Progress::Pending => "…".to_owned(),
        Progress::Growing(text) => format!("{text}▌"),
        Progress::Done(text) => (*text).to_owned(),
    }
}

/// Draws in place on a terminal, and prints what has changed elsewhere.
struct Screen {
    terminal: bool,
    shown: Vec<String>,
}

impl Screen {
    fn new() -> Self {
        Screen { terminal: std::io::stdout().is_terminal(), shown: Vec::new() }
    }

    fn pause(&self) -> Duration {
        if self.terminal { Duration::from_millis(120) } else { Duration::ZERO }
    }

    fn show(&mut self, lines: &[String]) -> std::io::Result<()> {
        let mut out = std::io::stdout().lock();
        if self.terminal {
            if !self.shown.is_empty() {
                // up to the first line of the preview
                write!(out, "\x1b[{}A", self.shown.len())?;
            }
            for line in lines {
                writeln!(out, "\x1b[2K{line}")?;
            }
        } else {
            for (index, line) in lines.iter().enumerate() {
                if self.shown.get(index) != Some(line) && !line.ends_with('…') {
                    writeln!(out, "  {line}")?;
                }
            }
        }
        self.shown = lines.to_vec();
        out.flush()
    }
}
