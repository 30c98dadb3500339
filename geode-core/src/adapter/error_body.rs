//! Errors as providers send them, in every form they were seen in.

mod classify;
#[cfg(test)]
mod tests;

use std::time::Duration;

use http::HeaderName;

use super::envelope::{Loose, envelope};
use super::{AdapterFault, ProviderError};
use crate::transport::{HeaderMap, WireReply, header};

/// Most characters of a provider's message that are kept.
pub(crate) const MAX_MESSAGE: usize = 2_000;
/// Most characters of a body that is no known error form.
const MAX_EXCERPT: usize = 500;

/// Headers that hold the provider's id of a request, likeliest first.
static REQUEST_ID_HEADERS: [HeaderName; 7] = [
    HeaderName::from_static("x-request-id"),
    HeaderName::from_static("request-id"),
    HeaderName::from_static("x-amzn-requestid"),
    HeaderName::from_static("x-oai-request-id"),
    HeaderName::from_static("x-goog-request-id"),
    HeaderName::from_static("x-generation-id"),
    HeaderName::from_static("cf-ray"),
];

envelope! {
    /// The outermost object, in any form.
    struct Outer {
        error: ErrorMember = "error",
        detail: Detail = "detail",
        message: String = "message",
        message_capital: String = "Message",
        code: Loose = "code",
        kind: Loose = "type",
        aws_kind: String = "__type",
        request_id: String = "request_id",
        param: String = "param",
    }

    struct Inner {
        message: String = "message",
        kind: Loose = "type",
        code: Loose = "code",
        status: Loose = "status",
        param: String = "param",
        resets_in_seconds: f64 = "resets_in_seconds",
        metadata: Metadata = "metadata",
        inner: InnerCode = "innererror",
        details: Details = "details",
    }

    /// OpenRouter's: what the provider behind it said.
    struct Metadata { raw: Loose = "raw" }

    /// Azure's.
    struct InnerCode { code: String = "code" }

    struct RetryInfo { retry_delay: String = "retryDelay" }

    struct Validation { msg: String = "msg" }
}

/// Google's list of details; other providers put other things there.
#[derive(Default)]
pub(crate) struct Details(Vec<RetryInfo>);

/// `error` as an object, or as text.
#[derive(Default)]
pub(crate) struct ErrorMember(Option<Inner>);

/// FastAPI's and ChatGPT's `detail`: text, or a list of objects.
#[derive(Default)]
pub(crate) struct Detail(String);

/// The text of any JSON, read a second time as what is expected there.
macro_rules! from_raw {
    ($name:ident, $raw:ident => $read:expr) => {
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let raw = Box::<serde_json::value::RawValue>::deserialize(deserializer)?;
                let $raw = raw.get();
                Ok($name($read))
            }
        }
    };
}

from_raw!(Details, raw => serde_json::from_str(raw).unwrap_or_default());
from_raw!(ErrorMember, raw => match raw.as_bytes().first() {
    Some(b'{') => serde_json::from_str(raw).ok(),
    Some(b'n' | b'f') => None,
    _ => Some(Inner { message: serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned()), ..Inner::default() }),
});
from_raw!(Detail, raw => match serde_json::from_str::<Vec<Validation>>(raw) {
    Ok(list) => list.into_iter().map(|entry| entry.msg).collect::<Vec<_>>().join("; "),
    Err(_) => match serde_json::from_str::<Inner>(raw) {
        Ok(inner) => inner.message,
        Err(_) => serde_json::from_str(raw).unwrap_or_else(|_| raw.to_owned()),
    },
});

/// Reads the reply of a request that failed.
pub(crate) fn read(reply: &WireReply) -> ProviderError {
    let status = u16::try_from(reply.status).ok();
    let mut error = match parse(&reply.body) {
        Some(outer) => outer.into_error(status),
        None => {
            let text = String::from_utf8_lossy(&reply.body);
            let message = match status {
                Some(status) if text.trim().is_empty() => format!("HTTP {status} without a body"),
                _ => excerpt(&text),
            };
            let kind = classify::kind(status, "", "", &message);
            ProviderError::new(kind, status, None, message)
        }
    };
    add_headers(&mut error, &reply.headers);
    error
}

/// The error that the body of a success holds instead of an answer.
fn in_success(body: &[u8], headers: &HeaderMap) -> Option<ProviderError> {
    let outer = parse(body)?;
    let is_error = outer.error.0.is_some() || outer.kind.0 == "error" || !outer.detail.0.is_empty();
    // llama.cpp puts the members of its error right into the event.
    let is_bare = !outer.message.is_empty() && !outer.code.0.is_empty();
    (is_error || is_bare).then(|| {
        let mut error = outer.into_error(None);
        add_headers(&mut error, headers);
        error
    })
}

/// The error that a frame of a stream holds.
pub(crate) fn in_frame(data: &str) -> Option<ProviderError> {
    in_success(data.as_bytes(), &HeaderMap::new())
}

/// An error of which only this is known.
pub(crate) fn from_parts(status: Option<u16>, code: &str, message: &str) -> ProviderError {
    let kind = classify::kind(status, code, "", message);
    let code = (!code.is_empty()).then(|| code.to_owned());
    ProviderError::new(kind, status, code, bounded(message, MAX_MESSAGE))
}

/// A fault for a frame of a stream that is no JSON of the wire's.
pub(crate) fn malformed_frame(error: &serde_json::Error) -> AdapterFault {
    AdapterFault::Malformed {
        reason: format!(
            "a frame of the stream can't be read ({:?} error at column {})",
            error.classify(),
            error.column()
        ),
        status: None,
        request_id: None,
    }
}

/// The fault of a success whose body is no answer: the error that it holds, or that it is none of both.
pub(crate) fn no_answer(reply: &WireReply, expected: &str) -> AdapterFault {
    match in_success(&reply.body, &reply.headers) {
        Some(error) => AdapterFault::Provider(Box::new(error)),
        None => malformed(reply, expected),
    }
}

/// A fault for a body that is neither an answer nor an error.
fn malformed(reply: &WireReply, expected: &str) -> AdapterFault {
    let body = String::from_utf8_lossy(&reply.body);
    let found = match body.trim() {
        "" => "an empty body".to_owned(),
        text if looks_like_markup(text) => format!("an HTML page ({})", excerpt(text)),
        text => format!("{} bytes of something else", text.len()),
    };
    AdapterFault::Malformed {
        reason: format!("expected {expected}, found {found}"),
        status: Some(reply.status),
        request_id: request_id(&reply.headers),
    }
}

/// The provider's id of a request, from a reply's headers.
pub(crate) fn request_id(headers: &HeaderMap) -> Option<String> {
    REQUEST_ID_HEADERS.iter().find_map(|name| header(headers, name)).map(str::to_owned)
}

fn parse(body: &[u8]) -> Option<Outer> {
    match body.trim_ascii().first()? {
        b'{' => serde_json::from_slice(body).ok(),
        // Google sends some errors as a list of one.
        b'[' => serde_json::from_slice::<Vec<Outer>>(body).ok()?.into_iter().next(),
        b'"' => {
            let message = serde_json::from_slice(body).ok()?;
            Some(Outer { message, ..Outer::default() })
        }
        _ => None,
    }
}

impl Outer {
    fn into_error(self, status: Option<u16>) -> ProviderError {
        let inner = self.error.0.unwrap_or_default();
        let first = |candidates: [&String; 4]| {
            candidates.into_iter().find(|text| !text.is_empty()).cloned().unwrap_or_default()
        };
        let mut message = first([&inner.message, &self.detail.0, &self.message, &self.message_capital]);
        if !inner.metadata.raw.0.is_empty() {
            message = format!("{message}: {}", inner.metadata.raw.0);
        }
        if message.is_empty() {
            message = "no message".to_owned();
        }
        let outer_kind = if self.kind.0 == "error" { String::new() } else { self.kind.0 };
        let code = first([&inner.code.0, &self.code.0, &inner.inner.code, &self.aws_kind]);
        let kind = first([&inner.kind.0, &outer_kind, &inner.status.0, &inner.inner.code]);
        let numeric = |text: &str| text.parse::<u16>().ok().filter(|number| (100..=599).contains(number));
        let status = status
            .filter(|status| *status >= 300)
            .or_else(|| numeric(&code))
            .or_else(|| numeric(&inner.status.0))
            .or(status);
        let param = if inner.param.is_empty() { &self.param } else { &inner.param };
        let classified = classify::kind(status, &code, &kind, &message).or_by_param(param);
        // A code that only repeats a status says less than the type beside it.
        let shown = if code.is_empty() || (numeric(&code).is_some() && !kind.is_empty()) { kind } else { code };
        let mut error = ProviderError::new(
            classified,
            status,
            (!shown.is_empty()).then_some(shown),
            bounded(&message, MAX_MESSAGE),
        );
        error.request_id = (!self.request_id.is_empty()).then_some(self.request_id);
        error.retry_after = seconds(inner.resets_in_seconds).filter(|wait| !wait.is_zero()).or_else(|| {
            inner.details.0.iter().find_map(|info| seconds(info.retry_delay.strip_suffix('s')?.parse().ok()?))
        });
        error
    }
}

fn add_headers(error: &mut ProviderError, headers: &HeaderMap) {
    if let Some(kind) = header(headers, "x-amzn-errortype") {
        let kind = kind.split(':').next().unwrap_or(kind);
        error.kind = classify::kind(error.status, kind, "", &error.message);
        error.code = Some(kind.to_owned());
    }
    if let Some(id) = request_id(headers) {
        error.request_id = Some(id);
    }
    error.retry_after = retry_after(headers).or(error.retry_after);
    error.should_retry = match header(headers, "x-should-retry") {
        Some("true") => Some(true),
        Some("false") => Some(false),
        _ => None,
    };
}

/// How long to wait: milliseconds, seconds or a date. A date is held against the reply's own `Date`, since an adapter
/// reads no clock; one that has passed means no wait, and what can't be understood is left out.
pub(crate) fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    let milliseconds = header(headers, "retry-after-ms").and_then(|text| text.trim().parse::<f64>().ok());
    if let Some(wait) = milliseconds.and_then(|milliseconds| seconds(milliseconds / 1_000.0)) {
        return Some(wait);
    }
    let text = header(headers, "retry-after")?.trim();
    if let Ok(number) = text.parse::<f64>() {
        return seconds(number);
    }
    let until = httpdate::parse_http_date(text).ok()?;
    let now = httpdate::parse_http_date(header(headers, "date")?).ok()?;
    Some(until.duration_since(now).unwrap_or_default())
}

fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number).ok()
}

fn looks_like_markup(text: &str) -> bool {
    text.trim_start().starts_with('<')
}

/// A little of a body that is no JSON: a page's title, else its beginning.
fn excerpt(text: &str) -> String {
    let text = text.trim();
    if looks_like_markup(text) {
        let title = text.split_once("<title>").and_then(|(_, rest)| rest.split_once("</title>"));
        return match title {
            Some((title, _)) => bounded(title.trim(), MAX_EXCERPT),
            None => "an HTML page without a title".to_owned(),
        };
    }
    bounded(text, MAX_EXCERPT)
}

/// The text, cut to a number of characters.
pub(crate) fn bounded(text: &str, max_chars: usize) -> String {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => [text.get(..end).unwrap_or_default(), "…"].concat(),
        None => text.to_owned(),
    }
}
