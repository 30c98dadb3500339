//! Typed previews: each field is pending, growing or done.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::marker::PhantomData;
use std::rc::Rc;
use std::sync::Arc;

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

trait Entity {
    type Id;
}

/// Not a part of any view.
#[derive(Clone, Copy)]
struct Orders;

impl Entity for Orders {
    type Id = u32;
}

#[derive(StructuredOutput, Partial)]
struct Marked<E> {
    id: u32,
    #[serde(skip)]
    of: PhantomData<E>,
}

#[derive(StructuredOutput, Partial)]
struct Projected<K: Entity> {
    id: K::Id,
    more: Vec<<K as Entity>::Id>,
}

#[derive(StructuredOutput, Partial)]
struct Same<T>(T);

#[derive(StructuredOutput, Partial)]
struct Empty {}

#[derive(StructuredOutput, Partial)]
struct Collections {
    marked: Marked<Orders>,
    projected: Projected<Orders>,
    same: Same<Box<str>>,
    empty: Empty,
    fixed: [u8; 2],
    set: BTreeSet<i8>,
    hashed: HashSet<Arc<str>>,
    deque: VecDeque<Cow<'static, str>>,
    slice: Box<[Rc<str>]>,
    shared: Rc<bool>,
    by_number: HashMap<u8, f32>,
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

#[test]
fn collections_pointers_and_whatever_marks_a_type_have_views() {
    let text = r#"{"marked": {"id": 1e0}, "projected": {"id": 2.0, "more": [3]}, "same": "s", "empty": {}, "fixed": [4, 5.0],
        "set": [-6.0], "hashed": ["h"], "deque": ["d"], "slice": ["b"], "shared": true, "by_number": [{"key": 7, "value": 8}]}"#;
    let parser = parsed(text);
    let view = Collections::view(parser.preview().unwrap()).unwrap();
    assert_eq!(view.marked.done().unwrap().id, Progress::Done(1));
    let projected = view.projected.done().unwrap();
    assert_eq!((&projected.id, projected.more.done().unwrap().finished().collect()), (&Progress::Done(2), vec![3]));
    assert_eq!(view.same, Progress::Done("s"));
    assert!(view.empty.is_done());
    assert_eq!(view.fixed.done().unwrap().finished().collect::<Vec<_>>(), [4, 5]);
    assert_eq!(view.set.done().unwrap().finished().collect::<Vec<_>>(), [-6]);
    let texts =
        [view.hashed.done().unwrap().finished().collect::<Vec<_>>(), view.deque.done().unwrap().finished().collect()];
    assert_eq!(texts, [["h"], ["d"]]);
    assert_eq!(view.slice.done().unwrap().finished().collect::<Vec<_>>(), ["b"]);
    assert_eq!(view.shared, Progress::Done(Box::new(true)));
    assert_eq!(view.by_number.done().unwrap().iter().collect::<Vec<_>>(), [(7, Progress::Done(8.0))]);
    let shown = format!("{view:?}");
    assert!(shown.starts_with("CollectionsPartial { marked: Done, projected: Done, same: Done,"), "{shown}");
    let parser = parsed(r#"{"Box": {"_0": 4, "_1"#);
    let shown = format!("{:?}", Figure::view(parser.preview().unwrap()).unwrap());
    assert_eq!(shown, "Box(Done, Pending)");
    let parser = parsed(r#"{"Group": {"of": ["#);
    assert_eq!(format!("{:?}", Figure::view(parser.preview().unwrap())), "Some(Group { of: Growing, like: Pending })");
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
