//! How structured output is asked for: decided from capabilities as data, before anything is sent.

use std::borrow::Cow;
use std::sync::Arc;

use crate::adapter::{Adapter, Capabilities, Enforcement};
use crate::dialect::{self, Incompatible, WirePlan};
use crate::message::{ToolChoice, ToolSpec};
use crate::outcome::Failure;
use crate::request::{Mode, OUTPUT_TOOL, OutputRequest, Request};

use super::SchemaSource;

/// What a call wants.
pub(crate) struct Wanted<'a> {
    /// How to ask; `Auto` leaves it to the adapter's data.
    pub(crate) mode: Mode,
    /// The least that the provider must guarantee.
    pub(crate) guarantee: Enforcement,
    /// Model that will be asked; the adapter's own where `None`.
    pub(crate) model: Option<&'a str>,
    /// Whether the model is to be offered other tools beside the answer.
    pub(crate) tools: bool,
}

/// How a call's output is asked for.
#[derive(Debug, Clone)]
pub(crate) struct Resolved {
    /// Never `Auto`.
    pub(crate) mode: Mode,
    pub(crate) plan: Arc<WirePlan>,
    /// How far the provider holds the model to the schema.
    pub(crate) guarantee: Enforcement,
}

/// Decides how to ask an adapter for output of this schema.
///
/// `Auto` takes the way with the strongest guarantee; among equals native goes before tool mode, and tool mode before
/// the prompt.
pub(crate) fn resolve(adapter: &dyn Adapter, source: &SchemaSource, wanted: &Wanted<'_>) -> Result<Resolved, Failure> {
    let able = adapter.capabilities_for(wanted.model);
    let ways: &[Mode] = match wanted.mode {
        Mode::Auto => &[Mode::Native, Mode::Tool, Mode::Prompted],
        Mode::Native => &[Mode::Native],
        Mode::Tool => &[Mode::Tool],
        Mode::Prompted => &[Mode::Prompted],
    };
    let mut best: Option<Resolved> = None;
    let mut misfit: Option<Incompatible> = None;
    for &mode in ways {
        // nothing stronger is left to find
        if best.as_ref().is_some_and(|best| best.guarantee == Enforcement::Enforced) {
            break;
        }
        match way(mode, able, source, wanted.tools) {
            Way::Open(found) if best.as_ref().is_none_or(|best| found.guarantee > best.guarantee) => best = Some(found),
            Way::Misfit(found) if misfit.is_none() => misfit = Some(found),
            Way::Open(_) | Way::Misfit(_) | Way::Closed => {}
        }
    }
    match (best, misfit) {
        (Some(best), _) if best.guarantee >= wanted.guarantee => Ok(best),
        // Either nothing is left, or enforcement is required and it is the schema that stands in its way.
        (_, Some(misfit)) => Err(Failure::Schema(misfit)),
        (Some(best), None) => Err(Failure::Unsupported {
            reason: format!(
                "`{}` can't give what the call requires: {} is required, {} is what it gives{}",
                adapter.name(),
                phrase(wanted.guarantee),
                phrase(best.guarantee),
                mode_phrase(wanted.mode),
            ),
        }),
        (None, None) => Err(Failure::Unsupported { reason: unsupported(adapter, wanted) }),
    }
}

/// Whether a mode can be taken.
enum Way {
    Open(Resolved),
    /// The adapter has no such mode.
    Closed,
    /// Its dialect can't take the schema.
    Misfit(Incompatible),
}

fn way(mode: Mode, able: &Capabilities, source: &SchemaSource, tools: bool) -> Way {
    match mode {
        Mode::Native if able.native == Enforcement::None || (tools && !able.tools_with_schema) => Way::Closed,
        Mode::Native => match source.lower(able.dialect) {
            Ok(plan) => {
                // A schema that the provider's strict test fails goes as a hint.
                let guarantee = if plan.strict { able.native } else { able.native.min(Enforcement::Hint) };
                Way::Open(Resolved { mode, plan, guarantee })
            }
            Err(misfit) => Way::Misfit(misfit),
        },
        Mode::Tool if !able.tools => Way::Closed,
        Mode::Tool => {
            if able.strict_tools
                && let Some(plan) = source.lower_strict_arguments(able.dialect)
            {
                return Way::Open(Resolved { mode, plan, guarantee: Enforcement::Enforced });
            }
            plain(mode, Enforcement::Hint, source)
        }
        Mode::Prompted => plain(mode, Enforcement::None, source),
        Mode::Auto => Way::Closed,
    }
}

/// A mode in which no dialect of the provider's stands in the way.
fn plain(mode: Mode, guarantee: Enforcement, source: &SchemaSource) -> Way {
    match source.lower(&dialect::PLAIN) {
        Ok(plan) => Way::Open(Resolved { mode, plan, guarantee }),
        Err(misfit) => Way::Misfit(misfit),
    }
}

/// Writes the way of asking into a request: the response schema, the internal tool, or words in the prompt.
pub(crate) fn compose(
    request: &mut Request,
    resolved: &Resolved,
    able: &Capabilities,
    name: Cow<'static, str>,
    description: Option<String>,
) {
    match resolved.mode {
        Mode::Tool => {
            let alone = request.tools.is_empty();
            request.tools.push(ToolSpec {
                name: OUTPUT_TOOL.to_owned(),
                description: description.clone().unwrap_or_else(|| {
                    "Hands in the final answer. Call it exactly once, alone, when the answer is complete.".to_owned()
                }),
                input_schema: resolved.plan.schema.clone(),
            });
            if alone && able.forced_tool_choice {
                request.tool_choice = ToolChoice::Named(OUTPUT_TOOL.to_owned());
            } else {
                add_to_system(
                    request,
                    "Hand in your final answer by calling the tool `__structured_output__`, as the only call of that \
                     turn. Don't give it as text.",
                );
            }
        }
        Mode::Prompted => add_to_system(
            request,
            &format!(
                "Answer with exactly one JSON value that satisfies this JSON Schema, and with nothing around it:\n{}",
                resolved.plan.schema.get()
            ),
        ),
        _ => {}
    }
    request.output = Some(OutputRequest { name, description, plan: Arc::clone(&resolved.plan), mode: resolved.mode });
}

fn add_to_system(request: &mut Request, text: &str) {
    match &mut request.system {
        Some(system) => {
            system.push_str("\n\n");
            system.push_str(text);
        }
        None => request.system = Some(text.to_owned()),
    }
}

fn unsupported(adapter: &dyn Adapter, wanted: &Wanted<'_>) -> String {
    let beside = if wanted.tools { " beside other tools" } else { "" };
    match wanted.mode {
        Mode::Native => format!("`{}` takes no response schema{beside}; use another mode", adapter.name()),
        Mode::Tool => format!("`{}` takes no tools; use another mode", adapter.name()),
        _ => format!("`{}` has no way to ask for structured output{beside}", adapter.name()),
    }
}

fn phrase(guarantee: Enforcement) -> &'static str {
    match guarantee {
        Enforcement::Enforced => "an enforced schema",
        Enforcement::Hint => "a schema that is shown to the model",
        Enforcement::None => "no guarantee",
    }
}

fn mode_phrase(mode: Mode) -> &'static str {
    match mode {
        Mode::Native => " in native mode",
        Mode::Tool => " in tool mode",
        Mode::Prompted => " in prompted mode",
        Mode::Auto => "",
    }
}
