//! Typed previews: each field is pending, growing or done.

use std::collections::BTreeMap;

use geode::json::stream::{Preview, Progress, PushParser};
use geode::{Partial, StructuredOutput};

#[derive(StructuredOutput, Partial)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "only views of it are made")]
struct Order {
    order_id: String,
    kind: Kind,
    total: f64,
    #[serde(rename = "rows")]
    lines: Vec<Line>,
    note: Option<String>,
    #[serde(flatten)]
    address: Address,
    by_name: BTreeMap<String, u32>,
    #[serde(skip)]
    local: u8,
    #[partial(preview)]
    payment: Payment,
    weight: Grams,
}

#[derive(Debug, Clone, Copy, PartialEq, StructuredOutput, Partial)]
enum Kind {
    #[serde(rename = "retail")]
    Shop,
    Wholesale,
}

#[derive(StructuredOutput, Partial)]
struct Line {
    item: String,
    quantity: u32,
}

#[derive(StructuredOutput, Partial)]
struct Address {
    city: String,
}

#[derive(StructuredOutput)]
#[serde(tag = "by")]
enum Payment {
    Card { last4: String },
    Cash,
}

#[derive(StructuredOutput, Partial)]
struct Grams(u32);

#[derive(StructuredOutput, Partial)]
struct Page<T> {
    items: Vec<T>,
}

const TEXT: &str =
    r#"{"orderId": "A-17", "kind": "retail", "total": 12.5, "rows": [{"item": "chair", "quantity": 2}, {"item": "tab"#;
const REST: &str = r#"le", "quantity": 1}], "note": null, "city": "Köln", "byName": [{"key": "a", "value": 1}], "payment": {"by": "Card", "last4": "1234"}, "weight": 900}"#;

fn parsed(text: &str) -> PushParser {
    let mut parser = PushParser::new();
    parser.push_str(text).unwrap();
    parser
}

#[test]
fn fields_are_pending_growing_or_done() {
    let parser = parsed(TEXT);
    let order = Order::view(parser.preview().unwrap()).unwrap();
    assert_eq!(order.order_id, Progress::Done("A-17"));
    assert_eq!(order.kind, Progress::Done(Kind::Shop));
    assert_eq!(order.total, Progress::Done(12.5));
    assert_eq!(order.note, Progress::Pending);
    let Progress::Growing(lines) = &order.lines else { panic!("{:?}", order.lines) };
    let shown: Vec<_> = lines.iter().map(|line| line.shown().map(|line| (line.item, line.quantity))).collect();
    assert_eq!(
        shown,
        [Some((Progress::Done("chair"), Progress::Done(2))), Some((Progress::Growing("tab"), Progress::Pending)),]
    );
    assert_eq!(lines.finished().count(), 1);
}

#[test]
fn names_renames_flattening_maps_and_newtypes_come_from_the_shape() {
    let parser = parsed(&format!("{TEXT}{REST}"));
    let order = Order::view(parser.preview().unwrap()).unwrap();
    assert_eq!(order.note, Progress::Done(None));
    assert_eq!(order.address.shown().unwrap().city, Progress::Done("Köln"));
    assert_eq!(order.by_name.done().unwrap().iter().collect::<Vec<_>>(), [("a", Progress::Done(1))]);
    assert_eq!(order.payment.done().and_then(|payment: &Preview<'_>| payment.get("/last4")?.as_str()), Some("1234"));
    assert_eq!(order.weight, Progress::Done(900));
}

#[test]
fn scalars_and_enums_appear_when_they_are_done() {
    for text in [r#"{"total": 12."#, r#"{"total": 12"#, r#"{"kind": "retai"#, r#"{"kind": "retail"#] {
        let parser = parsed(text);
        let order = Order::view(parser.preview().unwrap()).unwrap();
        assert!(order.total.is_pending() && order.kind.is_pending(), "{text}");
    }
}

#[test]
fn what_is_of_another_kind_is_not_shown() {
    let parser = parsed(r#"{"orderId": 5, "rows": {}, "total": "#);
    let order = Order::view(parser.preview().unwrap()).unwrap();
    assert!(order.order_id.is_pending() && order.lines.is_pending());
    assert!(Order::view(parsed("[]").preview().unwrap()).is_none());
}

#[test]
fn generic_types_have_views() {
    let parser = parsed(r#"{"items": [{"item": "a", "quantity": 1}"#);
    let page = Page::<Line>::view(parser.preview().unwrap()).unwrap();
    assert_eq!(page.items.shown().unwrap().finished().next().unwrap().item, Progress::Done("a"));
}
