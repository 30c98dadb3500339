//! Valid arguments are no permission: a refund goes through parsing, authorization and approval before it runs.
//!
//!     cargo run --example tools      # no key, no network
//!
//! The model here is the embedded extractor, which proposes a call for each message. What happens to the proposal is the
//! same with any model.

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;

use geode::StructuredOutput;
use geode::adapter::embedded::Embedded;
use geode::agent::Budget;
use geode::client::Client;
use geode::message::{Message, Part};
use geode::tool::{Caller, Decision, Denial, Proposal, Tier, ToolError, from_fn};

/// What the model passes to `refund`.
#[derive(StructuredOutput)]
struct Refund {
    /// The order number.
    #[geode(pattern = "^[A-Z]{2}-[0-9]{5}$")]
    order: String,
    /// The amount of money to pay back, in euros.
    #[geode(range(min = 1.0, max = 500.0))]
    amount: f64,
}

/// What `refund` gives back.
#[derive(serde::Serialize)]
struct Receipt {
    order: String,
    amount: f64,
    receipt: &'static str,
}

/// What the shop knows of an order.
#[derive(Clone)]
struct Order {
    owner: &'static str,
    days_old: u32,
}

/// Days in which an order can be paid back.
const WINDOW: u32 = 30;

const MESSAGES: [(&str, &str); 4] = [
    ("valid", "Please refund 40 euros for my order AB-10001."),
    ("wrong owner", "Please refund 40 euros for my order AB-10002."),
    ("expired window", "Please refund 25 euros for my order AB-10003."),
    ("invalid arguments", "Please refund 40 euros for my last order."),
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let orders = BTreeMap::from([
        ("AB-10001", Order { owner: "customer-7", days_old: 4 }),
        ("AB-10002", Order { owner: "customer-8", days_old: 4 }),
        ("AB-10003", Order { owner: "customer-7", days_old: 90 }),
    ]);

    let refund =
        from_fn("refund", "Pays an order back: refund the amount to its owner.", |refund: Refund| async move {
            Ok::<_, ToolError>(Receipt { order: refund.order, amount: refund.amount, receipt: "R-1" })
        })
        .tier(Tier::Write)
        // The step between a valid proposal and its execution. The caller comes from the program, never from the model.
        .authorize(move |refund: &Refund, caller: &Caller| match orders.get(refund.order.as_str()) {
            None => Err(Denial::new("there is no such order")),
            Some(order) if order.owner != caller.id() => Err(Denial::new("the order belongs to somebody else")),
            Some(order) if order.days_old > WINDOW => {
                Err(Denial::new(format!("the order is {} days old, and the window is {WINDOW} days", order.days_old)))
            }
            Some(_) => Ok(()),
        });

    // A tool that writes waits for an approval of its own. Here a policy gives it; it could be a person.
    let approver = |proposal: Proposal<'_>| {
        println!("  approval of {} {}: given", proposal.tool, proposal.input);
        async { Decision::Approve }
    };

    let agent = Client::new(Embedded::new())
        .agent()
        .instruction("Handle refunds.")
        .tool(refund)
        .approver(approver)
        .caller(Caller::new("customer-7"))
        .budget(Budget::default().rounds(3));

    for (case, message) in MESSAGES {
        println!("{case}: {message}");
        let mut session = agent.session();
        session.run_text(message).await?;
        for message in session.history() {
            show(message);
        }
        println!();
    }
    Ok(())
}

fn show(message: &Message) {
    match message {
        Message::Assistant { tool_uses, .. } => {
            for call in tool_uses {
                println!("  proposed: {} {}", call.name, call.input);
            }
        }
        Message::ToolResults { results } => {
            for result in results {
                for part in &result.content {
                    if let Part::Text { text } = part {
                        println!("  {} {text}", if result.is_error { "refused:" } else { "done:" });
                    }
                }
            }
        }
        _ => {}
    }
}
