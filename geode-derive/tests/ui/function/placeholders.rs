//! Placeholders and parameters that don't find each other.

struct Client;
struct CallError;
struct Ticket;

#[geode::function(user = "Classify: {text}")]
async fn far(client: &Client, message: &str) -> Result<Ticket, CallError>;

#[geode::function(user = "Classify: {text}")]
async fn no_parameters(client: &Client) -> Result<Ticket, CallError>;

#[geode::function(user = "{message} as {\"kind\": \"…\"}")]
async fn json(client: &Client, message: &str) -> Result<Ticket, CallError>;

#[geode::function(user = "{a}")]
async fn pattern(client: &Client, (a, b): (u8, u8)) -> Result<Ticket, CallError>;

#[geode::function(user = "{message}")]
async fn by_reference(client: &Client, ref message: String) -> Result<Ticket, CallError>;

#[geode::function(user = "Hello")]
async fn method(&self) -> Result<Ticket, CallError>;

fn main() {}
