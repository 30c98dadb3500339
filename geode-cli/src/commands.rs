//! The commands: schemas in, findings out.

use std::fmt::Write;

use geode_core::dialect::{Breach, Dialect, lint, lower_schema};
use geode_core::schema::{Breaks, compare};
use serde::Serialize;

use crate::arguments::Form;
use crate::input;

/// What a command has to say.
#[derive(Default)]
pub(crate) struct Report {
    /// For standard output.
    pub(crate) output: String,
    /// For standard error.
    pub(crate) notes: String,
    /// Whether there is something that a build should stop at.
    pub(crate) findings: bool,
}

pub(crate) fn diff(old: &str, new: &str, format: Form) -> Result<Report, String> {
    let changes = compare(&input::read(old)?, &input::read(new)?);
    let mut report =
        Report { findings: changes.iter().any(|change| change.breaks != Breaks::Neither), ..Report::default() };
    match format {
        Form::Json => report.output = json(&changes)?,
        Form::Text if changes.is_empty() => report.output.push_str("no change\n"),
        Form::Text => lines(&mut report.output, &changes),
    }
    Ok(report)
}

/// The breaches of one dialect.
#[derive(Serialize)]
struct Checked {
    dialect: &'static str,
    breaches: Vec<Breach>,
}

pub(crate) fn check(schema: &str, dialects: &[&'static Dialect], format: Form) -> Result<Report, String> {
    let schema = input::read(schema)?;
    let check = |dialect: &&'static Dialect| Checked { dialect: dialect.name, breaches: lint(&schema, dialect) };
    let checked: Vec<Checked> = dialects.iter().map(check).collect();
    let mut report =
        Report { findings: checked.iter().any(|checked| !checked.breaches.is_empty()), ..Report::default() };
    if format == Form::Json {
        report.output = json(&checked)?;
        return Ok(report);
    }
    for Checked { dialect, breaches } in &checked {
        if breaches.is_empty() {
            report.output.push_str(&format!("{dialect}: takes it\n"));
        }
        for breach in breaches {
            report.output.push_str(&format!("{dialect}: {breach}\n"));
        }
    }
    Ok(report)
}

pub(crate) fn lower(schema: &str, dialect: &'static Dialect, format: Form) -> Result<Report, String> {
    let schema = input::read(schema)?;
    let mut report = Report::default();
    match (lower_schema(&schema, dialect), format) {
        (Ok(plan), Form::Json) => {
            let whole = serde_json::json!({
                "dialect": dialect.name,
                "strict": plan.strict,
                "wrapped_root": plan.lifts.wrapped_root,
                "weakenings": plan.weakenings,
            });
            report.output = json(&whole)?;
            // The schema by itself, so that its order stays.
            let schema = format!("{{\n  \"schema\": {},", plan.schema);
            report.output = report.output.replacen('{', &schema, 1);
        }
        (Ok(plan), Form::Text) => {
            let schema: geode_core::schema::Schema = plan.schema.get().parse().map_err(|error| format!("{error}"))?;
            report.output = format!("{}\n", schema.to_pretty());
            for lost in &plan.weakenings {
                let place = if lost.pointer.is_empty() { "the root" } else { &lost.pointer };
                report.notes.push_str(&format!("{place}: {}: {}\n", lost.keyword, lost.reason));
            }
            if plan.lifts.wrapped_root {
                report.notes.push_str("the root stands in the property `value`: take it out of the answer\n");
            }
        }
        (Err(incompatible), Form::Json) => {
            report.findings = true;
            report.output = json(&serde_json::json!({ "dialect": dialect.name, "breaches": incompatible.breaches() }))?;
        }
        (Err(incompatible), Form::Text) => {
            report.findings = true;
            lines(&mut report.notes, incompatible.breaches());
        }
    }
    Ok(report)
}

fn lines(out: &mut String, findings: &[impl std::fmt::Display]) {
    for finding in findings {
        // Writing to a string can't fail.
        let _ = writeln!(out, "{finding}");
    }
}

fn json(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string_pretty(value).map(|text| text + "\n").map_err(|error| error.to_string())
}
