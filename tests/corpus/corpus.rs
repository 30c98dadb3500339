//! Real types under the derive, and 9,175 texts that serde has judged for the same types.
//!
//! `cargo test --test corpus -- --nocapture` prints each figure on a line of its own.

#![expect(clippy::print_stdout, reason = "the figures are what this test is for")]

mod arriving;
mod policy;
mod provider_outcomes;
mod types;

use std::collections::BTreeMap;
use std::sync::Arc;

use geode::dialect::{ANTHROPIC, Dialect, Incompatible, OPENAI_STRICT, WirePlan, lint, lower};
use geode::report::Report;
use geode::schema::Schema;
use geode::testing::{Parity, parity};
use geode::{StructuredOutput, Wire};
use serde_json::Value;
use types::*;

/// Types of the corpus that can't be, with what the derive says: each must be a compile error, since on the wire `null` would
/// mean both "keep" and "clear", or the object would be open.
const REFUSED: [(&str, &str); 3] = [
    ("TicketPatch", "an `Option` around a type that can be `null` itself: `null` on the wire would mean both"),
    ("GadgetPatch", "an `Option` around a type that can be `null` itself: `null` on the wire would mean both"),
    ("Open_", "a flattened map would make an open object, which no strict schema allows"),
];

/// One type, by its name in the corpus.
struct Subject {
    name: &'static str,
    read: fn(&str) -> Result<(), Report>,
    parity: fn(usize) -> Result<Parity, String>,
    arrive: fn() -> Result<arriving::Arrived, String>,
    schema: fn() -> Schema,
    /// What schemars is told.
    schemars: fn() -> Value,
    lower: fn(&'static Dialect) -> Result<Arc<WirePlan>, Incompatible>,
}

fn subject<T: StructuredOutput>(name: &'static str) -> Subject {
    Subject {
        name,
        read: |text| geode::from_str::<T>(text).map(|_| ()),
        parity: |texts| parity::<T>(texts, 11),
        arrive: || arriving::arrive::<T>(150, 5),
        schema: geode::schema::<T>,
        schemars: || schemars::schema_for!(Wire<T>).to_value(),
        lower: |dialect| lower(T::SHAPE, dialect),
    }
}

macro_rules! subjects {
    ($($type:ty),+ $(,)?) => { vec![$(subject::<$type>(stringify!($type))),+] };
}

#[rustfmt::skip]
fn subjects() -> Vec<Subject> {
    subjects![
        NamedGuest, MandatoryNullable, SurveySheet, MoodReading, RelevanceMark, Verdict, TownForecast, PlanCall,
        WorkedProof, BillDraft, RegionCard, Payload<u32>, LooseBox, Folder, BookTop, HoldingLine, NotebookCall,
        IncidentNote, HaltCause, ReviewReply, GrantParams, FlowStep, PauseArgs, MailQuery, ReplyEnvelope<SingleJob>,
        JobData, ListRoutines, PeekBytes, ClientIntake, RunLine, RichCard, Widgets, SayArgs, StepSource, Rate,
        ExportPlan, RunQuery, SiteRules, FindNotes, ServiceSpec, SpendRules, FallbackMap, MailWire, RunnerSetup,
        TailText, NullRunner, CloseCall, NoArgs, LinkUp, SymbolAsk, MoveTo, InvokeParams, TagList, Ticket, AskUser,
        AskWire, WireCall, WireCall<SubThing>, TitledPick, Sieve, SortRule, PickGadget, Block, Attachment, Judge,
        BatchSize, GadgetScope, FillFrom, PatchList, LogRow, Shape, OldOrNew<SingleJob>, EchoRule, TrialRun,
        HookDraft, Finding, Crate3, LoopTrack, Invite, ThingWithExample, NodeRecord, LedgerLine, MintFilter, AllInts,
        OddScalars, Slot, Patience, InkWeight, TraceEnd, KeyedMaps, SetsHere, DatedPay, Formula, Post, Shared,
        MenuItem, Percent, Span_, PascalFields, LoudKind, Happening, TwoFaced, WithPart, EndCause, YesNoOrNames,
        HasOnlyChoice, Signer, UrgentTask, StrictOption, BothConfigs, Keywords, AwkwardNames, DocHeavy, Outline,
        HoldsForeign, MaybeResult, Adjacent, NameList, YesNo, WideForm, Excerpt<'static>,
    ]
}

#[test]
fn every_schema_that_is_made_passes_the_linter() {
    let subjects = subjects();
    println!("types of the corpus that are derived: {}", subjects.len());
    println!("types of the corpus that are refused by name: {}", REFUSED.len());
    let errors = include_str!("../../geode-derive/tests/ui/type/corpus.stderr");
    for (name, reason) in REFUSED {
        println!("{name} is refused: {reason}");
        let told =
            errors.split("error[").any(|error| error.contains(reason) && error.contains(&format!("_::__{name}_")));
        assert!(told, "the derive doesn't say so of {name}");
    }
    for dialect in [&OPENAI_STRICT, &ANTHROPIC] {
        let (mut made, mut refused) = (0, Vec::new());
        for subject in &subjects {
            match (subject.lower)(dialect) {
                Ok(plan) => {
                    let schema: Schema = plan.schema.get().parse().unwrap();
                    assert_eq!(lint(&schema, dialect), [], "{}", subject.name);
                    made += 1;
                }
                Err(error) => refused.push(format!("{}: {}", subject.name, error.breaches()[0])),
            }
        }
        println!("schemas for {} that pass the linter: {made}", dialect.name);
        println!("types that {} can't take, and says so: {}", dialect.name, refused.len());
        // Only recursion and the budgets stop a type, and only at Anthropic.
        let expected = |reason: &String| reason.contains("recursive") || reason.contains("unions");
        assert!(refused.iter().all(|reason| std::ptr::eq(dialect, &ANTHROPIC) && expected(reason)), "{refused:#?}");
    }
}

#[test]
fn schema_and_parser_accept_the_same_of_every_type() {
    // `PARITY_TEXTS` asks for more of each type.
    let texts = std::env::var("PARITY_TEXTS").ok().and_then(|count| count.parse().ok()).unwrap_or(600);
    let (mut types, mut accepted, mut refused, mut narrower) = (0, 0, 0, 0);
    let mut differences = Vec::new();
    for subject in subjects() {
        types += 1;
        match (subject.parity)(texts) {
            Ok(parity) => {
                accepted += parity.accepted;
                refused += parity.refused;
                narrower += parity.narrower;
            }
            Err(how) => differences.push(format!("{}: {how}", subject.name)),
        }
    }
    println!("types of which texts are generated: {types}");
    println!("generated texts: {}", accepted + refused + narrower);
    println!("generated texts that schema and parser accept: {accepted}");
    println!("generated texts that schema and parser refuse: {refused}");
    println!("generated texts that the parser alone refuses, for what no schema can say: {narrower}");
    println!("types on which schema and parser differ: {}", differences.len());
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}

#[test]
fn no_prefix_of_a_valid_text_is_given_up() {
    let mut total = arriving::Arrived::default();
    let mut wrong = Vec::new();
    for subject in subjects() {
        match (subject.arrive)() {
            Ok(arriving::Arrived { valid, given_up, late }) => {
                total.valid += valid;
                total.given_up += given_up;
                total.late += late;
            }
            Err(how) => wrong.push(format!("{}: {how}", subject.name)),
        }
    }
    println!("valid texts, no prefix of which is given up: {}", total.valid);
    println!("invalid texts that are given up before their end: {}, at it: {}", total.given_up, total.late);
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
    // Giving up nothing would be sound, too.
    assert!(total.valid > 10_000 && total.given_up * 3 > total.late, "the test says little");
}

/// One line of `oracle.jsonl`.
#[derive(serde::Deserialize)]
struct Row {
    r#type: String,
    case: String,
    input: String,
    serde: String,
}

#[test]
fn every_judged_text_is_judged_alike_or_by_a_policy() {
    let subjects = subjects();
    let oracle = |document: &Value| jsonschema::options().should_validate_formats(true).build(document).unwrap();
    let by_name: BTreeMap<String, (&Subject, [jsonschema::Validator; 2])> = subjects
        .iter()
        .map(|subject| {
            let oracles = [oracle(&Value::from(&(subject.schema)())), oracle(&(subject.schemars)())];
            (subject.name.replace("<'static>", "").replace(' ', ""), (subject, oracles))
        })
        .collect();
    let (mut rows, mut alike, mut of_refused) = (0, 0, 0);
    let mut policies: BTreeMap<&str, usize> = BTreeMap::new();
    let (mut unexplained, mut broken, mut broken_for_schemars) = (Vec::new(), Vec::new(), Vec::new());
    for line in include_str!("oracle.jsonl").lines() {
        let row: Row = serde_json::from_str(line).unwrap();
        rows += 1;
        let Some((subject, [oracle, schemars])) = by_name.get(&row.r#type) else {
            assert!(REFUSED.iter().any(|(name, _)| *name == row.r#type), "{} is missing", row.r#type);
            of_refused += 1;
            continue;
        };
        let ours = (subject.read)(&row.input);
        if let Some(difference) = policy::schema_and_parser_differ(oracle, &row.input, &ours) {
            broken.push(format!("{} {}: {}\n  {difference}", row.r#type, row.case, row.input));
        }
        if let Some(difference) = policy::schema_and_parser_differ(schemars, &row.input, &ours) {
            broken_for_schemars.push(format!("{} {}: {}\n  {difference}", row.r#type, row.case, row.input));
        }
        let policies_here = policy::explain(&row.r#type, &row.input, row.serde == "ok", &ours, &(subject.schema)());
        match policies_here {
            Ok(named) if named.is_empty() => alike += 1,
            Ok(named) => named.into_iter().for_each(|name| *policies.entry(name).or_default() += 1),
            Err(why) => unexplained.push(format!("{} {}: {}\n  {why}", row.r#type, row.case, row.input)),
        }
    }
    println!("judged texts: {rows}");
    println!("judged texts of types that are refused: {of_refused}");
    println!("texts on which schema and parser differ: {}", broken.len());
    println!("texts on which the schema that schemars is told and the parser differ: {}", broken_for_schemars.len());
    println!("texts judged as serde judges them: {alike}");
    for (policy, count) in &policies {
        println!("texts judged otherwise, {policy}: {count}");
    }
    println!("unexplained: {}", unexplained.len());
    assert!(broken.is_empty(), "{}", broken.join("\n"));
    assert!(broken_for_schemars.is_empty(), "{}", broken_for_schemars.join("\n"));
    assert!(unexplained.is_empty(), "{}", unexplained.join("\n"));
}

#[test]
fn every_policy_is_documented() {
    let documented = include_str!("../../docs/serde.md");
    for policy in policy::ALL {
        assert!(documented.contains(&format!("| {policy} |")), "{policy}");
    }
}
