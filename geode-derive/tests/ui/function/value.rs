//! A value that can't be written into a prompt is told at its parameter, and so is a setting of the wrong type.

use geode::StructuredOutput;
use geode::client::Client;
use geode::outcome::CallError;

struct Opaque;

#[derive(StructuredOutput)]
struct Ticket {
    text: String,
}

#[geode::function(user = "Read: {message}")]
async fn no_text(client: &Client, message: Opaque) -> Result<Ticket, CallError>;

#[geode::function(user = "Read: {message}", retry = 3)]
async fn no_policy(client: &Client, message: &str) -> Result<Ticket, CallError>;

#[geode::function(user = "Read: {message}")]
async fn no_output(client: &Client, message: &str) -> Result<Opaque, CallError>;

fn main() {}
