//! What a failed turn means: the program tells it in a sentence, or hands on the API's error body as it came.

use bytes::Bytes;

use super::super::cli::{Members, complaint, no_output};
use super::super::{AdapterFault, ProviderError, ProviderErrorKind, error_body};
use crate::reply::FinishReason;
use crate::transport::{HeaderMap, WireReply};

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
    let mut error = error_body::from_parts(status_in(message), "", message);
    if let Some(kind) = by_sentence(message) {
        error.kind = kind;
    }
    Err(AdapterFault::Provider(Box::new(error)))
}

/// The API's own error body, where the message is one. A body alone is handed on for status 400; others are told in a
/// sentence.
fn api_error(message: &str) -> Option<ProviderError> {
    let body = Members::read(message)?;
    let status = body.get("status").unwrap_or(400);
    Some(error_body::read(&WireReply {
        status,
        headers: HeaderMap::new(),
        body: message.to_owned().into(),
        stderr: Bytes::new(),
    }))
}

/// The sentences of version 0.171.0.
fn by_sentence(message: &str) -> Option<ProviderErrorKind> {
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
    sentences.iter().find(|(sign, _)| message.contains(sign)).map(|(_, kind)| *kind)
}

/// `unexpected status 401 Unauthorized: …`, `exceeded retry limit, last status: 429 Too Many Requests`.
fn status_in(message: &str) -> Option<u16> {
    let rest = message.split_once("status: ").or_else(|| message.split_once("unexpected status "))?.1;
    rest.split(|character: char| !character.is_ascii_digit()).next()?.parse().ok()
}

/// The program ended before its turn did.
pub(super) fn without_turn(reply: &WireReply) -> AdapterFault {
    let complaint = complaint(reply);
    if complaint.contains("utput schema file") {
        let message = format!("`codex` ended with {}: {complaint}", reply.status);
        let error = error_body::from_parts(None, "invalid_json_schema", &message);
        return AdapterFault::Provider(Box::new(error));
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
