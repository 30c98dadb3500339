//! Schemas from outside: read, written, compiled, checked and lowered for every dialect, without a panic.

use geode::dialect::{ALL, lint, lower_schema};
use geode::raw_schema::RawSchema;
use geode::schema::{Schema, compare};

/// One round. A NUL byte ends the schema; what follows is an answer to it.
pub fn run(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let (text, answer) = text.split_once('\0').unwrap_or((text, "{}"));
    let Ok(schema) = text.parse::<Schema>() else { return };
    let written = schema.to_string();
    let again: Schema = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
    assert_eq!(again.to_string(), written);
    assert!(compare(&schema, &again).is_empty(), "{written}");
    for dialect in ALL {
        let _ = lint(&schema, dialect);
        if let Ok(plan) = lower_schema(&schema, dialect) {
            assert!(plan.schema.get().parse::<Schema>().is_ok(), "{}", plan.schema);
        }
    }
    let Ok(raw) = RawSchema::new(schema) else { return };
    let plan = raw.plan(ALL[answer.len() % ALL.len()]).ok();
    if let Err(report) = raw.read(answer, plan.as_deref()) {
        assert!(!report.violations().is_empty() && !report.for_model().is_empty());
    }
}
