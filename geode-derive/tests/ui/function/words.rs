//! Words of the attribute, several mistakes at once.

struct Client;
struct CallError;
struct Ticket;

#[geode::function(user = "a", user_file = "b.txt", colour = "red", modle = "b", retry, temperature(0.5))]
async fn several(client: &Client) -> Result<Ticket, CallError>;

#[geode::function(user = 3, system = rules)]
async fn no_text(client: &Client) -> Result<Ticket, CallError>;

#[geode::function(user "Hello")]
fn grammar(client: &Client);

#[geode::function(user = "Hello")]
struct Thing;

fn main() {}
