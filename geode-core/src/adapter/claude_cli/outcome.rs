//! What a run of `claude -p` came to.
//!
//! `subtype` alone doesn't tell: it says `success` for a refusal and for an API error too. An answer is there only where
//! the program ended with 0, `is_error` is false, and `structured_output` is present (where a schema was sent).

use super::super::cli::{Members, complaint, left_out, native, no_output, said};
use super::super::{AdapterFault, ProviderError, ProviderErrorKind, error_body};
use crate::reply::{FinishReason, Reply, Usage};
use crate::request::Request;
use crate::transport::WireReply;

/// Reads the program's whole output.
pub(super) fn read(request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
    let Some(result) = result_of(&String::from_utf8_lossy(&reply.body)) else {
        return Err(without_result(reply));
    };
    let answer = settle(request, &result)?;
    match reply.status {
        0 => Ok(answer),
        // A refusal and a cut answer end with 1.
        _ if !matches!(answer.finish, Some(FinishReason::Stop)) => Ok(answer),
        _ => Err(no_output("claude", reply)),
    }
}

/// The result object: the last line that is one, or the whole text; a list's last item in some versions.
fn result_of(stdout: &str) -> Option<Members> {
    let is_result = |members: &Members| members.text("type").as_deref() == Some("result");
    let by_line = stdout.lines().rev().filter_map(Members::read).find(is_result);
    by_line.or_else(|| Members::read(stdout).filter(is_result)).or_else(|| {
        let list: Vec<Box<serde_json::value::RawValue>> = serde_json::from_str(stdout).ok()?;
        list.iter().rev().filter_map(|item| Members::read(item.get())).find(is_result)
    })
}

/// Turns the result object into a reply, or into the error that it reports.
pub(super) fn settle(request: &Request, result: &Members) -> Result<Reply, AdapterFault> {
    let mut reply = Reply { id: result.filled("session_id"), ..Reply::default() };
    (reply.model, reply.usage) = usage(result);
    left_out(&mut reply, "temperature", request.temperature.is_some());

    let text = result.text("result").unwrap_or_default();
    let subtype = result.filled("subtype").unwrap_or_default();
    let stop = result.filled("stop_reason").unwrap_or_default();
    let failed = result.get("is_error").unwrap_or(false) || subtype.starts_with("error");
    if !failed {
        answer(request, result, text, &stop, &mut reply);
        return Ok(reply);
    }

    let api_error = result.filled("api_error").unwrap_or_default();
    reply.finish = match (stop.as_str(), api_error.as_str(), subtype.as_str()) {
        ("refusal", ..) => {
            reply.refusal = Some(text.strip_prefix("API Error: ").unwrap_or(&text).to_owned());
            Some(FinishReason::Refusal)
        }
        (_, "max_output_tokens", _) | ("max_tokens", ..) => Some(FinishReason::TokenLimit),
        (_, "connection_failed", _) if text.contains("mid-response") => None,
        (.., "error_max_structured_output_retries") => {
            // Which members it missed is worth knowing; it quotes no answer.
            reply.notes.extend(errors(result).map(|errors| said("claude", &errors)));
            Some(FinishReason::Other(subtype))
        }
        _ => return Err(AdapterFault::Provider(Box::new(error(result, &subtype, &text, api_error)))),
    };
    Ok(reply)
}

fn answer(request: &Request, result: &Members, text: String, stop: &str, reply: &mut Reply) {
    let structured = result.raw("structured_output").filter(|raw| raw.starts_with(['{', '[']));
    if let Some(structured) = structured {
        structured.clone_into(&mut reply.text);
        reply.finish = Some(FinishReason::Stop);
        return;
    }
    if native(request).is_some() && !text.trim().is_empty() {
        reply.notes.push("`claude` gave no `structured_output`: the answer is its text".to_owned());
    }
    reply.text = text;
    reply.finish = Some(match stop {
        "" | "end_turn" | "stop_sequence" | "tool_use" => FinishReason::Stop,
        "max_tokens" | "model_context_window_exceeded" => FinishReason::TokenLimit,
        "refusal" => FinishReason::Refusal,
        other => FinishReason::Other(other.to_owned()),
    });
    if reply.finish == Some(FinishReason::Refusal) {
        reply.refusal = Some(std::mem::take(&mut reply.text));
    }
}

fn error(result: &Members, subtype: &str, text: &str, api_error: String) -> ProviderError {
    let status = result.get("api_error_status");
    let api_type = result.filled("api_error_type").unwrap_or_default();
    let code = [api_type.as_str(), &api_error, subtype].into_iter().find(|code| !matches!(*code, "" | "success"));
    let message = match (errors(result), text.trim()) {
        (Some(errors), _) => format!("{subtype}: {errors}"),
        (None, "") => subtype.to_owned(),
        (None, text) => text.to_owned(),
    };
    let mut error = error_body::from_parts(status, code.unwrap_or_default(), &message);
    error.kind = match (error.kind, subtype) {
        (_, "error_max_budget_usd") => ProviderErrorKind::QuotaExceeded,
        (ProviderErrorKind::Other, "success") if login_missing(text) => ProviderErrorKind::Authentication,
        // No status: the program never reached the API, or lost it on the way.
        (ProviderErrorKind::Other, "success") if status.is_none() => ProviderErrorKind::Server,
        // The schema travels as a tool's.
        (ProviderErrorKind::InvalidRequest, _) if text.contains("input_schema") => ProviderErrorKind::SchemaRejected,
        (kind, _) => kind,
    };
    error
}

fn errors(result: &Members) -> Option<String> {
    result.get::<Vec<String>>("errors").filter(|errors| !errors.is_empty()).map(|errors| errors.join("; "))
}

fn login_missing(text: &str) -> bool {
    ["Invalid API key", "/login", "authenticat"].iter().any(|sign| text.contains(sign))
}

/// The program ended before it asked the model, or could not.
fn without_result(reply: &WireReply) -> AdapterFault {
    let complaint = complaint(reply);
    let kind = if complaint.contains("--json-schema") && !complaint.contains("unknown option") {
        ProviderErrorKind::SchemaRejected
    } else if login_missing(&complaint) {
        ProviderErrorKind::Authentication
    } else if complaint.contains("unknown option") {
        return AdapterFault::Configuration {
            reason: format!("this version of `claude` lacks an option that is needed, update it: {complaint}"),
        };
    } else {
        return no_output("claude", reply);
    };
    let message = format!("`claude` ended with {}: {complaint}", reply.status);
    AdapterFault::Provider(Box::new(ProviderError { kind, ..error_body::from_parts(None, "", &message) }))
}

/// The model that wrote most, and the tokens of all of them: `usage` leaves out the rounds that went wrong.
fn usage(result: &Members) -> (Option<String>, Usage) {
    let mut total = Usage::default();
    let mut most: Option<(String, u64)> = None;
    for (name, model) in result.object("modelUsage").objects() {
        let cached = model.count("cacheReadInputTokens");
        let written = model.count("outputTokens");
        total += Usage {
            input_tokens: model.count("inputTokens") + cached + model.count("cacheCreationInputTokens"),
            cached_input_tokens: cached,
            output_tokens: written,
            reasoning_tokens: model.count("thinkingTokens"),
        };
        if most.as_ref().is_none_or(|(_, most)| written > *most) {
            most = Some((name.to_owned(), written));
        }
    }
    if let Some((name, _)) = most {
        return (Some(name), total);
    }
    let usage = result.object("usage");
    let cached = usage.count("cache_read_input_tokens");
    total.input_tokens = usage.count("input_tokens") + cached + usage.count("cache_creation_input_tokens");
    total.cached_input_tokens = cached;
    total.output_tokens = usage.count("output_tokens");
    total.reasoning_tokens = usage.object("output_tokens_details").count("thinking_tokens");
    (None, total)
}
