//! Counters of a few calls, as Prometheus scrapes them. No key, no network.
//!
//!     cargo run --example metrics --features metrics

#![allow(clippy::print_stdout)]

use geode::StructuredOutput;
use geode::adapter::embedded::Embedded;
use geode::client::{Client, Fallback};
use metrics_exporter_prometheus::PrometheusBuilder;

/// The mood of a review.
#[derive(Debug, Clone, Copy, PartialEq, StructuredOutput)]
#[geode(rename_all = "snake_case")]
enum Mood {
    /// Good, great, lovely, thanks.
    Happy,
    /// Bad, broken, late, angry.
    Unhappy,
}

/// What a review says.
#[derive(Debug, Clone, StructuredOutput)]
#[geode(version = "1")]
struct Review {
    mood: Mood,
    /// The stars that the review gives.
    #[geode(range(min = 1, max = 5))]
    stars: Option<u8>,
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let prometheus = PrometheusBuilder::new().install_recorder()?;
    let client = Client::new(Embedded::new());
    let unknown = Review { mood: Mood::Unhappy, stars: None };
    for text in ["Great tool, thanks! 5 stars.", "It arrived late and broken. 1 star.", "Lovely, thanks. 1 star."] {
        let call = client.request::<Review>().prompt_release("reviews-3").user(text);
        let review = call
            .check(|review: &Review, _, issues| {
                issues.require(
                    review.mood == Mood::Unhappy || review.stars != Some(1),
                    "/stars",
                    "stars_contradict_mood",
                    "one star from a happy customer",
                );
            })
            .fallback(Fallback::value(unknown.clone()))
            .send()
            .await?;
        println!("{text:40} {:?}, {:?} stars", review.mood, review.stars);
    }
    println!("\n{}", prometheus.render());
    Ok(())
}
