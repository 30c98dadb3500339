//! Values sampled under our schemas, and texts that are not.

use geode::StructuredOutput;
use geode::adapter::Adapter;
use geode::client::{Client, RetryPolicy};
use geode::outcome::Failure;
use geode::reply::FinishReason;
use geode::request::{Mode, Request};

use super::{ask, chat, client, messages, responses, send, start};
use crate::{Person, TEXT, maria};

/// Where a ticket goes.
#[derive(Debug, StructuredOutput)]
enum Queue {
    /// Money: charges, refunds.
    Billing,
    /// Things that don't work.
    Technical,
    /// Everything else.
    Other,
}

/// A support ticket.
#[derive(Debug, StructuredOutput)]
struct Ticket {
    /// Where it goes.
    queue: Queue,
    /// One sentence.
    #[geode(length(max = 200))]
    summary: String,
    /// How urgent it is.
    #[geode(range(min = 1, max = 5))]
    urgency: u8,
    /// What is to be paid back, where that is asked for.
    refund: Option<f64>,
}

/// What is to be done with a message.
#[derive(Debug, StructuredOutput)]
#[serde(tag = "action", rename_all = "snake_case")]
enum Action {
    /// Answer it.
    Answer {
        /// The answer.
        text: String,
    },
    /// Hand it to a person.
    HandOver {
        /// Why.
        reason: String,
        /// Whether it can wait until tomorrow.
        can_wait: bool,
    },
}

/// The items of a list.
#[derive(Debug, StructuredOutput)]
struct Items {
    /// At most three.
    #[geode(items(max = 3))]
    items: Vec<Item>,
}

/// One item.
#[derive(Debug, StructuredOutput)]
struct Item {
    /// What it is.
    name: String,
    /// How many.
    count: i64,
}

async fn typed<T: StructuredOutput + std::fmt::Debug + 'static>(client: &Client, text: &str) -> T {
    let call = client.request::<T>().system("Read the text and answer in JSON.").user(text).max_output_tokens(300);
    match call.send().await {
        Ok(accepted) => {
            println!("{:?} from {} output tokens", *accepted, accepted.usage().output_tokens);
            accepted.into_value()
        }
        Err(error) => panic!("{error:?}"),
    }
}

#[tokio::test]
async fn chat_completions_give_typed_values() {
    let Some(server) = start() else { return };
    let client = client(chat(&server));
    assert_eq!(typed::<Person>(&client, TEXT).await, maria());
    typed::<Ticket>(&client, "I was charged twice, 20 euros each. Please pay one back today.").await;
    typed::<Action>(&client, "Your invoice is wrong and I want to talk to someone.").await;
    let items = typed::<Items>(&client, "Two apples and three pears.").await;
    assert!(items.items.len() <= 3);
    typed::<Queue>(&client, "The app crashes when I open it.").await;

    let cut = client.request::<Ticket>().user("Tell a story.").max_output_tokens(3).retry(RetryPolicy::none());
    let error = cut.send().await.expect_err("three tokens are no ticket");
    assert!(error.is_incomplete(), "{error:?}");
}

/// Messages and Responses take a schema and ignore it: nothing of that may pass unseen.
#[tokio::test]
async fn wires_that_ignore_the_schema_give_no_unchecked_value() {
    let Some(server) = start() else { return };
    let adapters: [Box<dyn Adapter>; 2] = [Box::new(responses(&server)), Box::new(messages(&server))];
    for adapter in adapters {
        let name = adapter.name();
        let request = Request { max_output_tokens: Some(40), ..crate::request(&*adapter, false) };
        let reply = send(&*adapter, &request).await;
        println!("{name}, its schema ignored: {:?}, {} bytes of text", reply.finish, reply.text.len());
        geode::json::Reader::read::<Ticket>(&reply.text, &Default::default()).expect_err("a chat is no ticket");
    }
    let client = Client::builder(responses(&server)).retry(RetryPolicy::none()).mode(Mode::Native).build();
    let call = client.request::<Ticket>().user("Tell a story.").max_output_tokens(40);
    let error = call.send().await.expect_err("a story is no ticket");
    assert!(matches!(error.failure(), Failure::InvalidSchema(_)) || error.is_incomplete(), "{error:?}");
}

#[tokio::test]
async fn streams_end_in_whole_replies() {
    let Some(server) = start() else { return };
    let chat = chat(&server);
    let (preview, reply) = crate::stream(&chat, &crate::request(&chat, true)).await;
    assert_eq!(preview, reply.text);
    assert_eq!(reply.finish, Some(FinishReason::Stop));
    let person = geode::json::Reader::read::<Person>(&reply.text, &Default::default()).expect("it was constrained");
    assert_eq!(person, maria());
    assert!(reply.usage.output_tokens > 0);

    let request = Request { stream: true, max_output_tokens: Some(20), ..ask("Say hello.") };
    // On Responses the server calls an answer complete that was cut at the limit.
    let adapters: [(Box<dyn Adapter>, _); 2] =
        [(Box::new(responses(&server)), FinishReason::Stop), (Box::new(messages(&server)), FinishReason::TokenLimit)];
    for (adapter, finish) in adapters {
        let (preview, reply) = crate::stream(&*adapter, &request).await;
        assert!(!preview.is_empty());
        assert_eq!((preview, reply.finish), (reply.text, Some(finish)), "{}", adapter.name());
    }
}
