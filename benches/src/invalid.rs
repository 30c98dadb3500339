//! Part `invalid`: a text with ten violations, all of them reported, each with its place and a message.

use std::hint::black_box;

use geode::StructuredOutput;
use serde::Serialize;
use serde_json::{Value, json};

use crate::callgrind::{self, Counter};
use crate::inputs;
use crate::measure::{Case, medians, target};
use crate::parse::validator;

const SHAPES: [&str; 3] = ["ticket", "invoice", "document"];
const VIOLATIONS: usize = 10;

/// The text of `value` with the values at some JSON Pointers replaced.
fn damaged(value: &impl Serialize, damage: &[(&str, Value)]) -> String {
    let mut value = serde_json::to_value(value).expect("serialises");
    for (pointer, bad) in damage {
        let (parent, key) = pointer.rsplit_once('/').expect("a pointer");
        match value.pointer_mut(parent) {
            Some(Value::Object(object)) if bad.is_null() => {
                object.remove(key).expect("a property");
            }
            Some(Value::Object(object)) => {
                object.insert(key.to_owned(), bad.clone());
            }
            Some(Value::Array(array)) => array[key.parse::<usize>().expect("an index")] = bad.clone(),
            _ => panic!("nothing at {pointer}"),
        }
    }
    value.to_string()
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
