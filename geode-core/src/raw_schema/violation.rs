//! The validator's errors as violations.

use std::borrow::Cow;

use jsonschema::error::{TypeKind, ValidationErrorKind as Kind};
use jsonschema::{JsonType, ValidationError};
use serde_json::Value;

use crate::report::{Code, Report, Violation, counted};
use crate::schema::join;

/// The report on a text that is no JSON, or repeats a key.
pub(crate) fn broken(text: &str, error: &serde_json::Error) -> Report {
    let code = match error.classify() {
        serde_json::error::Category::Data => Code::Duplicate,
        _ if error.to_string().starts_with("trailing characters") => Code::TrailingText,
        _ => Code::Syntax,
    };
    let line_start: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let violation = Violation {
        pointer: String::new(),
        code,
        expected: format!("one JSON text: {error}").into(),
        found: "".into(),
        suggestion: None,
        offset: (line_start + error.column().saturating_sub(1)).min(text.len()),
    };
    Report { violations: vec![violation], unrecorded: 0, notes: Vec::new() }
}

/// An error of the validator in our terms: several where it names several properties. The offset is zero: a value
/// doesn't know where it stood in the text.
pub(super) fn violations(error: &ValidationError<'_>) -> Vec<Violation> {
    let base = error.instance_path().to_string();
    if let Some(branch) = branch_meant(error, &base) {
        return branch.iter().flat_map(violations).collect();
    }
    let pointers = match error.kind() {
        Kind::Required { property } => vec![join(&base, property.as_str().unwrap_or_default())],
        Kind::AdditionalProperties { unexpected } | Kind::UnevaluatedProperties { unexpected } => {
            unexpected.iter().map(|name| join(&base, name)).collect()
        }
        _ => vec![base],
    };
    let found = match error.kind() {
        Kind::Required { .. } => Cow::Borrowed("nothing"),
        _ => Cow::Owned(excerpt(error.instance())),
    };
    let (code, expected) = (code(error.kind()), expected(error));
    let violation = |pointer| Violation {
        pointer,
        code,
        expected: expected.clone(),
        found: found.clone(),
        suggestion: None,
        offset: 0,
    };
    pointers.into_iter().map(violation).collect()
}

/// What is wrong in the one branch of a union that the value can be meant for: the others are of another type, or have
/// another tag.
fn branch_meant<'e>(error: &'e ValidationError<'_>, base: &str) -> Option<&'e [ValidationError<'static>]> {
    let (Kind::AnyOf { context } | Kind::OneOfNotValid { context }) = error.kind() else { return None };
    let mut meant = context.iter().filter(|branch| !branch.iter().any(|error| rules_out(error, base)));
    match (meant.next(), meant.next()) {
        (Some(branch), None) if !branch.is_empty() => Some(branch),
        _ => None,
    }
}

/// Whether the error says that the value at `base` is of another type, or that one of its properties is another tag.
fn rules_out(error: &ValidationError<'_>, base: &str) -> bool {
    let place = error.instance_path().to_string();
    let below = place.strip_prefix(base).unwrap_or_default();
    let tag = match error.kind() {
        Kind::Type { .. } => return below.is_empty(),
        Kind::Constant { .. } => true,
        Kind::Enum { options } => options.as_array().is_some_and(|options| options.len() == 1),
        _ => false,
    };
    tag && below.matches('/').count() <= 1
}

fn code(kind: &Kind) -> Code {
    match kind {
        Kind::Required { .. } => Code::Missing,
        Kind::AdditionalProperties { .. } | Kind::UnevaluatedProperties { .. } | Kind::PropertyNames { .. } => {
            Code::UnknownProperty
        }
        Kind::Type { .. } | Kind::FalseSchema => Code::Type,
        Kind::Constant { .. } => Code::Constant,
        Kind::Enum { .. } => Code::UnknownValue,
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } | Kind::OneOfMultipleValid { .. } | Kind::Not { .. } => {
            Code::NoVariant
        }
        Kind::Minimum { .. } | Kind::Maximum { .. } | Kind::ExclusiveMinimum { .. } | Kind::ExclusiveMaximum { .. } => {
            Code::Range
        }
        Kind::MultipleOf { .. } => Code::MultipleOf,
        Kind::MinLength { .. } | Kind::MaxLength { .. } => Code::Length,
        Kind::Pattern { .. } | Kind::BacktrackLimitExceeded { .. } | Kind::RegexEngineFailure { .. } => Code::Pattern,
        Kind::Format { .. } | Kind::ContentEncoding { .. } | Kind::ContentMediaType { .. } | Kind::FromUtf8 { .. } => {
            Code::Format
        }
        Kind::MinItems { .. }
        | Kind::MaxItems { .. }
        | Kind::AdditionalItems { .. }
        | Kind::UnevaluatedItems { .. } => Code::Items,
        Kind::UniqueItems => Code::Unique,
        _ => Code::Conversion,
    }
}

/// What was expected, in the words of our own parser and without the value that was found.
fn expected(error: &ValidationError<'_>) -> Cow<'static, str> {
    let phrase = match error.kind() {
        Kind::Required { .. } => return "this property".into(),
        Kind::AdditionalProperties { .. } => return "no such property".into(),
        Kind::UniqueItems => return "no element twice".into(),
        Kind::AnyOf { .. } | Kind::OneOfNotValid { .. } => return "a value that one of the variants accepts".into(),
        Kind::OneOfMultipleValid { .. } => return "a value that a single variant accepts".into(),
        Kind::Type { kind: TypeKind::Single(kind) } => return type_phrase(*kind).into(),
        Kind::Type { kind: TypeKind::Multiple(kinds) } => {
            kinds.iter().map(type_phrase).collect::<Vec<_>>().join(" or ")
        }
        Kind::Enum { options } => format!("one of {options}"),
        Kind::Constant { expected_value } => expected_value.to_string(),
        Kind::Minimum { limit } => format!("at least {limit}"),
        Kind::Maximum { limit } => format!("at most {limit}"),
        Kind::ExclusiveMinimum { limit } => format!("more than {limit}"),
        Kind::ExclusiveMaximum { limit } => format!("less than {limit}"),
        Kind::MultipleOf { multiple_of } => format!("a multiple of {multiple_of}"),
        Kind::MinLength { limit } => count("at least", *limit, "character"),
        Kind::MaxLength { limit } => count("at most", *limit, "character"),
        Kind::MinItems { limit } => count("at least", *limit, "element"),
        Kind::MaxItems { limit } => count("at most", *limit, "element"),
        Kind::Pattern { pattern } => format!("text that matches {pattern}"),
        Kind::Format { format } => format!("text of the format {format}"),
        _ => format!("another value: {}", error.masked_with("the value")),
    };
    phrase.into()
}

fn count(relation: &str, limit: u64, noun: &str) -> String {
    counted(relation, usize::try_from(limit).unwrap_or(usize::MAX), noun)
}

fn type_phrase(kind: JsonType) -> &'static str {
    match kind {
        JsonType::Null => "null",
        JsonType::Boolean => "true or false",
        JsonType::Integer => "an integer",
        JsonType::Number => "a number",
        JsonType::String => "a string",
        JsonType::Array => "an array",
        JsonType::Object => "an object",
    }
}

fn excerpt(value: &Value) -> String {
    let text = value.to_string();
    match text.char_indices().nth(80) {
        Some((end, _)) => format!("{}…", text.get(..end).unwrap_or_default()),
        None => text,
    }
}
