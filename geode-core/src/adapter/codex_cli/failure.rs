//! What a failed turn means: the program tells it in a sentence, or hands on the API's error body as it came.

use super::super::cli::{Members, bounded, complaint, no_output};
use super::super::{AdapterFault, ProviderError, ProviderErrorKind};
use crate::reply::FinishReason;
use crate::transport::WireReply;

/// Reads the message of `turn.failed`, with the one of the `error` line before it. An incomplete answer is no error:
/// its finish reason, or `None` where the stream was cut.
pub(super) fn read(message: &str, before: Option<&str>) -> Result<Option<FinishReason>, AdapterFault> {
    for message in [Some(message), before].into_iter().flatten() {
        if let Some(error) = api_error(message) {
            return Err(AdapterFault::Provider(Box::new(error)));
        }
    }
    let message =
        if message.is_empty() { before.unwrap_or("the turn failed and codex gave no reason") } else { message };
    if let Some((_, reason)) = message.split_once("Incomplete response returned, reason: ") {
        return Ok(Some(match reason.trim() {
            "max_output_tokens" => FinishReason::TokenLimit,
            "content_filter" => FinishReason::ContentFilter,
            other => FinishReason::Other(other.to_owned()),
        }));
    }
    if message.contains("stream closed before response.completed") {
        return Ok(None);
    }
    let (kind, status) = classify(message);
    Err(AdapterFault::Provider(Box::new(provider_error(kind, status, None, message))))
}

/// The API's own error body, where the message is one.
fn api_error(message: &str) -> Option<ProviderError> {
    let body = Members::read(message)?;
    let error = body.object("error");
    let inner = error.filled("message").or_else(|| body.filled("message"))?;
    let code = error.filled("code").or_else(|| error.filled("type"));
    let about_schema = code.as_deref() == Some("invalid_json_schema")
        || error.filled("param").is_some_and(|param| param.starts_with("text.format"));
    let status = body.get("status");
    let kind = match (code.as_deref(), status) {
        _ if about_schema => ProviderErrorKind::SchemaRejected,
        (Some("context_length_exceeded"), _) => ProviderErrorKind::PromptTooLong,
        (Some("insufficient_quota"), _) => ProviderErrorKind::QuotaExceeded,
        (Some("rate_limit_exceeded"), _) => ProviderErrorKind::RateLimited,
        (_, Some(status)) => by_status(status),
        // Other statuses are told in a sentence; a body alone is handed on for 400.
        _ => ProviderErrorKind::InvalidRequest,
    };
    Some(provider_error(kind, status, code, &inner))
}

/// The sentences of version 0.171.0.
fn classify(message: &str) -> (ProviderErrorKind, Option<u16>) {
    let sentences = [
        ("ran out of room in the model's context window", ProviderErrorKind::PromptTooLong),
        ("Quota exceeded", ProviderErrorKind::QuotaExceeded),
        ("usage limit", ProviderErrorKind::QuotaExceeded),
        ("rate limit exceeded", ProviderErrorKind::RateLimited),
        ("at capacity", ProviderErrorKind::Overloaded),
        ("experiencing high demand", ProviderErrorKind::Server),
        ("stream disconnected before completion", ProviderErrorKind::Server),
        ("error sending request", ProviderErrorKind::Server),
    ];
    let status = status_in(message);
    let by_sentence = sentences.iter().find(|(sign, _)| message.contains(sign)).map(|(_, kind)| *kind);
    (by_sentence.or(status.map(by_status)).unwrap_or(ProviderErrorKind::Other), status)
}

/// `unexpected status 401 Unauthorized: …`, `exceeded retry limit, last status: 429 Too Many Requests`.
fn status_in(message: &str) -> Option<u16> {
    let rest = message.split_once("status: ").or_else(|| message.split_once("unexpected status "))?.1;
    rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

fn by_status(status: u16) -> ProviderErrorKind {
    match status {
        401 => ProviderErrorKind::Authentication,
        402 => ProviderErrorKind::QuotaExceeded,
        403 => ProviderErrorKind::Permission,
        404 => ProviderErrorKind::NotFound,
        408 | 504 => ProviderErrorKind::Timeout,
        413 => ProviderErrorKind::PromptTooLong,
        429 => ProviderErrorKind::RateLimited,
        503 | 529 => ProviderErrorKind::Overloaded,
        400..=499 => ProviderErrorKind::InvalidRequest,
        500..=599 => ProviderErrorKind::Server,
        _ => ProviderErrorKind::Other,
    }
}

/// The program ended before its turn did.
pub(super) fn without_turn(reply: &WireReply) -> AdapterFault {
    let complaint = complaint(reply);
    if complaint.contains("utput schema file") {
        let message = format!("`codex` ended with {}: {complaint}", reply.status);
        return AdapterFault::Provider(Box::new(provider_error(
            ProviderErrorKind::SchemaRejected,
            None,
            None,
            &message,
        )));
    }
    // What clap, the program's argument parser, exits with.
    if reply.status == 2 {
        return AdapterFault::Configuration {
            reason: format!(
                "this version of `codex` doesn't take an argument that it was given, update it: {complaint}"
            ),
        };
    }
    no_output("codex", reply)
}

fn provider_error(kind: ProviderErrorKind, status: Option<u16>, code: Option<String>, message: &str) -> ProviderError {
    ProviderError {
        kind,
        status,
        code,
        message: bounded(message),
        request_id: None,
        retry_after: None,
        should_retry: None,
    }
}
