//! Mistakes in a typed LLM function, each at its token.

struct Client;
struct CallError;
struct Ticket;

#[geode::function(user = "Classify: {mesage}")]
async fn misspelt(client: &Client, message: &str) -> Result<Ticket, CallError>;

#[geode::function(system = "You read {message}.", user = "{message}")]
async fn data_as_instructions(client: &Client, message: &str) -> Result<Ticket, CallError>;

#[geode::function(sytem = "Rules.", user = "{message}")]
async fn unknown_word(client: &Client, message: &str) -> Result<Ticket, CallError>;

#[geode::function(system = "Rules.")]
async fn no_user(client: &Client) -> Result<Ticket, CallError>;

#[geode::function(user = "{message")]
async fn lone_brace(client: &Client, message: &str) -> Result<Ticket, CallError>;

#[geode::function(user_file = "prompts/nowhere.txt")]
async fn no_file(client: &Client) -> Result<Ticket, CallError>;

#[geode::function(user = "{message}")]
fn not_async(client: &Client, message: &str) -> Result<Ticket, CallError>;

#[geode::function(user = "{message}")]
async fn no_result(client: &Client, message: &str) -> Ticket;

#[geode::function(user = "{message}")]
async fn with_body(client: &Client, message: &str) -> Result<Ticket, CallError> {
    Err(CallError)
}

#[geode::function(user = "Hello")]
async fn no_client() -> Result<Ticket, CallError>;

#[geode::function(system = "a", system_file = "b.txt", user = "Hello")]
async fn instructed_twice(client: &Client) -> Result<Ticket, CallError>;

#[geode::function(user = "Hello", model = "a", model = "b")]
async fn set_twice(client: &Client) -> Result<Ticket, CallError>;

#[geode::function(user = "Hello")]
async fn two_contexts(client: &Client, #[context] a: u8, #[context] b: u8) -> Result<Ticket, CallError>;

fn main() {}
