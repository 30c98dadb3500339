//! A batch with progress: a file of inputs, called with bounded concurrency and a journal. Kill it and start it again, and
//! it goes on where it stopped. No key, no network.
//!
//!     cargo run --example many                 # the messages shipped with the triage example
//!     cargo run --example many -- FILE JOURNAL # one input a paragraph, divided by `---`

#![allow(clippy::print_stdout, clippy::print_stderr)]

use std::io::IsTerminal as _;
use std::path::PathBuf;

use futures_util::{StreamExt as _, stream};
use geode::StructuredOutput;
use geode::adapter::embedded::Embedded;
use geode::client::Client;
use geode::volume::Progress;

/// What a message is about.
#[derive(Debug, Clone, Copy, StructuredOutput)]
#[geode(rename_all = "snake_case")]
enum Subject {
    /// Charges, payments, refunds, invoices.
    Billing,
    /// Crashes, errors, pages that fail.
    Technical,
    /// Login, password, locked accounts.
    Account,
    /// Parcels, shipping, late delivery.
    Delivery,
    /// Anything else.
    Other,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let text = match arguments.next() {
        Some(path) => std::fs::read_to_string(&path).map_err(|error| format!("{path} can't be read: {error}"))?,
        None => include_str!("data/support_messages.txt").to_owned(),
    };
    let inputs: Vec<String> =
        text.split("\n---\n").map(str::trim).filter(|input| !input.is_empty()).map(str::to_owned).collect();
    let total = inputs.len();
    let shown = inputs.clone();

    let client = Client::new(Embedded::new());
    let mut run = client
        .many(stream::iter(inputs), |client, input| {
            client.request::<Subject>().system("Say what the message is about.").user(input)
        })
        .concurrency(4)
        .on_progress(move |progress| bar(progress, total));
    if let Some(journal) = arguments.next() {
        run = run.journal(PathBuf::from(journal));
    }
    let mut items = run.run()?;
    while let Some(item) = items.next().await {
        let input: String = shown.get(item.index).into_iter().flat_map(|input| input.chars().take(60)).collect();
        let origin = if item.resumed { " (from the journal)" } else { "" };
        match item.result {
            Ok(subject) => println!("{:9} {input}{origin}", format!("{:?}", *subject)),
            Err(error) => println!("{:9} {input}: {error}{origin}", "failed"),
        }
    }
    Ok(())
}

/// A bar: on a terminal it grows; elsewhere it is a line when all is done.
fn bar(progress: &Progress, total: usize) {
    let is_over = progress.done == total;
    if std::io::stderr().is_terminal() || is_over {
        let filled = "#".repeat(progress.done * 30 / total.max(1));
        let (done, failed, resumed) = (progress.done, progress.failed(), progress.resumed);
        eprint!("\r[{filled:30}] {done}/{total}, {failed} failed, {resumed} from the journal");
    }
    if is_over {
        eprintln!();
    }
}
