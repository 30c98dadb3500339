//! Part `invalid`: a text with ten violations, all of them reported, each with its place and a message.

use std::hint::black_box;

use geode::StructuredOutput;
use serde::Serialize;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::value::RawValue;
use serde_json::{Value, json};

use crate::callgrind::{self, Counter};
use crate::inputs;
use crate::measure::{Case, medians, target};
use crate::parse::validator;

const SHAPES: [&str; 3] = ["ticket", "invoice", "document"];
const VIOLATIONS: usize = 10;

/// The text of `value` with the values at some JSON Pointers replaced; `null` takes a property away. All others keep
/// their order: models answer in the schema's.
fn damaged(value: &impl Serialize, damage: &[(&str, Value)]) -> String {
    let text = serde_json::to_string(value).expect("serialises");
    damage.iter().fold(text, |text, (pointer, bad)| {
        let path: Vec<&str> = pointer.split('/').skip(1).collect();
        replaced(&text, &path, bad)
    })
}

fn replaced(text: &str, path: &[&str], bad: &Value) -> String {
    let Some((step, rest)) = path.split_first() else { return bad.to_string() };
    if let Ok(mut elements) = serde_json::from_str::<Vec<&RawValue>>(text) {
        let index: usize = step.parse().expect("an index");
        let element = RawValue::from_string(replaced(elements[index].get(), rest, bad)).expect("JSON");
        elements[index] = &element;
        return serde_json::to_string(&elements).expect("serialises");
    }
    let Members(mut members) = serde_json::from_str(text).expect("an object");
    match members.iter().position(|(name, _)| name == step) {
        Some(index) if rest.is_empty() && bad.is_null() => {
            members.remove(index);
        }
        Some(index) => {
            let (_, member) = &mut members[index];
            *member = RawValue::from_string(replaced(member.get(), rest, bad)).expect("JSON");
        }
        None => members.push(((*step).to_owned(), RawValue::from_string(bad.to_string()).expect("JSON"))),
    }
    let members: Vec<String> = members.iter().map(|(name, member)| format!("{name:?}:{member}")).collect();
    format!("{{{}}}", members.join(","))
}

/// An object's members in their order.
struct Members(Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for Members {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visit;
        impl<'de> Visitor<'de> for Visit {
            type Value = Members;
            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(Visit)
    }
}

fn text(shape: &str) -> String {
    match shape {
        "ticket" => damaged(
            &inputs::ticket(),
            &[
                ("/ticket_id", json!("TCK-1")),
                ("/category", json!("biling")),
                ("/confidence", json!(1.5)),
                ("/reason", json!("")),
                ("/citations/0", json!(7)),
                ("/citations/1", json!(false)),
                ("/language", json!("english")),
                ("/needs_human", json!("no")),
                ("/priority", Value::Null),
                ("/execute_refund", json!(true)),
            ],
        ),
        "invoice" => damaged(
            &inputs::invoice(),
            &[
                ("/invoice_number", json!("17")),
                ("/issue_date", json!("30.11.2026")),
                ("/vendor/country", json!("Germany")),
                ("/vendor/postal_code", json!(20457)),
                ("/customer/city", Value::Null),
                ("/line_items/3/quantity", json!(0)),
                ("/line_items/9/sku", json!("none")),
                ("/line_items/14/tax_rate", json!(19.0)),
                ("/line_items/20/extra", json!([1, 2])),
                ("/payment/due_days", json!(1000)),
            ],
        ),
        _ => damaged(
            &inputs::document(),
            &[
                ("/page_count", json!("fifty")),
                ("/blocks/0/kind", json!("heding")),
                ("/blocks/100/confidence", json!(2)),
                ("/blocks/200/text", json!("")),
                ("/blocks/300/bounds/x", json!(-1)),
                ("/blocks/400/page", Value::Null),
                ("/blocks/500/level", json!(9)),
                ("/blocks/600/bounds/depth", json!(1)),
                ("/blocks/700/id", json!(1.5)),
                ("/blocks/999/text", json!(null)),
            ],
        ),
    }
}

/// All cases on one text. Their names are `shape way`.
fn cases<'a, T: StructuredOutput + 'a>(shape: &str, text: &'a str) -> Vec<Case<'a>> {
    let validator = validator::<T>();
    vec![
        Case::new(format!("{shape} Value+iter_errors"), move || {
            let value: Value = serde_json::from_str(text).expect("JSON");
            let errors: Vec<(String, String)> = validator
                .iter_errors(&value)
                .map(|error| (error.instance_path().to_string(), error.to_string()))
                .collect();
            assert_eq!(errors.len(), VIOLATIONS, "{errors:?}");
            black_box(errors);
        }),
        Case::new(format!("{shape} geode"), move || {
            let Err(report) = geode::from_str::<T>(text) else { panic!("valid") };
            assert_eq!(report.count(), VIOLATIONS, "{report}");
            black_box((report.to_string(), report));
        }),
    ]
}

fn cases_of<'a>(shape: &str, text: &'a str) -> Vec<Case<'a>> {
    match shape {
        "ticket" => cases::<inputs::Ticket>(shape, text),
        "invoice" => cases::<inputs::Invoice>(shape, text),
        _ => cases::<inputs::Document>(shape, text),
    }
}

pub(crate) fn run() {
    println!("Ratios of CPU time to parsing to a `Value` and all errors of `jsonschema` with places and messages.\n");
    println!("| case | bytes | ratio |\n|---|---:|---:|");
    let mut figures = Vec::new();
    for shape in SHAPES {
        let text = text(shape);
        let mut cases = cases_of(shape, &text);
        let times = medians(&mut cases, if text.len() > 100_000 { 15 } else { 61 });
        for (case, time) in cases.iter().zip(&times) {
            println!("| {} | {} | {:.2} |", case.name, text.len(), time / times[0]);
        }
        figures.push((shape, times[1] / times[0]));
    }
    println!();
    for (shape, ratio) in figures {
        target(&format!("invalid_time_{shape}"), ratio, 0.5);
    }
}

pub(crate) fn once(name: &str) {
    let shape = name.split(' ').next().unwrap_or_default();
    callgrind::once(&mut cases_of(shape, &text(shape)), name);
}

pub(crate) fn instructions(counter: &mut Counter) {
    println!("Ratios of instructions.\n");
    for shape in SHAPES {
        let ratio = counter.ratio(&format!("{shape} geode"), &format!("{shape} Value+iter_errors"));
        target(&format!("invalid_instructions_{shape}"), ratio, 0.5);
    }
}
