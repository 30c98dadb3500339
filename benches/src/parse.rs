//! Part `parse`: a whole text to a checked value, beside bare serde and what does the same checks today.

use std::hint::black_box;

use garde::Validate;
use geode::StructuredOutput;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::callgrind::{self, Counter};
use crate::inputs;
use crate::measure::{Case, medians, target};

/// The types once more, their parsers in a straight line.
mod hot {
    types! { hot }
}

/// How the text is laid out.
#[derive(Clone, Copy, PartialEq)]
enum Layout {
    Compact,
    Pretty,
    /// Compact, the keys in alphabetical order instead of the declared one.
    Sorted,
}

const LAYOUTS: [(Layout, &str); 3] =
    [(Layout::Compact, "compact"), (Layout::Pretty, "pretty"), (Layout::Sorted, "sorted")];

const SHAPES: [&str; 3] = ["ticket", "invoice", "document"];

/// What a shape must be able to do to stand in all cases.
trait Answer: StructuredOutput + Serialize + DeserializeOwned + Validate<Context = ()> {}
impl<T: StructuredOutput + Serialize + DeserializeOwned + Validate<Context = ()>> Answer for T {}

fn text<T: Answer>(value: &T, layout: Layout) -> String {
    let text = match layout {
        Layout::Compact => serde_json::to_string(value),
        Layout::Pretty => serde_json::to_string_pretty(value),
        Layout::Sorted => serde_json::to_value(value).map(|value| value.to_string()),
    };
    text.expect("serialises")
}

/// The validator that a user of `jsonschema` would keep.
pub(crate) fn validator<T: StructuredOutput>() -> jsonschema::Validator {
    let schema: Value = serde_json::from_str(&geode::schema::<T>().to_string()).expect("a schema is JSON");
    jsonschema::validator_for(&schema).expect("a schema")
}

/// All cases on one text, read as a `T`, or as its hot twin. Their names are `shape layout way`.
fn cases<'a, T: Answer + 'a, Hot: StructuredOutput + 'a>(shape: &str, layout: &str, text: &'a str) -> Vec<Case<'a>> {
    let validator = validator::<T>();
    let name = |way: &str| format!("{shape} {layout} {way}");
    vec![
        Case::new(name("serde_json"), || {
            black_box(serde_json::from_str::<T>(text).expect("valid"));
        }),
        Case::new(name("geode"), || {
            black_box(geode::from_str::<T>(text).expect("valid"));
        }),
        Case::new(name("geode hot"), || {
            black_box(geode::from_str::<Hot>(text).expect("valid"));
        }),
        Case::new(name("sonic-rs"), || {
            black_box(sonic_rs::from_str::<T>(text).expect("valid"));
        }),
        Case::new(name("simd-json"), || {
            let mut bytes = text.as_bytes().to_vec();
            black_box(simd_json::from_slice::<T>(&mut bytes).expect("valid"));
        }),
        Case::new(name("serde_json+garde"), || {
            let value = serde_json::from_str::<T>(text).expect("valid");
            value.validate().expect("valid");
            black_box(value);
        }),
        Case::new(name("serde_path_to_error"), || {
            let reader = &mut serde_json::Deserializer::from_str(text);
            black_box(serde_path_to_error::deserialize::<_, T>(reader).expect("valid"));
        }),
        Case::new(name("Value+jsonschema+from_value"), move || {
            let value: Value = serde_json::from_str(text).expect("valid");
            assert_eq!(validator.iter_errors(&value).count(), 0);
            black_box(serde_json::from_value::<T>(value).expect("valid"));
        }),
    ]
}

fn texts() -> Vec<(&'static str, Layout, &'static str, String)> {
    let mut texts = Vec::new();
    for (layout, name) in LAYOUTS {
        texts.push(("ticket", layout, name, text(&inputs::ticket(), layout)));
        texts.push(("invoice", layout, name, text(&inputs::invoice(), layout)));
        texts.push(("document", layout, name, text(&inputs::document(), layout)));
    }
    texts
}

fn cases_of<'a>(shape: &str, layout: &str, text: &'a str) -> Vec<Case<'a>> {
    match shape {
        "ticket" => cases::<inputs::Ticket, hot::Ticket>(shape, layout, text),
        "invoice" => cases::<inputs::Invoice, hot::Invoice>(shape, layout, text),
        _ => cases::<inputs::Document, hot::Document>(shape, layout, text),
    }
}

pub(crate) fn run() {
    println!("Ratios of CPU time to `serde_json::from_str::<T>`, which checks no constraint.\n");
    println!("| case | bytes | ratio | ns a byte |\n|---|---:|---:|---:|");
    let mut figures = Vec::new();
    let texts = texts();
    for (shape, layout, layout_name, text) in &texts {
        let mut cases = cases_of(shape, layout_name, text);
        let times = medians(&mut cases, if text.len() > 100_000 { 15 } else { 61 });
        for (case, time) in cases.iter().zip(&times) {
            let (ratio, each) = (time / times[0], time / text.len() as f64);
            println!("| {} | {} | {ratio:.2} | {each:.2} |", case.name, text.len());
        }
        figures.push((shape, layout, layout_name, times[1] / times[0], times[2] / times[0]));
    }
    println!();
    for (shape, layout, name, ratio, hot) in figures {
        let bound = match layout {
            Layout::Compact => 0.60,
            Layout::Pretty => 0.65,
            Layout::Sorted => 0.70,
        };
        target(&format!("parse_time_{name}_{shape}"), ratio, bound);
        if *layout == Layout::Compact {
            target(&format!("parse_time_hot_{shape}"), hot, 0.55);
        }
    }
}

pub(crate) fn once(name: &str) {
    let mut parts = name.split(' ');
    let (shape, layout) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let texts = texts();
    let (.., text) = texts.iter().find(|(s, _, l, _)| *s == shape && *l == layout).expect("a text of that name");
    callgrind::once(&mut cases_of(shape, layout, text), name);
}

pub(crate) fn instructions(counter: &mut Counter) {
    println!("Ratios of instructions.\n");
    let mut name = |shape: &str, layout: &str, way: &str, floor: &str| {
        counter.ratio(&format!("{shape} {layout} {way}"), &format!("{shape} {layout} {floor}"))
    };
    let today = [4.5, 5.5, 7.0];
    for (shape, times) in SHAPES.into_iter().zip(today) {
        target(&format!("parse_instructions_compact_{shape}"), name(shape, "compact", "geode", "serde_json"), 0.55);
        target(&format!("parse_instructions_hot_{shape}"), name(shape, "compact", "geode hot", "serde_json"), 0.55);
        target(&format!("parse_instructions_pretty_{shape}"), name(shape, "pretty", "geode", "serde_json"), 0.65);
        target(&format!("parse_instructions_sorted_{shape}"), name(shape, "sorted", "geode", "serde_json"), 0.70);
        let today = name(shape, "compact", "geode", "Value+jsonschema+from_value");
        target(&format!("parse_instructions_of_today_{shape}"), today, 1.0 / times);
    }
}
