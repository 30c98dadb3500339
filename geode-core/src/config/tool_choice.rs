//! Which tools the model may or must call, as a file says it.

use super::node::Kind;
use super::table::Setting;
use crate::message::ToolChoice;

const WORDS: [&str; 3] = ["auto", "none", "required"];

/// A word, or a map that names one tool or several.
pub(super) fn read(setting: &Setting<'_>) -> Option<ToolChoice> {
    if !matches!(setting.node.kind, Kind::Map(_)) {
        return Some(match setting.word(&WORDS)? {
            "none" => ToolChoice::None,
            "required" => ToolChoice::Required,
            _ => ToolChoice::Auto,
        });
    }
    let table = setting.table(&["named", "among", "required"])?;
    let required = table.optional("required");
    match (table.optional("named"), table.optional("among")) {
        (Some(named), None) if required.is_none() => Some(ToolChoice::Named(named.text()?)),
        (None, Some(among)) => {
            let tools: Vec<String> = among.texts()?.into_iter().map(|(name, _)| name).collect();
            if tools.is_empty() {
                return among.wrong("at least one tool was expected");
            }
            Some(ToolChoice::Among { tools, required: required.map_or(Some(false), |required| required.boolean())? })
        }
        _ => setting.wrong("either `named`, or `among` with or without `required`, was expected"),
    }
}
