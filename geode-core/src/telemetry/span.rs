//! One span an attempt, with the attribute names of OpenTelemetry's conventions for generative AI.

use std::sync::OnceLock;

use tracing::field::{Empty, display};

use super::semconv::{
    CAPTURE_CONTENT, ERROR_TYPE, FINISH_REASONS, INPUT_MESSAGES, INPUT_TOKENS, OPERATION, OUTPUT_MESSAGES,
    OUTPUT_TOKENS, OUTPUT_TYPE, PROVIDER, REQUEST_MODEL, RESPONSE_ID, RESPONSE_MODEL, SPAN_KIND, SPAN_NAME,
};
use crate::outcome::{Account, Outcome};
use crate::reply::{FinishReason, Usage};
use crate::request::Request;

/// The span of one attempt. Its parent is the caller's current span.
pub(crate) struct Span(tracing::Span);

impl Span {
    pub(crate) fn start(adapter: &'static str, request: &Request) -> Self {
        let span = tracing::info_span!(
            "chat",
            { SPAN_NAME } = Empty,
            { SPAN_KIND } = "client",
            { OPERATION } = "chat",
            { PROVIDER } = adapter,
            { OUTPUT_TYPE } = if request.output.is_some() { "json" } else { "text" },
            { REQUEST_MODEL } = Empty,
            { RESPONSE_MODEL } = Empty,
            { RESPONSE_ID } = Empty,
            { FINISH_REASONS } = Empty,
            { INPUT_TOKENS } = Empty,
            { OUTPUT_TOKENS } = Empty,
            { INPUT_MESSAGES } = Empty,
            { OUTPUT_MESSAGES } = Empty,
            { ERROR_TYPE } = Empty,
        );
        if let Some(model) = &request.model {
            span.record(REQUEST_MODEL, model.as_str());
        }
        if captures_content()
            && let Ok(messages) = serde_json::to_string(&request.messages)
        {
            span.record(INPUT_MESSAGES, messages);
        }
        Span(span)
    }

    /// Records how the attempt ended.
    pub(crate) fn end(self, outcome: Outcome, account: &Account, usage: Usage) {
        let Span(span) = self;
        if let Some(model) = &account.model {
            span.record(SPAN_NAME, display(format_args!("chat {model}")));
            span.record(RESPONSE_MODEL, model.as_str());
        }
        if let Some(id) = &account.request_id {
            span.record(RESPONSE_ID, id.as_str());
        }
        if let Some(reason) = &account.finish {
            span.record(FINISH_REASONS, spelled(reason));
        }
        span.record(INPUT_TOKENS, usage.input_tokens);
        span.record(OUTPUT_TOKENS, usage.output_tokens);
        if outcome != Outcome::Accepted {
            span.record(ERROR_TYPE, outcome.name());
        }
        if captures_content() {
            span.record(OUTPUT_MESSAGES, account.raw_text());
        }
    }
}

fn spelled(reason: &FinishReason) -> &str {
    match reason {
        FinishReason::Stop => "stop",
        FinishReason::ToolUse => "tool_calls",
        FinishReason::TokenLimit => "length",
        FinishReason::ContentFilter | FinishReason::Refusal => "content_filter",
        FinishReason::Other(reason) => reason,
    }
}

/// Whether the standard opt-in for content is set. Read once a process.
fn captures_content() -> bool {
    static CAPTURES: OnceLock<bool> = OnceLock::new();
    *CAPTURES.get_or_init(|| std::env::var(CAPTURE_CONTENT).is_ok_and(|value| value.eq_ignore_ascii_case("true")))
}
