//! Which provider: what each would hold a model to and what it would weaken, known before anything is sent; and a second
//! one for when the first is down. No key, no network.
//!
//!     cargo run --example providers                            # a few of them
//!     cargo run --example providers -- bedrock vllm claude-cli # others: any name of docs/adapters.md

#![allow(clippy::print_stdout)]

use geode::StructuredOutput;
use geode::adapter::embedded::Embedded;
use geode::adapter::{Adapter, Enforcement, openai_chat, registry};
use geode::client::{Client, Fallback, RetryPolicy};
use geode::dialect;

/// What a claim for expenses asks for.
#[derive(Debug, StructuredOutput)]
struct Claim {
    /// The amount that was paid.
    #[geode(range(min = 0, max = 5000))]
    amount: f64,
    /// The receipt's number, where one is named.
    #[geode(pattern = "^R-[0-9]{4}$")]
    receipt: Option<String>,
    /// The documents that prove it.
    #[geode(items(min = 1, max = 20))]
    documents: Vec<String>,
}

/// What an adapter would do with the type, from its data alone.
fn describe(adapter: &dyn Adapter) {
    let able = adapter.capabilities();
    let held = match able.native {
        Enforcement::Enforced => "holds the model to the schema",
        Enforcement::Hint => "shows the model the schema",
        Enforcement::None => "takes no schema: it goes by a tool or the prompt",
    };
    println!("{}: {held}", adapter.name());
    match dialect::lower(Claim::SHAPE, able.dialect) {
        Ok(plan) if plan.weakenings.is_empty() => println!("    loses nothing on the wire"),
        Ok(plan) => plan.weakenings.iter().for_each(|lost| {
            println!("    checked here alone: {} of {}", lost.keyword, lost.pointer);
        }),
        Err(misfit) => println!("    can't be sent: {misfit}"),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut names: Vec<String> = std::env::args().skip(1).collect();
    if names.is_empty() {
        names = ["openai-payg", "anthropic-payg", "gemini", "ollama", "glm-payg"].map(str::to_owned).to_vec();
    }
    for name in &names {
        // Nothing is sent, so any key will do where none is set.
        let adapter = registry::by_name(name, &|name| Some(std::env::var(name).unwrap_or_else(|_| "none".to_owned())))?;
        describe(&*adapter);
    }

    // A server that nobody started, and what steps in for it. The account says who answered.
    let down = openai_chat::compatible("http://127.0.0.1:9/v1").model("some-model");
    let client = Client::builder(down).retry(RetryPolicy::none()).build();
    let claim = client
        .request::<Claim>()
        .user("I paid 23.50 for a taxi, receipt R-1204, see \"taxi.pdf\".")
        .fallback(Fallback::client(Client::new(Embedded::new())))
        .send()
        .await?;
    println!("\nanswered by {}, after the first was down:\n{:#?}", claim.account().adapter, *claim);

    // What must be enforced and can't be fails before anything is sent.
    let enforced = client.request::<Claim>().user("I paid 10.").require(Enforcement::Enforced).send().await;
    if let Err(error) = enforced {
        println!("\nwhere enforcement is required:\n{}", error.failure());
    }
    Ok(())
}
