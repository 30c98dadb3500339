//! Nested types, a map, a tagged enum and a list, out of one text. No key, no network.
//!
//!     cargo run --example extraction

#![allow(clippy::print_stdout)]

use std::collections::BTreeMap;

use geode::StructuredOutput;
use geode::adapter::embedded::Embedded;
use geode::client::Client;
use geode::dialect::OPENAI_STRICT;

/// A trip report.
#[derive(Debug, StructuredOutput)]
struct Trip {
    /// How they travelled.
    transport: Transport,
    /// Where they stayed.
    #[geode(items(max = 5))]
    stays: Vec<Stay>,
    /// What was paid, by what it was paid for. A map: on the wire a list of `{key, value}`, so that every provider
    /// takes it.
    costs: BTreeMap<String, f64>,
    /// A complaint, where something was late or lost.
    trouble: Option<String>,
}

/// How they travelled.
#[derive(Debug, StructuredOutput)]
#[serde(tag = "kind", rename_all = "snake_case")]
enum Transport {
    /// Railway, train.
    Train {
        /// The train's number.
        number: Option<u32>,
    },
    /// Aeroplane, flight.
    Flight {
        /// The flight's number.
        number: Option<u32>,
    },
    /// On foot.
    Walk,
}

#[derive(Debug, StructuredOutput)]
struct Stay {
    /// The sentence that names the place.
    place: String,
    /// How many nights.
    #[geode(range(min = 1, max = 60))]
    nights: u8,
}

const TEXT: &str = "We took the train 408 to Vienna. \
                    The hotel by the river was fine and we stayed 3 nights. \
                    We slept 2 nights at a farm. \
                    We paid 89.50 for the tickets. \
                    We paid 240 for the hotel.";

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let client = Client::new(Embedded::new());
    let trip = client.call::<Trip>(TEXT).await?;
    println!("{TEXT}\n\n{:#?}\n", *trip);

    // The same value as it stood on the wire: the tag first, the map as a list of entries.
    println!("on the wire:\n{}\n", geode::to_string(&*trip));

    let plan = geode::dialect::lower(Trip::SHAPE, &OPENAI_STRICT)?;
    println!("the schema that OpenAI would get:\n{}", plan.schema);
    Ok(())
}
