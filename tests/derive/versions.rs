//! Schema versions: the constant, the union that is keyed on it, and the way to the latest.

use std::error::Error;
use std::num::TryFromIntError;

use geode::StructuredOutput;
use geode::record::{Record, RecordOf};
use geode::schema::{Breaks, compare};

use crate::support::{both_ways, read, refused};

#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(version = "1", name = "Ticket")]
struct TicketV1 {
    text: String,
    urgent: bool,
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(version = "2", name = "Ticket")]
struct TicketV2 {
    text: String,
    priority: i64,
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(version = "3", name = "Ticket")]
struct TicketV3 {
    text: String,
    priority: u8,
    #[geode(default)]
    tags: Vec<String>,
}

impl From<TicketV1> for TicketV2 {
    fn from(old: TicketV1) -> Self {
        TicketV2 { text: old.text, priority: if old.urgent { 1 } else { 3 } }
    }
}

impl TryFrom<TicketV2> for TicketV3 {
    type Error = TryFromIntError;

    fn try_from(old: TicketV2) -> Result<Self, TryFromIntError> {
        Ok(TicketV3 { priority: u8::try_from(old.priority)?, text: old.text, tags: Vec::new() })
    }
}

/// A ticket of either version.
#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(versions)]
enum AnyTicket {
    V1(TicketV1),
    /// Since March.
    V2(TicketV2),
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(versions, try_latest)]
enum EveryTicket {
    V1(TicketV1),
    V2(TicketV2),
    V3(TicketV3),
}

/// A union of versions with a parameter.
#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(version = "1")]
struct PageV1<T> {
    items: Vec<T>,
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(version = "2")]
struct PageV2<T> {
    items: Vec<T>,
    next: Option<String>,
}

impl<T> From<PageV1<T>> for PageV2<T> {
    fn from(old: PageV1<T>) -> Self {
        PageV2 { items: old.items, next: None }
    }
}

#[derive(StructuredOutput, Debug, PartialEq)]
#[geode(versions)]
enum Page<T> {
    One(PageV1<T>),
    Two(PageV2<T>),
}

const V1: &str = r#"{"schemaVersion":"1","text":"a","urgent":true}"#;
const V2: &str = r#"{"schemaVersion":"2","text":"a","priority":1}"#;

fn v1() -> TicketV1 {
    TicketV1 { text: "a".into(), urgent: true }
}

fn v2() -> TicketV2 {
    TicketV2 { text: "a".into(), priority: 1 }
}

#[test]
fn each_version_has_its_own_object() {
    both_ways(AnyTicket::V1(v1()), V1);
    both_ways(AnyTicket::V2(v2()), V2);
    both_ways(Page::One(PageV1 { items: vec![1u8] }), r#"{"schemaVersion":"1","items":[1]}"#);
    both_ways(vec![AnyTicket::V2(v2()), AnyTicket::V1(v1())], &format!("[{V2},{V1}]"));
}

#[test]
fn the_version_may_stand_anywhere() {
    let text = r#" { "priority": 1, "text": "a", "schemaVersion" : "\u0032" } "#;
    assert_eq!(read::<AnyTicket>(text).unwrap(), AnyTicket::V2(v2()));
}

#[test]
fn the_chosen_version_alone_judges() {
    refused::<AnyTicket>(r#"{"text":"a","urgent":1,"schemaVersion":"1"}"#, &["Type /urgent"]);
    refused::<AnyTicket>(
        r#"{"schemaVersion":"2","text":"a","urgent":true}"#,
        &["Missing /priority", "UnknownProperty /urgent"],
    );
    refused::<AnyTicket>(
        r#"{"schemaVersion":"1","schemaVersion":"2","text":"a","urgent":true}"#,
        &["Duplicate /schemaVersion"],
    );
}

#[test]
fn an_unknown_version_is_one_violation() {
    let report = read::<AnyTicket>(r#"{"schemaVersion":"7","other":[1]}"#).unwrap_err();
    assert_eq!(
        report.to_string(),
        "/schemaVersion: unknown value, expected a version that this reader knows: one of \"1\", \"2\""
    );
    assert!(report.for_model().contains("found: \"7\""), "{}", report.for_model());
    refused::<AnyTicket>(r#"{"text":"a","urgent":true}"#, &["Missing /schemaVersion"]);
    refused::<AnyTicket>(r#"{"schemaVersion":2,"text":"a"}"#, &["Type /schemaVersion"]);
    refused::<AnyTicket>("[1]", &["Type "]);
    refused::<AnyTicket>(r#"{"text":"a","schemaVersion":"#, &["Syntax /schemaVersion"]);
    refused::<Vec<AnyTicket>>(
        &format!(r#"[{V1},{{"schemaVersion":"9"}},{V2},{{"schemaVersion":"1","text":"b"}}]"#),
        &["UnknownValue /1/schemaVersion", "Missing /3/urgent"],
    );
}

#[test]
fn a_closed_version_says_which_it_knows() {
    let report = read::<TicketV1>(V2).unwrap_err();
    let told = report.to_string();
    let line = "/schemaVersion: not the value allowed, expected version \"1\", the only one that this reader knows";
    assert!(told.lines().any(|told| told == line), "{told}");
    assert!(!told.contains("\"2\""), "what was found is content: {told}");
    assert!(report.for_model().contains("found: \"2\""), "{}", report.for_model());
}

#[test]
fn the_schema_is_any_of_the_versions() {
    let schema = geode::schema::<AnyTicket>().to_string();
    for version in ["1", "2"] {
        assert!(schema.contains(&format!(r#""schemaVersion":{{"type":"string","const":"{version}"}}"#)), "{schema}");
    }
    assert!(schema.contains("anyOf") && schema.contains("Since March."), "{schema}");
}

#[test]
fn from_leads_to_the_latest() {
    let latest: TicketV2 = read::<AnyTicket>(V1).unwrap().latest();
    assert_eq!(latest, v2());
    assert_eq!(AnyTicket::V2(v2()).latest(), v2());
    assert_eq!(Page::One(PageV1 { items: vec![1u8] }).latest(), PageV2 { items: vec![1], next: None });
}

#[test]
fn a_step_that_fails_is_named_and_shows_no_value() {
    let latest = read::<EveryTicket>(V1).unwrap().try_latest().unwrap();
    assert_eq!(latest, TicketV3 { text: "a".into(), priority: 1, tags: Vec::new() });

    let error = EveryTicket::V2(TicketV2 { text: "secret".into(), priority: 999 }).try_latest().unwrap_err();
    assert_eq!((error.from, error.to), ("2", "3"));
    assert!(error.source().is_some_and(|source| source.is::<TryFromIntError>()));
    assert!(!format!("{error} {error:?}").contains("secret"));
}

#[test]
fn records_of_all_versions_are_read_as_one() {
    let line = |text: String| serde_json::from_str::<RecordOf>(&text).unwrap();
    let old = serde_json::to_string(&Record::new(v1(), "triage-1")).unwrap();
    let new = serde_json::to_string(&Record::new(v2(), "triage-2")).unwrap();
    assert_eq!(line(old.clone()).version.as_deref(), Some("1"));

    // Either side may be deployed first: the consumer knows both, whichever the producer writes.
    for (text, release) in [(&old, "triage-1"), (&new, "triage-2")] {
        let record = line(text.clone()).open_stored::<AnyTicket>().unwrap();
        assert_eq!(record.prompt_release.as_deref(), Some(release));
        assert_eq!(record.value.latest(), v2());
    }
    // A consumer that knows the first alone refuses the second, strictly and leniently.
    assert!(line(new.clone()).open::<TicketV1>().is_err());
    assert!(line(new).open_stored::<TicketV1>().unwrap_err().to_string().contains("expected version \"1\""));

    // What a stored record may lack counts inside a union of versions, too.
    let lacking = r#"{"schemaVersion":"3","text":"a","priority":2}"#;
    assert!(read::<EveryTicket>(lacking).is_err());
    assert!(crate::support::stored::<EveryTicket>(lacking).is_ok());
}

#[test]
fn a_record_of_whatever_version_is_stored_as_the_one_it_has() {
    let stored = |text: &str| -> RecordOf { serde_json::from_str(text).unwrap() };
    let any = serde_json::to_string(&Record::new(AnyTicket::V2(v2()), "triage-2")).unwrap();
    assert_eq!((stored(&any).version.as_deref(), stored(&any).schema.as_str()), (Some("2"), "Ticket"));

    // It reads back strictly as what it was, as its own version, and as a union that knows more.
    assert_eq!(stored(&any).open::<AnyTicket>().unwrap().value, AnyTicket::V2(v2()));
    assert_eq!(stored(&any).open::<TicketV2>().unwrap().value, v2());
    assert_eq!(stored(&any).open::<EveryTicket>().unwrap().value, EveryTicket::V2(v2()));
    let refused = stored(&any).open::<TicketV1>().unwrap_err().to_string();
    assert!(refused.contains("was written for the schema `Ticket`"), "{refused}");

    // Serde's way holds the fingerprint, too; and a record whose value is of another version than it says is refused.
    assert_eq!(serde_json::from_str::<Record<AnyTicket>>(&any).unwrap().value, AnyTicket::V2(v2()));
    let one = serde_json::to_string(&Record::new(v1(), "triage-1")).unwrap();
    let forged = any.replace(&stored(&any).fingerprint, &stored(&one).fingerprint);
    assert!(stored(&forged).open::<AnyTicket>().is_err());
    let page = serde_json::to_string(&Record::new(Page::One(PageV1 { items: vec![1u8] }), "pages-1")).unwrap();
    assert_eq!(stored(&page).version.as_deref(), Some("1"));
    assert!(stored(&page).open::<AnyTicket>().is_err());
    let unknown = any.replace(&stored(&any).fingerprint, "0123456789abcdef");
    assert!(serde_json::from_str::<Record<AnyTicket>>(&unknown).is_err());
}

#[test]
fn a_new_version_breaks_whom_it_should() {
    let (one, two) = (geode::schema::<TicketV1>(), geode::schema::<TicketV2>());
    let changes = compare(&one, &two);
    let version = changes.iter().find(|change| change.pointer == "/properties/schemaVersion").unwrap();
    assert_eq!((version.kind, version.breaks), ("const-changed", Breaks::Both));

    // Whoever reads the union is ready for both; whoever reads the first alone isn't ready for the second.
    let union = geode::schema::<AnyTicket>();
    for (plain, other) in [(&one, "/anyOf/1"), (&two, "/anyOf/0")] {
        let broken = |old, new| {
            let changes = compare(old, new).into_iter().filter(|change| change.breaks != Breaks::Neither);
            changes.map(|change| (change.pointer, change.kind, change.breaks)).collect::<Vec<_>>()
        };
        assert_eq!(broken(plain, &union), [(other.to_owned(), "alternative-added", Breaks::Consumer)]);
        assert_eq!(broken(&union, plain), [(other.to_owned(), "alternative-removed", Breaks::Producer)]);
    }
}
