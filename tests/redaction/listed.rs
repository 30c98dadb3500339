//! Every public type with a `Debug` is decided on: it is shown in this test, or named here.

use std::path::Path;

/// Shown in this test by a value whose type is not written there.
#[rustfmt::skip]
const BY_VALUE: &[&str] = &[
    "Account", "Agent", "AgentError", "AgentStream", "Argument", "Attempt", "AnswerStream", "AwsKeys", "ChatCompletions", "ClientBuilder",
    "ConfigError", "Converse", "Elements", "Executed", "FnTool", "Fork", "GenerateContent", "HttpAdapter", "HttpRequest",
    "Issues", "Item", "List", "Many", "Map", "Messages", "PlannedTools", "Preview", "Problem", "ProcessRequest", "Progress",
    "ProviderError", "RecordError", "Report", "Responses", "Session", "Status", "StreamError", "ToolContext", "Violation",
    "Worked", "WorkerError", "WorkerFault",
];

/// A case of these holds what is shown in this test by itself.
#[rustfmt::skip]
const MADE_OF_THOSE: &[&str] = &["BatchError", "BatchResult", "Replayer", "TransportError"];

/// Words and numbers: nothing of a prompt, of an answer, or of a key.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    // modes, states, kinds
    "Absence", "BatchState", "BodyKind", "Breaks", "Choices", "Code", "Decision", "Enforcement", "ErrorType", "FallbackKind",
    "FinishReason", "HttpMethod", "Mode", "Outcome", "PreviewKind", "ProviderErrorKind", "Reading", "RecoveryStep",
    "References", "RootRule", "Settle", "State", "ToolChoice", "TransportErrorKind", "Type",
    // facts, limits, counts, what was there at compile time
    "AgentEvent", "Batch", "Budget", "CancellationToken", "Capabilities", "Dialect", "Entry", "ExchangeLimits", "Fields",
    "Generator", "Limits", "Parity", "PatternLimits", "ReadOptions", "Sizes", "Usage",
    // schemas, and what is wrong with them
    "Annotated", "Body", "Breach", "Change", "Details", "Edge", "EnumValue", "Enumeration", "Extras", "Field", "Foreign", "Format", "Incompatible", "Key",
    "Limit", "Matcher", "Node", "Object", "OutputRequest", "Pattern", "Quick", "Role", "Rules", "Schema", "SchemaError", "Shape",
    "Tagging", "TextFormat", "ToolSpec", "Unfit", "Union", "Variant", "Weakening", "WirePlan",
    // names that are wrong, files that can't be read, words for the model
    "CassetteError", "DefinitionError", "Denial", "Import", "ImportError", "Imported", "JournalError", "MigrationError", "UnknownTool",
    // nothing at all
    "ApproveAll", "Embedded", "HttpTransport", "NoArguments", "ProcessTransport",
    // the value itself, by its own wish
    "Base64", "Wire",
];

#[test]
fn every_public_type_is_shown_or_holds_nothing() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/redaction");
    let shown = ["main.rs", "carried.rs"].map(|file| std::fs::read_to_string(here.join(file)).unwrap()).concat();
    let shown: Vec<&str> = shown.split(|character: char| !character.is_alphanumeric() && character != '_').collect();
    let (mut item, mut faults) = ("", Vec::new());
    for line in include_str!("../public_api.txt").lines() {
        let Some(traits) = line.strip_prefix("    ") else {
            item = line;
            continue;
        };
        let Some((kind, path)) = item.split_once(' ') else { continue };
        let has_debug =
            traits.strip_prefix("impl ").is_some_and(|traits| traits.split(", ").any(|name| name == "Debug"));
        let name = path.rsplit("::").next().unwrap();
        let decided = shown.contains(&name) || [BY_VALUE, MADE_OF_THOSE, PLAIN].iter().any(|list| list.contains(&name));
        if ["struct", "enum"].contains(&kind) && has_debug && !decided {
            faults.push(path);
        }
    }
    assert!(faults.is_empty(), "show these with a secret in them, or name them in a list above: {faults:#?}");
}
