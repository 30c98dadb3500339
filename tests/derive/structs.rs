//! Structs of every style.

use geode::StructuredOutput;
use geode::shape::{Edge, Shape};
use serde_json::json;

use crate::support::{both_ways, refused};

/// A ticket.
///
///   Indented.
#[derive(StructuredOutput, Debug, PartialEq)]
struct Ticket {
    /// What it is about.
    subject: String,
    urgent: bool,
    #[geode(rename = "dueInDays")]
    due: Option<u8>,
    tags: Vec<String>,
}

#[test]
fn named_fields() {
    let ticket = Ticket { subject: "Paid twice".into(), urgent: true, due: None, tags: vec!["money".into()] };
    both_ways(ticket, r#"{"subject":"Paid twice","urgent":true,"dueInDays":null,"tags":["money"]}"#);
    refused::<Ticket>(
        r#"{"subject":1,"urgent":true,"tags":[2,"a"],"extra":0}"#,
        &["Missing /dueInDays", "Type /subject", "Type /tags/0", "UnknownProperty /extra"],
    );
}

#[test]
fn documentation_describes() {
    let object = Ticket::SHAPE.as_object();
    assert_eq!(object.name, "Ticket");
    assert_eq!(object.description, Some("A ticket.\n\n  Indented."));
    assert_eq!(object.fields[0].description(), Some("What it is about."));
    assert_eq!(object.fields[1].description(), None);
    assert!((object.id)().ends_with("structs::Ticket"));
}

/**
 * A block
 * with *stars*:
 *
 *  - indented
 */
#[derive(StructuredOutput)]
#[allow(dead_code)]
struct Block {
    /** One line. */
    one: u8,
    /** Without
    stars. */
    two: u8,
    #[doc = "A list:\n* of one"]
    three: u8,
}

#[test]
fn block_comments_describe_without_their_stars() {
    let object = Block::SHAPE.as_object();
    assert_eq!(object.description, Some("A block\nwith *stars*:\n\n - indented"));
    let fields = object.fields.iter().map(|field| field.description().unwrap());
    assert_eq!(fields.collect::<Vec<_>>(), ["One line.", "Without\n   stars.", "A list:\n* of one"]);
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Empty {}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Unit;

#[derive(StructuredOutput, Debug, PartialEq)]
struct Pair(u8, String);

#[derive(StructuredOutput, Debug, PartialEq)]
struct Wrapped(Vec<u8>);

#[derive(StructuredOutput, Debug, PartialEq)]
struct Nothing();

#[test]
fn empty_and_positional() {
    both_ways(Empty {}, "{}");
    both_ways(Nothing(), "{}");
    both_ways(Unit, "null");
    both_ways(Pair(1, "a".into()), r#"{"_0":1,"_1":"a"}"#);
    both_ways(Wrapped(vec![1, 2]), "[1,2]");
    refused::<Empty>(r#"{"execute_refund":true}"#, &["UnknownProperty /execute_refund"]);
    refused::<Pair>(r#"[1,"a"]"#, &["Type "]);
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[serde(transparent)]
struct Transparent {
    text: String,
    #[serde(skip)]
    seen: u8,
}

/// A percentage.
#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(range(max = 100), name = "Percentage")]
struct Percent(u8);

#[test]
fn newtypes_have_the_form_of_their_field() {
    both_ways(Transparent { text: "a".into(), seen: 0 }, r#""a""#);
    both_ways(Percent(100), "100");
    refused::<Percent>("101", &["Range "]);
    refused::<Percent>("-1", &["Range "]);
    let annotated = Percent::SHAPE.as_annotated();
    assert_eq!((annotated.name, annotated.description), (Some("Percentage"), Some("A percentage.")));
    assert!(matches!(Wrapped::SHAPE, Shape::Array { .. }));
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Node {
    label: String,
    children: Vec<Node>,
    next: Option<Box<Self>>,
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Forest(Vec<Forest>);

#[derive(StructuredOutput, Debug, PartialEq)]
struct Post {
    replies: Vec<Reply>,
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct Reply {
    #[geode(recursive)]
    quoted: Vec<Post>,
}

#[test]
fn recursion_direct_and_mutual() {
    let leaf = |label: &str| Node { label: label.into(), children: vec![], next: None };
    let node = Node { label: "a".into(), children: vec![leaf("b")], next: Some(Box::new(leaf("c"))) };
    both_ways(
        node,
        r#"{"label":"a","children":[{"label":"b","children":[],"next":null}],"next":{"label":"c","children":[],"next":null}}"#,
    );
    both_ways(Forest(vec![Forest(vec![])]), "[[]]");
    both_ways(Post { replies: vec![Reply { quoted: vec![] }] }, r#"{"replies":[{"quoted":[]}]}"#);
    let children = Node::SHAPE.as_object().fields[1].edge();
    assert!(matches!(children, Edge::Lazy(_)));
    let Shape::Array { items, .. } = children.shape() else { panic!("no list") };
    assert!(std::ptr::eq(items.shape().as_object().name, Node::SHAPE.as_object().name));
}

#[derive(StructuredOutput, Debug, PartialEq)]
struct MaybeText(Option<String>);

#[derive(StructuredOutput, Debug, PartialEq)]
struct Lenient {
    plain: Option<u8>,
    newtype: MaybeText,
    boxed: Box<Option<u8>>,
    #[geode(as_string)]
    carried: Option<u16>,
    nothing: Unit,
    required: u8,
}

#[test]
fn absent_is_null_where_the_dialect_says_so() {
    let mut options = geode::json::ReadOptions::default();
    options.absent_is_null = true;
    let value = geode::json::Reader::read::<Lenient>(r#"{"required":1}"#, &options).unwrap();
    let expected = Lenient {
        plain: None,
        newtype: MaybeText(None),
        boxed: Box::new(None),
        carried: None,
        nothing: Unit,
        required: 1,
    };
    assert_eq!(value, expected);
    assert!(geode::json::Reader::read::<Lenient>("{}", &options).is_err());
}

/// What only the program's own readers need to know.
#[derive(StructuredOutput)]
#[geode(title = "page", description = "A page that was found.")]
struct Page {
    #[geode(url, description = "Where it is.", examples = ["https://example.org/a"])]
    #[allow(dead_code)]
    address: String,
    #[geode(examples(1, 2))]
    #[allow(dead_code)]
    rank: u8,
}

#[test]
fn words_describe_where_a_comment_is_not_for_the_model() {
    let schema: serde_json::Value = serde_json::from_str(&geode::schema::<Page>().to_pretty()).unwrap();
    assert_eq!((&schema["title"], &schema["description"]), (&json!("page"), &json!("A page that was found.")));
    let [address, rank] = ["address", "rank"].map(|name| &schema["properties"][name]);
    assert_eq!(address["description"], "Where it is.");
    assert_eq!((&address["format"], &address["examples"]), (&json!("uri"), &json!(["https://example.org/a"])));
    assert_eq!(rank["examples"], json!([1, 2]));
    refused::<Page>(r#"{"address": "nowhere", "rank": 1}"#, &["Format /address"]);
}
