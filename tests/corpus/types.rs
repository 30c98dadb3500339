//! Types in the shapes that users bring, under our derive. The head line of each says what is in it.
//!
//! What had to be written otherwise than for serde and schemars:
//!
//! - open values (`Value`, `Map`) are asked for: `#[geode(json_text)]`
//! - `with` modules that carry a number as text: `#[geode(as_string)]`; `schemars(with = …)` then says nothing new
//! - tolerant `deserialize_with` functions: `#[geode(plain)]`, the type's own form
//! - `serde_repr`: `#[geode(repr)]`
//! - garde's `length` counts bytes: `length(chars, …)`
//! - `&'a str` can't hold text with escapes: `Cow<'a, str>` (T097)
//! - `remote`: the mirror itself stands in the field (T116)
//! - `schemars(schema_with, transform)` functions are left out, what `extend` and an `example` say is set aside by
//!   `#[geode(plain)]`: the schema is the type's
#![allow(
    dead_code,
    deprecated,
    unreachable_pub,
    clippy::large_enum_variant,
    clippy::redundant_allocation,
    clippy::enum_variant_names
)]

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::marker::PhantomData;
use std::net::IpAddr;
use std::num::{NonZeroU32, NonZeroUsize};
use std::path::PathBuf;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use chrono::{DateTime, NaiveDate, NaiveDateTime, NaiveTime, Utc};
use geode::StructuredOutput;
use rust_decimal::Decimal;
use serde_json::{Map, Value};
use url::Url;
use uuid::Uuid;

// ---- plain extraction targets

// T001 | Option<String>, field docs
/// Someone named in the passage.
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct NamedGuest {
    /// Given name, when the passage has one
    pub given: Option<String>,
    /// Family name, when the passage has one
    pub family: Option<String>,
    /// Occupation, when the passage has one
    pub trade: Option<String>,
}

// T002 | schemars(required) on Option (required + nullable?)
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct MandatoryNullable {
    #[schemars(required)]
    pub given: Option<String>,
    #[schemars(required)]
    pub trade: Option<String>,
    pub nickname: Option<String>,
}

// T003 | Vec<struct> wrapper
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SurveySheet {
    /// One entry for each question asked
    pub entries: Vec<SurveyEntry>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SurveyEntry {
    pub question_key: String,
    pub reply: String,
    pub sure: bool,
}

// T004 | two f64
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct MoodReading {
    pub valence: f64,
    pub certainty: f64,
}

// T005 | single f32 field
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct RelevanceMark {
    /// How relevant the page is
    pub mark: f32,
}

// T006 | PascalCase unit enum field
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Verdict {
    pub outcome: VerdictKind,
    pub remarks: String,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub enum VerdictKind {
    Accept,
    ReviseAgain,
    Reject,
}

// T007 | nested struct, u8, f64
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct TownForecast {
    pub town: String,
    pub now: SkyState,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SkyState {
    pub celsius: f64,
    pub damp_percent: u8,
    pub note: String,
}

// T008 | enum snake_case + nested Vec<String> + Option
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct PlanCall {
    pub owner: PlanOwner,
    pub pace: PlanPace,
    pub aside: Option<String>,
    /// Text holding "quotes", back\slashes and newlines
    pub citation: String,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct PlanOwner {
    pub label: String,
    pub badges: Vec<String>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub enum PlanPace {
    SlowAndSure,
    Quick,
}

// T009 | deny_unknown_fields on both levels
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(deny_unknown_fields)]
pub struct WorkedProof {
    pub conclusion: String,
    pub lines: Vec<ProofLine>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(deny_unknown_fields)]
pub struct ProofLine {
    pub formula: String,
    pub because: String,
}

// T010 | invoice, u32/f64, date as String
/// A bill pulled out of free text.
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct BillDraft {
    /// Who issued it.
    pub issuer: String,
    /// Day of issue, YYYY-MM-DD.
    pub issued_on: String,
    /// Rows of the bill.
    pub rows: Vec<BillRow>,
    /// Sum due.
    pub due: f64,
}
/// One row of a bill.
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct BillRow {
    pub what: String,
    pub count: u32,
    pub each: f64,
}

// T011 | enum + Vec<String>
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct RegionCard {
    pub region: String,
    pub seat: String,
    pub tongues: Vec<String>,
    pub climate: Climate,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub enum Climate {
    Mild,
    Harsh,
}

// T012 | generic wrapper with a bound on the struct
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Payload<T> {
    pub data: T,
}

// T013 | struct with serde_json::Value field
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct LooseBox {
    #[geode(json_text)]
    pub stuff: Value,
    #[geode(json_text)]
    pub maybe_stuff: Option<Value>,
}

// T014 | direct recursion through Vec<Self>
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Folder {
    pub label: String,
    pub inner: Vec<Folder>,
}

// T015 | nested struct reused, Option inside
/// Top-of-book snapshot.
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct BookTop {
    /// What is traded.
    pub asset: TradedAsset,
    pub buy: f64,
    pub sell: f64,
}
/// A listed asset.
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct TradedAsset {
    pub ticker: String,
    /// Market code, when known.
    pub market: Option<String>,
}

// T016 | signed i64
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct HoldingLine {
    pub book: String,
    /// Signed amount: below zero means owed.
    pub amount: i64,
    pub worth: f64,
}

// T017 | internally tagged, struct variants, `_id` names, u64/usize, Option
/// One request to the notebook.
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "type")]
pub enum NotebookCall {
    /// Read one page.
    ReadPage {
        /// Page number
        _id: u64,
        /// Volume the page is in
        volume: u64,
    },
    /// Read what changed since an offset.
    ReadDelta { _id: u64, line_offset: usize },
    /// Drop a page.
    DropPage { _id: u64 },
    /// List pages.
    ListPages {
        cursor: Option<String>,
        /// default 10
        limit: Option<usize>,
    },
}

// T018 | schemars(deny_unknown_fields), default + skip_serializing_if Vec/Option
#[derive(Debug, PartialEq, StructuredOutput)]
#[schemars(deny_unknown_fields)]
pub struct IncidentNote {
    pub cause: IncidentCause,
    pub gist: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next_moves: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repair: Option<RepairState>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub enum IncidentCause {
    MissingPart,
    NoAccess,
    Surprise,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub enum RepairState {
    Planned,
    Stuck,
    Done,
}

// T019 | externally tagged mix: tuple(2), newtype Option, struct, unit
#[derive(Debug, PartialEq, StructuredOutput)]
pub enum HaltCause {
    /// A step asked to stop
    AskedByStep(StepCall, #[geode(json_text)] Option<Value>),
    Failed(#[geode(json_text)] Option<Value>),
    /// Needs a person
    NeedsReview {
        step: StepCall,
        #[geode(json_text)]
        extra: Option<Value>,
    },
    /// Nothing special
    Plain,
    Other(String),
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct StepCall {
    id: String,
    name: String,
    #[serde(default)]
    args: Option<String>,
}

// T020 | struct variants with only Option<Value>
#[derive(Debug, PartialEq, StructuredOutput)]
pub enum ReviewReply {
    Granted {
        #[geode(json_text)]
        extra: Option<Value>,
    },
    Denied {
        #[geode(json_text)]
        extra: Option<Value>,
    },
}

// ---- tool parameters (MCP / rig)

// T023 | raw identifier r#type, default fn bool, doc code spans
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct GrantParams {
    pub item: String,
    /// `viewer`, `editor`, or `owner`.
    pub role: String,
    /// `person`, `team`, or `everyone`.
    pub r#type: String,
    /// Needed when `type=person`.
    #[serde(default)]
    pub mail: Option<String>,
    #[serde(default = "yes")]
    pub notify: bool,
}
fn yes() -> bool {
    true
}

// T024 | r#if with rename, schema_with on Option<Value>, Vec of nested, many Option
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct FlowStep {
    #[schemars(description = "Gadget to run")]
    pub gadget: Option<String>,
    #[schemars(description = "Its inputs")]
    #[geode(json_text)]
    pub inputs: Option<Value>,
    pub go_on_after_error: Option<bool>,
    pub pause_ms: Option<u64>,
    pub parts: Option<Vec<FlowPart>>,
    #[serde(rename = "if", skip_serializing_if = "Option::is_none")]
    #[schemars(description = "Run only when true, e.g. \"mode == 'full'\"")]
    pub r#if: Option<String>,
    pub tries: Option<u32>,
}
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct FlowPart {
    pub gadget: String,
    #[geode(json_text)]
    pub inputs: Value,
}

// T025 | two flattened option structs
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct PauseArgs {
    #[schemars(description = "How long")]
    pub pause_ms: u64,
    #[serde(flatten)]
    pub screen: ScreenOpts,
    #[serde(flatten)]
    pub frame: FrameOpts,
}
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct ScreenOpts {
    pub snap_all: Option<bool>,
}
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct FrameOpts {
    pub raise: Option<bool>,
    pub enlarge: Option<bool>,
}

// T026 | length/pattern/range, transform, default fn, u16/usize options
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct MailQuery {
    #[serde(default = "home_box")]
    #[schemars(length(min = 1, max = 64), pattern(r"^[A-Za-z0-9_-]+$"))]
    pub box_id: String,
    #[schemars(length(min = 1, max = 256))]
    pub path: String,
    pub page: Option<String>,
    #[schemars(range(min = 1, max = 365))]
    pub within_days: Option<u16>,
    #[schemars(pattern(r"^\d{4}-\d{2}-\d{2}$"))]
    pub since: Option<String>,
    #[serde(default = "ten")]
    #[schemars(range(min = 1, max = 100))]
    pub limit: usize,
}
fn home_box() -> String {
    "home".into()
}
fn ten() -> usize {
    10
}

// T027 | generic envelope with where clause
/// Every reply comes in this wrapper.
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct ReplyEnvelope<T> {
    /// One line for people
    pub gist: String,
    pub body: T,
    pub stamp: ReplyStamp,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct ReplyStamp {
    pub at_utc: String,
    pub took_ms: u64,
}

// T028 | untagged enum of structs
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(untagged)]
pub enum JobData {
    Bulk(BulkJob),
    Single(SingleJob),
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct BulkJob {
    pub touched: u32,
    pub failed: Vec<String>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SingleJob {
    pub target: String,
    pub note: Option<String>,
}

// T029 | several aliases per field (one alias equals the name), range on Option<i64>
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct ListRoutines {
    #[schemars(description = "Skip this many", range(min = 0))]
    pub offset: Option<i64>,
    #[schemars(range(min = 0, max = 10000))]
    #[serde(alias = "count", alias = "max")]
    pub limit: Option<i64>,
    #[serde(alias = "query", alias = "needle", alias = "text")]
    pub text: Option<String>,
}

// T030 | Value field (string|number|array) with aliases
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct PeekBytes {
    #[schemars(description = "Place(s) to read (string/number or array)")]
    #[serde(alias = "places", alias = "addr")]
    #[geode(json_text)]
    pub place: Value,
    #[schemars(range(min = 1, max = 4096))]
    pub len: Option<i64>,
}

// T031 | tolerant numbers: deserialize_with string-or-number on Option
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct ClientIntake {
    /// Client name (needed)
    pub name: String,
    /// Sites, comma separated
    pub sites: Option<String>,
    #[serde(default)]
    #[geode(plain)]
    pub income: Option<f64>,
    #[serde(default)]
    #[geode(plain)]
    pub heads: Option<u32>,
}

// T032 | default fn + deserialize_with on a NON-Option, Vec of structs default
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct RunLine {
    pub line: String,
    pub cwd: Option<String>,
    #[serde(default)]
    pub vars: Vec<VarPair>,
    #[serde(default = "sixty")]
    #[geode(plain)]
    pub give_up_after: u64,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct VarPair {
    pub key: String,
    pub value: String,
}
fn sixty() -> u64 {
    60
}

// T033 | many optional children, deserialize_with string-or-object
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct RichCard {
    pub heading: Option<String>,
    pub tint: Option<u32>,
    pub link: Option<String>,
    #[serde(default)]
    pub cells: Vec<RichCell>,
    #[serde(default)]
    #[geode(plain)]
    pub foot: Option<RichFoot>,
}
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct RichCell {
    pub name: String,
    pub value: String,
    #[serde(default)]
    pub inline: bool,
}
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct RichFoot {
    pub text: String,
}

// T034 | internally tagged snake_case, one field per variant
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case", tag = "type")]
pub enum Widgets {
    PushRow { pushes: Vec<PushKnob> },
    PickList { pick: PickBox },
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct PushKnob {
    pub caption: String,
    pub token: Option<String>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct PickBox {
    pub token: String,
    pub options: Vec<String>,
}

// T035 | Option<Vec<Value>>, Option<Vec<enum>>, Option<struct>
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SayArgs {
    /// What to say.
    pub words: String,
    #[serde(default)]
    pub cards: Option<Vec<RichCard>>,
    #[serde(default)]
    #[geode(json_text)]
    pub raw_blocks: Option<Vec<Value>>,
    #[serde(default)]
    pub widgets: Option<Vec<Widgets>>,
    #[serde(default)]
    pub ballot: Option<Ballot>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Ballot {
    pub ask: String,
    pub choices: Vec<String>,
    #[serde(default)]
    pub many: bool,
    #[serde(default = "day")]
    pub hours: u32,
}
fn day() -> u32 {
    24
}

// T036 | tag + rename_all + deny_unknown_fields, unit + struct variants, PathBuf, schemars(with)
/// Where steps come from
#[derive(Debug, Default, PartialEq, StructuredOutput)]
#[serde(tag = "source", rename_all = "snake_case", deny_unknown_fields)]
pub enum StepSource {
    /// From a shelf
    Shelf { id: ShelfId },
    /// Decide from the rest.
    ///
    /// Note: tries the shelf first.
    #[default]
    Guess,
    /// From local files
    LocalFiles { paths: Vec<PathBuf> },
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct ShelfId(pub String);

// T037 | untagged: number or enum
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(deny_unknown_fields, untagged)]
pub enum Rate {
    /// Part of all; 1 and above means all.
    Part(f64),
    Fixed(FixedRate),
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub enum FixedRate {
    AlwaysOn,
    AlwaysOff,
}

// T038 | HashSet<enum>, with-module Duration, schemars(with = Option<String>)
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(deny_unknown_fields)]
pub struct ExportPlan {
    pub hidden: Option<HashSet<Trait_>>,
    #[serde(default)]
    #[geode(plain)]
    pub every: Option<Duration>,
}
#[derive(Debug, PartialEq, Eq, Hash, StructuredOutput)]
#[serde(rename_all = "kebab-case")]
pub enum Trait_ {
    ClientName,
    StepHash,
}

// T039 | Option<Value> published as String through schema_with (double-encoded JSON by design)
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct RunQuery {
    pub query: String,
    /// The inputs, as JSON
    #[serde(default)]
    #[geode(json_text)]
    pub inputs: Option<Value>,
}

// T040 | container-level serde(default) + deny_unknown_fields
/// Cross-site rules
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(default, deny_unknown_fields)]
pub struct SiteRules {
    pub on: bool,
    pub sites: Vec<String>,
    pub verbs: Vec<String>,
    /// Seconds to keep the answer
    pub keep: Option<u64>,
}
impl Default for SiteRules {
    fn default() -> Self {
        SiteRules { on: false, sites: vec![], verbs: vec!["GET".into(), "POST".into()], keep: Some(7200) }
    }
}

// T041 | field renames to camelCase, untagged-ish filter map, keyword-like names
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct FindNotes {
    pub shelf: String,
    /// Plain words; with `regex: true` a pattern; "tag:a/b" finds a tag.
    pub query: String,
    #[serde(rename = "caseSensitive")]
    pub case_sensitive: Option<bool>,
    #[serde(rename = "searchType")]
    pub search_type: Option<FindKind>,
    pub regex: Option<bool>,
    /// e.g. {"state": "open"}
    #[geode(json_text)]
    pub frontmatter: Option<BTreeMap<String, Value>>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "lowercase")]
pub enum FindKind {
    Content,
    Filename,
    Both,
}

// T042 | camelCase container, default fn, skip_serializing_if, Option<Vec<struct>>
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "camelCase")]
pub struct ServiceSpec {
    pub copy_count: i32,
    #[serde(default = "base_image")]
    pub base_image: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub add_ons: Option<Vec<String>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub env_vars: Option<Vec<VarPair>>,
}
fn base_image() -> String {
    "svc:1".into()
}

// T043 | HashMap<String, Struct> with default, u8, f64 default fns
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SpendRules {
    #[serde(default)]
    pub on: bool,
    #[serde(default = "cap")]
    pub day_cap: f64,
    #[serde(default = "warn")]
    pub warn_percent: u8,
    #[serde(default)]
    pub tariffs: HashMap<String, Tariff>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Tariff {
    pub read: f64,
    pub write: f64,
}
fn cap() -> f64 {
    10.0
}
fn warn() -> u8 {
    80
}

// T044 | HashMap<String, Vec<String>>
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct FallbackMap {
    #[serde(default)]
    pub spare: HashMap<String, Vec<String>>,
    #[serde(default)]
    pub order: Vec<String>,
}

// T045 | u16 ports with default fn, alias + default fn on one field
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct MailWire {
    pub host: String,
    #[serde(default = "p993")]
    pub port: u16,
    #[serde(default = "yes")]
    pub tls: bool,
    #[serde(default = "idle", alias = "poll_secs")]
    pub idle_secs: u64,
    /// empty = nobody, ["*"] = everybody
    #[serde(default)]
    pub senders: Vec<String>,
}
fn p993() -> u16 {
    993
}
fn idle() -> u64 {
    1740
}

// T046 | transparent Option newtype as field, flatten, skip, alias = "mode"
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct RunnerSetup {
    #[serde(default)]
    pub tail: TailText,
    #[serde(default, skip_serializing_if = "Option::is_none", alias = "mode")]
    pub helper: Option<String>,
    /// Say yes to everything
    #[serde(default = "yes")]
    pub auto_yes: bool,
    #[serde(flatten)]
    pub over: Overrides,
    #[serde(skip)]
    pub cache: Option<Arc<String>>,
}
// T047 | serde(transparent) newtype over Option, title/description/extend
#[derive(Debug, Default, Clone, PartialEq, StructuredOutput)]
#[serde(transparent)]
#[geode(plain)]
#[schemars(title = "Tail Text", description = "Added after the prompt", extend("format" = "textarea"))]
pub struct TailText(pub Option<String>);
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct Overrides {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub base_cmd: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub more_args: Option<Vec<String>>,
}

// T048 | unit struct
/// Does nothing.
#[derive(Debug, Default, Clone, PartialEq, StructuredOutput)]
pub struct NullRunner;

// T049 | externally tagged with unit + struct variant named Some, enum in struct, empty struct
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct CloseCall {
    pub target: CloseTarget,
}
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub enum CloseTarget {
    /// The one in front.
    #[default]
    Front,
    /// All of them.
    Every,
    /// These.
    Some { refs: Vec<ViewRef> },
}
#[derive(Debug, Default, Clone, PartialEq, StructuredOutput)]
pub struct ViewRef {
    pub kind: String,
    pub key: String,
}
/// Takes nothing.
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct NoArgs {}

// T050 | Option<Url> published as Option<String>
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct LinkUp {
    /// Where to connect. Defaults to `http://127.0.0.1:1`.
    #[serde(default)]
    pub endpoint: Option<Url>,
}

// T051 | i64 ids carried as strings (with-pair + schemars(with)), Option<Vec<enum>> that may arrive as a JSON string
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SymbolAsk {
    pub symbol: Option<String>,
    #[serde(rename = "ref")]
    pub path: Option<String>,
    #[serde(rename = "id", default)]
    #[geode(as_string)]
    pub handle: Option<i64>,
    #[serde(default)]
    #[geode(plain)]
    pub include: Option<Vec<AskPart>>,
}
#[derive(Debug, Clone, Copy, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub enum AskPart {
    Callers,
    TextMatches,
}

// T052 | tuple (u32,u32) field + unit enum with schemars(description) on variants
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct MoveTo {
    #[schemars(description = "Spot")]
    pub spot: (u32, u32),
    pub side: Side,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub enum Side {
    #[schemars(description = "Towards the left")]
    Left,
    #[schemars(description = "Towards the right")]
    Right,
}

// T053 | Cow<'static, str>, Option<Map<String, Value>>, `_meta` rename, camelCase
#[derive(Debug, Default, PartialEq, StructuredOutput)]
#[serde(rename_all = "camelCase")]
pub struct InvokeParams {
    #[serde(rename = "_meta", default, skip_serializing_if = "Option::is_none")]
    #[geode(json_text)]
    pub meta: Option<Map<String, Value>>,
    pub tool_name: Cow<'static, str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[geode(json_text)]
    pub arguments: Option<Map<String, Value>>,
}

// T054 | generic untagged one-or-many
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(untagged)]
pub enum OneOrMany<T> {
    One(T),
    Many(Vec<T>),
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct TagList {
    pub tags: OneOrMany<String>,
}

// T055 | transparent newtype over an untagged number-or-string
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(transparent)]
pub struct Ticket(pub NumOrText);
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(untagged)]
pub enum NumOrText {
    Num(i64),
    Text(String),
}

// T056 | enum with tag + try_from wire type, rename + rename_all per variant
#[derive(Debug, Clone, PartialEq, StructuredOutput)]
#[serde(tag = "mode", try_from = "AskWire", into = "AskWire")]
pub enum AskUser {
    #[serde(rename = "form", rename_all = "camelCase")]
    Form { message: String, wanted_shape: Value },
    #[serde(rename = "link", rename_all = "camelCase")]
    Link { message: String, go_to: String },
}
// T057 | internally tagged with one variant-level untagged fallback
#[derive(Debug, Clone, PartialEq, StructuredOutput)]
#[serde(tag = "mode")]
pub enum AskWire {
    #[serde(rename = "form", rename_all = "camelCase")]
    Form {
        message: String,
        #[geode(json_text)]
        wanted_shape: Value,
    },
    #[serde(rename = "link", rename_all = "camelCase")]
    Link { message: String, go_to: String },
    #[serde(untagged, rename_all = "camelCase")]
    Old {
        message: String,
        #[geode(json_text)]
        wanted_shape: Value,
    },
}
impl TryFrom<AskWire> for AskUser {
    type Error = String;
    fn try_from(w: AskWire) -> Result<Self, String> {
        match w {
            AskWire::Form { message, wanted_shape } | AskWire::Old { message, wanted_shape } => {
                Ok(AskUser::Form { message, wanted_shape })
            }
            AskWire::Link { go_to, .. } if go_to.is_empty() => Err("empty link".into()),
            AskWire::Link { message, go_to } => Ok(AskUser::Link { message, go_to }),
        }
    }
}
impl From<AskUser> for AskWire {
    fn from(a: AskUser) -> Self {
        match a {
            AskUser::Form { message, wanted_shape } => AskWire::Form { message, wanted_shape },
            AskUser::Link { message, go_to } => AskWire::Link { message, go_to },
        }
    }
}

// T058 | generic struct with default parameter and flattened generic
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct WireCall<R = NoArgs> {
    pub version: String,
    pub id: Ticket,
    #[serde(flatten)]
    pub inner: R,
}

// T059 | inline enum, extend("type"), title per variant
#[derive(Debug, Default, PartialEq, StructuredOutput)]
#[schemars(inline)]
#[geode(plain)]
#[schemars(extend("type" = "string"))]
pub enum TitledPick {
    #[schemars(title = "The first one")]
    #[default]
    First,
    #[schemars(title = "The second one")]
    Second,
}

// ---- trees, filters, content blocks

// T060 | tagged recursive filter: newtype variants, Vec<Self>, Box<Self>, titles
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Sieve {
    /// By score
    #[schemars(title = "SieveScore")]
    ScoreTest(ScoreSieve),
    /// By label
    #[schemars(title = "SieveLabel")]
    LabelTest(LabelSieve),
    /// By time
    TimeTest(TimeSieve),
    /// Every child holds
    All { children: Vec<Sieve> },
    /// Any child holds
    Any { children: Vec<Sieve> },
    /// Child does not hold
    Not { child: Box<Sieve> },
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct ScoreSieve {
    pub metric: String,
    pub value: f64,
    pub op: SieveOp,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct LabelSieve {
    pub key: String,
    pub value: String,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct TimeSieve {
    pub at: DateTime<Utc>,
    pub op: SieveOp,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub enum SieveOp {
    #[serde(rename = "<")]
    Below,
    #[serde(rename = "<=")]
    AtMost,
    #[serde(rename = "=")]
    Same,
    #[serde(rename = ">=")]
    AtLeast,
    #[serde(rename = ">")]
    Above,
}

// T061 | flatten of a tagged enum inside a struct
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SortRule {
    #[serde(flatten)]
    pub by: SortBy,
    pub way: SortWay,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "by", rename_all = "snake_case")]
pub enum SortBy {
    Time,
    Metric { name: String },
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "lowercase")]
pub enum SortWay {
    Ascending,
    Descending,
}

// T062 | externally tagged lowercase: units + one newtype(String), deny_unknown_fields
#[derive(Debug, Default, PartialEq, StructuredOutput)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum PickGadget {
    None,
    #[default]
    Auto,
    Required,
    /// Exactly this one.
    #[schemars(title = "PickGadgetNamed")]
    Named(String),
}

// T063 | content blocks: newtype variants in a tag, alias on a variant, boxed payload
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Block {
    Words(Words),
    RawWords(Words),
    GadgetCall(GadgetCall),
    #[serde(alias = "picture")]
    Attachment(Box<Attachment>),
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Words {
    pub text: String,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct GadgetCall {
    pub id: String,
    pub name: String,
    #[geode(json_text)]
    pub arguments: Value,
}
// T064 | nested untagged-free tagged enum with Url
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "file_type", rename_all = "snake_case")]
pub enum Attachment {
    Link { url: Url, mime: Option<String> },
    Inline { mime: String, data: String },
}

// T065 | HashMap<String, Box<Self>>, Option<[f64; 2]>, wide tagged enum
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Judge {
    /// Same text or not
    TextTest { name: String, op: JudgeOp, got: String, want: String },
    /// Scored by a model
    ModelScore {
        name: String,
        model: String,
        /// e.g. [0.0, 1.0]
        span: Option<[f64; 2]>,
    },
    /// Put in one of some boxes
    ModelLabel { name: String, labels: Vec<String>, good: Vec<String> },
    /// Several together
    Mixed { formula: String, judges: HashMap<String, Box<Judge>>, name: String },
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "lowercase")]
pub enum JudgeOp {
    Eq,
    Ne,
    Like,
    Ilike,
}

// T066 | untagged: number or one-literal enum
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(untagged)]
pub enum BatchSize {
    Count(u32),
    Word(BatchWord),
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "lowercase")]
pub enum BatchWord {
    Max,
}

// T067 | untagged with UNIT variant (null) first
#[derive(Debug, Default, PartialEq, StructuredOutput)]
#[serde(untagged)]
pub enum GadgetScope {
    #[default]
    Anywhere,
    Only(OnlyHere),
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct OnlyHere {
    pub model: String,
    pub vendor: Option<String>,
}

// T068 | struct variant holding a flattened Box
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum FillFrom {
    Ids {
        ids: Vec<Uuid>,
        from: Option<String>,
    },
    Search {
        #[serde(flatten)]
        search: Box<SearchPart>,
    },
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SearchPart {
    pub words: String,
    pub limit: Option<u32>,
}

// T069 | transparent struct with a named Vec field
#[derive(Debug, Default, PartialEq, StructuredOutput)]
#[serde(transparent)]
pub struct PatchList {
    pub data: Vec<PatchItem>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct PatchItem {
    pub pointer: String,
    #[serde(flatten)]
    pub what: PatchWhat,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub enum PatchWhat {
    Value(#[geode(json_text)] Value),
    Delete,
}

// T070 | wide record: Uuid, DateTime, HashMap tags, Vec<Vec<>>, Option<u64>
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct LogRow {
    pub function: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub output: Option<Vec<Block>>,
    #[serde(default)]
    pub worse: Vec<Vec<Block>>,
    pub at: DateTime<Utc>,
    pub row_id: Uuid,
    #[serde(default)]
    pub tags: HashMap<String, String>,
    pub took_ms: Option<u64>,
}

// T071 | adjacently tagged (type/value) with renames
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "type", content = "value")]
pub enum Shape {
    #[serde(rename = "pattern")]
    Pattern(String),
    #[serde(rename = "json_shape")]
    JsonShape(#[geode(json_text)] Value),
    #[serde(rename = "bundle")]
    Bundle(ShapeBundle),
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct ShapeBundle {
    pub parts: Vec<String>,
}

// T072 | generic adjacently tagged
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case", tag = "mode", content = "value")]
pub enum OldOrNew<T> {
    /// The alias of one we have.
    Existing(String),
    /// A new one.
    Fresh(T),
    Nothing,
}

// T073 | untagged + deny_unknown_fields struct variants that overlap in one optional field
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(untagged, deny_unknown_fields)]
pub enum EchoRule {
    Base {
        base_mode: EchoMode,
        #[serde(default)]
        cap: Option<usize>,
    },
    ForTool {
        tool: String,
        #[serde(default)]
        keep: Vec<String>,
        #[serde(default)]
        cap: Option<usize>,
    },
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub enum EchoMode {
    Nothing,
    Names,
    Everything,
}

// ---- validation attributes

// T074 | garde: range, inner, length, pattern, dive, skip; default fns; explicit null means "no limit"
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct TrialRun {
    /// Plan name (e.g. `short_leg`).
    #[garde(length(chars, min = 1))]
    pub plan: String,
    #[serde(default)]
    #[garde(inner(length(chars, min = 1)))]
    pub legs: Option<Vec<LegRange>>,
    #[serde(default = "zero")]
    #[garde(range(min = 0))]
    pub exit_days: i32,
    #[garde(inner(range(min = 0.0)))]
    pub stop: Option<f64>,
    #[serde(default)]
    #[garde(inner(length(chars, min = 1, max = 10), pattern(r"^[A-Za-z0-9._-]+$")))]
    pub ticker: Option<String>,
    /// Default 500; pass `null` for no limit.
    #[serde(default = "five_hundred")]
    #[garde(skip)]
    pub limit: Option<usize>,
    #[serde(default)]
    #[garde(skip)]
    pub seed: Option<u64>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct LegRange {
    #[garde(range(min = 0.0, max = 1.0))]
    pub aim: f64,
    pub low: f64,
    pub high: f64,
}
fn zero() -> i32 {
    0
}
fn five_hundred() -> Option<usize> {
    Some(500)
}

// T075 | validate(length, email, url, range, regex), Vec<enum>
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "camelCase")]
pub struct HookDraft {
    #[validate(length(min = 1, max = 100))]
    pub display_name: String,
    #[validate(length(max = 500))]
    #[serde(default)]
    pub about: String,
    #[validate(url)]
    pub call_url: String,
    #[validate(email)]
    pub owner_mail: Option<String>,
    #[validate(range(min = 1, max = 10))]
    pub retry_count: u8,
    #[validate(length(min = 1))]
    pub events: Vec<HookEvent>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub enum HookEvent {
    ItemMade,
    ItemGone,
}

// T076 | schemars(range) confidence
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Finding {
    /// 0 to 1
    #[schemars(range(min = 0.0, max = 1.0))]
    pub confidence: f64,
    pub finding: String,
    pub proof: Vec<String>,
}

// T077 | [f32; 3] with inner(range), container default
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(default)]
pub struct Crate3 {
    /// Half size on each axis.
    #[schemars(inner(range(min = 0.001, max = 1000.0)))]
    pub half: [f32; 3],
    pub tint: [u8; 4],
}
impl Default for Crate3 {
    fn default() -> Self {
        Crate3 { half: [0.5; 3], tint: [255; 4] }
    }
}

// T078 | schemars(length + inner(range)) on Vec<f64>, default
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(deny_unknown_fields)]
pub struct LoopTrack {
    pub mode: LoopMode,
    #[serde(default)]
    #[schemars(range(min = 0.0))]
    pub start: Option<f64>,
    #[serde(default)]
    #[schemars(length(max = 64), inner(range(min = 0.0)))]
    pub at: Vec<f64>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub enum LoopMode {
    Loop,
    OneShot,
}

// T079 | schemars(email, example), serde(rename) of the container, `# Title` docs
/// # A person to invite
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename = "PersonInvite")]
pub struct Invite {
    /// Where to send it.
    #[schemars(email, example = &"ann@example.org")]
    pub mail: String,
    #[schemars(example = &"ann")]
    pub handle: String,
}

// T080 | container example, `# Heading` doc
/// # Foo-like thing
#[derive(Debug, PartialEq, StructuredOutput)]
#[geode(plain)]
#[schemars(example = ThingWithExample { id: 1, sub: SubThing { on: true } })]
pub struct ThingWithExample {
    /// Its number
    pub id: u32,
    /// Its part
    pub sub: SubThing,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SubThing {
    pub on: bool,
}

// ---- scalars, numbers, dates

// T081 | DateTime, Uuid, IpAddr
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct NodeRecord {
    pub id: Uuid,
    pub made: DateTime<Utc>,
    pub addr: IpAddr,
    pub note: Option<String>,
}

// T082 | Decimal published as String, NaiveDate, Option<Decimal>
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct LedgerLine {
    pub day: NaiveDate,
    pub sum: Decimal,
    pub vat: Option<Decimal>,
    pub currency: String,
}

// T083 | u128 as decimal string via with + default, schemars(with)
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct MintFilter {
    pub owner: Option<String>,
    #[serde(default)]
    #[geode(as_string)]
    pub amount: Option<u128>,
    #[serde(default)]
    #[geode(as_string)]
    pub min_amount: Option<u128>,
}

// T084 | every integer width
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct AllInts {
    pub a: u8,
    pub b: u16,
    pub c: u32,
    pub d: u64,
    pub e: u128,
    pub f: i8,
    pub g: i16,
    pub h: i32,
    pub i: i64,
    pub j: i128,
    pub k: usize,
    pub l: isize,
}

// T085 | NonZeroU32, NonZeroUsize, char, f32
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct OddScalars {
    pub cap: Option<NonZeroU32>,
    pub width: NonZeroUsize,
    pub mark: char,
    pub ratio: f32,
    pub on: bool,
    pub nothing: (),
}

// T086 | NaiveDate / NaiveTime / NaiveDateTime / DateTime mix
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Slot {
    pub day: NaiveDate,
    pub clock: Option<NaiveTime>,
    pub local: Option<NaiveDateTime>,
    pub exact: Option<DateTime<Utc>>,
}

// T087 | std Duration in serde's {secs,nanos} form
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Patience {
    pub wait: Duration,
    pub again: Option<Duration>,
}

// T088 | serde_repr u16 with gaps
#[derive(Debug, Clone, Copy, PartialEq, StructuredOutput)]
#[geode(repr)]
#[repr(u16)]
pub enum InkWeight {
    Hair = 100,
    Book = 400,
    Heavy = 900,
}

// T089 | serde_repr i32 + default + docs, inside a struct
#[derive(Debug, Default, Clone, Copy, PartialEq, StructuredOutput)]
#[geode(repr)]
#[repr(i32)]
pub enum TraceState {
    /// Unknown yet
    #[default]
    Unset = 0,
    /// Went well
    Fine = 1,
    Broken = -1,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct TraceEnd {
    #[serde(default)]
    pub state: TraceState,
    pub words: String,
}

// ---- containers

// T090 | non-string map keys: u32, enum, Uuid
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct KeyedMaps {
    pub by_number: BTreeMap<u32, String>,
    pub by_kind: BTreeMap<MapKey, f64>,
    pub by_id: HashMap<Uuid, Vec<u8>>,
}
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, StructuredOutput)]
#[serde(rename_all = "kebab-case")]
pub enum MapKey {
    FirstKind,
    SecondKind,
}

// T091 | BTreeSet<String> with inner(length), HashSet
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct SetsHere {
    #[schemars(inner(length(min = 1, max = 128)))]
    pub versions: BTreeSet<String>,
    pub seen: HashSet<u32>,
}

// T092 | Option of tuple, tuple of struct
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct DatedPay {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub upfront: Option<(NaiveDate, f64)>,
    pub legs: Vec<(String, i32, bool)>,
}

// T093 | deep expression tree, tuple variants with Box<Self>, Vec<(String, Self)>
#[derive(Debug, PartialEq, StructuredOutput)]
pub enum Formula {
    Nothing,
    Num(f64),
    Text(String),
    Neg(Box<Formula>),
    Add(Box<Formula>, Box<Formula>),
    Pick(Vec<(String, Formula)>),
    Call(String, Vec<Formula>),
}

// T094 | mutual recursion through Option<Box<>>
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Post {
    pub words: String,
    pub replies: Vec<Reaction>,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Reaction {
    pub emoji: char,
    pub quoted: Option<Box<Post>>,
}

// T095 | Arc/Rc/Box smart pointers
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Shared {
    pub a: Arc<String>,
    pub b: Rc<Vec<u32>>,
    pub c: Box<str>,
    pub d: Option<Box<SubThing>>,
}

// T096 | generic newtype with PhantomData (serde skip), transparent, default type parameter
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(transparent, bound(serialize = "T: Serialize", deserialize = "T: Deserialize<'de>"))]
#[schemars(transparent, bound = "T: JsonSchema")]
pub struct KeyOf<E, T = Uuid>(
    pub T,
    #[serde(skip)]
    #[schemars(skip)]
    pub PhantomData<E>,
);
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct MenuItem {
    pub id: KeyOf<NullRunner>,
    pub parent: Option<KeyOf<NullRunner, u32>>,
}

// T097 | lifetime + Cow + borrow
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Excerpt<'a> {
    #[serde(borrow)]
    pub title: Cow<'a, str>,
    pub body: Cow<'a, str>,
    pub marks: Vec<Cow<'a, str>>,
}

// T098 | newtype with try_from = primitive
#[derive(Debug, Clone, PartialEq, StructuredOutput)]
#[serde(try_from = "u8", into = "u8")]
pub struct Percent(u8);
impl TryFrom<u8> for Percent {
    type Error = String;
    fn try_from(v: u8) -> Result<Self, String> {
        if v <= 100 { Ok(Percent(v)) } else { Err(format!("{v} is over 100")) }
    }
}
impl From<Percent> for u8 {
    fn from(p: Percent) -> u8 {
        p.0
    }
}

// T099 | struct with from = other struct
#[derive(Debug, Clone, PartialEq, StructuredOutput)]
#[serde(from = "SpanText", into = "SpanText")]
pub struct Span_ {
    pub from: u32,
    pub to: u32,
}
#[derive(Debug, Clone, PartialEq, StructuredOutput)]
pub struct SpanText {
    pub range: String,
}
impl From<SpanText> for Span_ {
    fn from(t: SpanText) -> Self {
        let (a, b) = t.range.split_once('-').unwrap_or(("0", "0"));
        Span_ { from: a.parse().unwrap_or(0), to: b.parse().unwrap_or(0) }
    }
}
impl From<Span_> for SpanText {
    fn from(s: Span_) -> Self {
        SpanText { range: format!("{}-{}", s.from, s.to) }
    }
}

// ---- attribute corner cases

// T100 | every rename_all style on variants and fields
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "SCREAMING-KEBAB-CASE")]
pub enum LoudKind {
    VeryLoud,
    HTTPLoud,
    Loud2Loud,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "PascalCase")]
pub struct PascalFields {
    pub first_part: u32,
    pub http_2_code: Option<u32>,
    #[serde(rename = "x-Own")]
    pub own: LoudKind,
}

// T101 | rename_all + rename_all_fields, per-variant rename_all override
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "eventKind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Happening {
    ItemMoved {
        from_shelf: String,
        to_shelf: String,
    },
    #[serde(rename_all = "SCREAMING_SNAKE_CASE")]
    ItemLost {
        last_seen: Option<String>,
    },
    AllQuiet,
}

// T102 | rename(serialize, deserialize) split + alias + skip_serializing / skip_deserializing
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct TwoFaced {
    #[serde(rename(serialize = "outName", deserialize = "in_name"), alias = "name")]
    pub name: String,
    #[serde(skip_serializing)]
    pub secret: String,
    #[serde(skip_deserializing)]
    pub made_by_us: u32,
    #[serde(skip)]
    pub local: Vec<String>,
}

// T104 | flatten of an externally tagged enum + schemars deny_unknown_fields (unsatisfiable in old schemars)
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct WithPart {
    pub property: String,
    #[serde(flatten)]
    pub part: Part,
}
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "lowercase")]
pub enum Part {
    Text(String),
    Count(u32),
}

// T105 | serde(other) unit fallback
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub enum EndCause {
    Stop,
    OutOfRoom,
    #[serde(other)]
    Unknown,
}

// T106 | untagged with expecting text
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(untagged, expecting = "a yes/no or a list of names")]
pub enum YesNoOrNames {
    Flag(bool),
    Names(Vec<String>),
}

// T107 | one-variant unit enum
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "snake_case")]
pub enum OnlyChoice {
    TheOne,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct HasOnlyChoice {
    pub choice: OnlyChoice,
    pub maybe: Option<OnlyChoice>,
}

// T108 | one-variant tagged enum with deny_unknown_fields via schemars
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "type")]
#[schemars(deny_unknown_fields)]
pub enum Signer {
    #[serde(rename = "mail")]
    Mail {
        #[schemars(email)]
        mail: String,
    },
}

// T109 | nullable enum: unit enum WITH per-variant docs + Option
/// How urgent
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(rename_all = "lowercase")]
pub enum Urgency {
    /// Drop everything
    Now,
    /// This week
    Soon,
    Later,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct UrgentTask {
    /// what to do
    pub what: String,
    /// leave null when unsure
    pub urgency: Option<Urgency>,
    pub history: Option<Vec<Option<Urgency>>>,
}

// T110 | Option field with `with` and NO default: missing key is an error, null is fine
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct StrictOption {
    #[geode(as_string)]
    pub handle: Option<i64>,
    pub easy: Option<i64>,
}

// T111 | two types with the same name in different modules
pub mod north {
    use super::*;
    #[derive(Debug, PartialEq, StructuredOutput)]
    pub struct Config {
        pub wind: f64,
    }
}
pub mod south {
    use super::*;
    #[derive(Debug, PartialEq, StructuredOutput)]
    pub struct Config {
        pub sun: bool,
    }
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct BothConfigs {
    pub north: north::Config,
    pub south: south::Config,
}

// T112 | many raw identifiers
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Keywords {
    pub r#type: String,
    pub r#match: Option<String>,
    pub r#async: bool,
    #[serde(rename = "self")]
    pub self_: u8,
    #[serde(rename = "$ref")]
    pub dollar_ref: Option<String>,
}

// T113 | renamed to non-ASCII, spaces, quotes, empty-ish
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct AwkwardNames {
    #[serde(rename = "имя")]
    pub name: String,
    #[serde(rename = "Total Price (€)")]
    pub price: f64,
    #[serde(rename = "say \"hi\"")]
    pub quote: bool,
    #[serde(rename = "a/b~c")]
    pub pointerish: u32,
}

// T114 | docs holding lists, code, links, quotes, unicode
/// Picks a **colour**.
///
/// - `r`: red share
/// - `g`: green share
///
/// ```text
/// { "r": 1, "g": 2 }
/// ```
///
/// See <https://example.org/"quoted"> — naïve façade 🎨.
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct DocHeavy {
    /// Line one
    /// line two of the same paragraph
    ///
    ///     indented code
    pub r: u8,
    #[doc = "Made by a `#[doc]` attribute"]
    pub g: u8,
    #[deprecated]
    #[schemars(description = "overrides the doc")]
    /// hidden by the description
    pub old: Option<u8>,
}

// T115 | tuple struct, newtype chain, nested array
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Dot(pub f64, pub f64);
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Meters(pub f64);
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct Outline {
    pub dots: Vec<Dot>,
    pub tall: Meters,
    pub grid: [[u8; 2]; 2],
}

// T116 | a foreign type's mirror
// adapted: `remote` hides the fields, so that the mirror stands in the field, and converts
pub struct Foreign {
    pub x: i32,
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct ForeignMirror {
    pub x: i32,
}
impl From<ForeignMirror> for Foreign {
    fn from(mirror: ForeignMirror) -> Self {
        Foreign { x: mirror.x }
    }
}
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct HoldsForeign {
    pub inner: ForeignMirror,
    pub n: u8,
}

// T117 | Result<T, E> and Option<generic>
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct MaybeResult {
    pub got: Result<u32, String>,
    pub page: Option<Payload<u32>>,
    pub list: Payload<Vec<NamedGuest>>,
}

// T118 | tag+content all variant kinds + deny_unknown_fields
#[derive(Debug, PartialEq, StructuredOutput)]
#[serde(tag = "t", content = "c", deny_unknown_fields)]
pub enum Adjacent {
    Unit,
    Newtype(u32),
    Tuple(u32, String),
    Struct { a: Option<u32>, b: bool },
}

// T119 | Vec root newtype, enum root, bool root
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct NameList(pub Vec<String>);
#[derive(Debug, PartialEq, StructuredOutput)]
pub struct YesNo(pub bool);

// T120 | 30 fields, half optional
#[derive(Debug, Default, PartialEq, StructuredOutput)]
pub struct WideForm {
    pub f01: String,
    pub f02: String,
    pub f03: String,
    pub f04: String,
    pub f05: String,
    pub f06: u32,
    pub f07: u32,
    pub f08: u32,
    pub f09: f64,
    pub f10: f64,
    pub f11: bool,
    pub f12: bool,
    pub f13: Vec<String>,
    pub f14: Vec<u32>,
    pub f15: String,
    pub o01: Option<String>,
    pub o02: Option<String>,
    pub o03: Option<String>,
    pub o04: Option<String>,
    pub o05: Option<u32>,
    pub o06: Option<u32>,
    pub o07: Option<f64>,
    pub o08: Option<bool>,
    pub o09: Option<Vec<String>>,
    pub o10: Option<String>,
    pub o11: Option<String>,
    pub o12: Option<String>,
    pub o13: Option<String>,
    pub o14: Option<String>,
    pub o15: Option<String>,
}
