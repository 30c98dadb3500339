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

/// Enums with data, in each of serde's taggings.
#[derive(StructuredOutput, Partial)]
#[serde(tag = "by", rename_all = "snake_case", rename_all_fields = "camelCase")]
#[expect(dead_code, reason = "what is skipped is never made")]
enum Way {
    Card {
        last_four: String,
        #[serde(flatten)]
        address: Address,
        #[serde(skip)]
        local: u8,
    },
    Transfer(Line),
    Cash,
    #[serde(skip)]
    Hidden(u8),
}

#[derive(StructuredOutput, Partial)]
enum Figure {
    Empty,
    Circle(f64),
    Box(u8, #[partial(preview)] Payment),
    Group { of: Vec<Figure>, like: Option<Box<Figure>> },
}

#[derive(StructuredOutput, Partial)]
#[serde(tag = "t", content = "c")]
enum Change<T> {
    Set { value: T },
    Unset,
}

#[derive(Debug, PartialEq, StructuredOutput, Partial)]
#[serde(tag = "t")]
enum Mark {
    On,
    Off,
}

#[derive(StructuredOutput, Partial)]
#[geode(version = "1")]
struct NoteV1 {
    text: String,
}

#[derive(StructuredOutput, Partial)]
#[geode(versions)]
enum AnyNote {
    V1(NoteV1),
}

#[test]
fn an_enum_is_a_variant_once_its_tag_is_complete() {
    let begun = parsed(r#"{"lastFour": "1234", "by": "car"#);
    assert!(Way::view(begun.preview().unwrap()).is_none());
    let parser = parsed(r#"{"by": "card", "lastFour": "12"#);
    let Some(WayPartial::Card { last_four, address }) = Way::view(parser.preview().unwrap()) else { panic!() };
    assert_eq!(last_four, Progress::Growing("12"));
    assert!(address.shown().unwrap().city.is_pending());
    let parser = parsed(r#"{"by": "transfer", "quantity": 7, "item": "c"#);
    let Some(WayPartial::Transfer(line)) = Way::view(parser.preview().unwrap()) else { panic!() };
    let line = line.shown().unwrap();
    assert_eq!((&line.item, &line.quantity), (&Progress::Growing("c"), &Progress::Done(7)));
    assert!(matches!(Way::view(parsed(r#"{"by": "cash""#).preview().unwrap()), Some(WayPartial::Cash)));
    for text in [r#"{"by": "hidden", "#, r#"{"by": 5"#, "[", r#"{"by": "cash"#] {
        assert!(Way::view(parsed(text).preview().unwrap()).is_none(), "{text}");
    }
}

#[test]
fn externally_tagged_enums_nest() {
    assert!(matches!(Figure::view(parsed(r#""Empty""#).preview().unwrap()), Some(FigurePartial::Empty)));
    let parser = parsed(r#"{"Group": {"like": {"Circle": 2.5}, "of": ["Empty", {"Box": {"_0": 4, "_1": {"by": "Ca"#);
    let Some(FigurePartial::Group { of, like }) = Figure::view(parser.preview().unwrap()) else { panic!() };
    let like = like.done().unwrap().as_deref();
    assert!(matches!(like, Some(FigurePartial::Circle(Progress::Done(2.5)))));
    let of: Vec<_> = of.shown().unwrap().iter().collect();
    assert!(matches!(of[0], Progress::Done(FigurePartial::Empty)));
    let Progress::Growing(FigurePartial::Box(Progress::Done(4), payment)) = &of[1] else { panic!("{:?}", of[1]) };
    assert_eq!(payment.shown().and_then(|payment| payment.get("/by")?.as_str()), Some("Ca"));
}

#[test]
fn other_taggings_and_generics_have_views() {
    let parser = parsed(r#"{"t": "Set", "c": {"value": "x"#);
    let Some(ChangePartial::Set { value }) = Change::<String>::view(parser.preview().unwrap()) else { panic!() };
    assert_eq!(value, Progress::Growing("x"));
    let parser = parsed(r#"{"t": "Set""#);
    let Some(ChangePartial::Set { value }) = Change::<String>::view(parser.preview().unwrap()) else { panic!() };
    assert_eq!(value, Progress::Pending);
    assert!(matches!(Change::<u8>::view(parsed(r#"{"t": "Unset"}"#).preview().unwrap()), Some(ChangePartial::Unset)));
    assert_eq!(Mark::view(parsed(r#"{"t": "Off""#).preview().unwrap()), Some(Mark::Off));
    let parser = parsed(r#"{"schemaVersion": "1", "text": "ab"#);
    let Some(AnyNotePartial::V1(note)) = AnyNote::view(parser.preview().unwrap()) else { panic!() };
    assert_eq!(note.shown().unwrap().text, Progress::Growing("ab"));
}
