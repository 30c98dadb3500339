//! Names of OpenTelemetry's semantic conventions for generative AI, as of version 1.38 (status: development). This file
//! alone spells them.

/// Span field that `tracing-opentelemetry` takes for the span's name: `{operation} {model}`.
pub(super) const SPAN_NAME: &str = "otel.name";
/// Span field that `tracing-opentelemetry` takes for the span's kind.
pub(super) const SPAN_KIND: &str = "otel.kind";
/// `true` puts prompts and answers into spans.
pub(super) const CAPTURE_CONTENT: &str = "OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT";

pub(super) const OPERATION: &str = "gen_ai.operation.name";
pub(super) const PROVIDER: &str = "gen_ai.provider.name";
pub(super) const OUTPUT_TYPE: &str = "gen_ai.output.type";
pub(super) const REQUEST_MODEL: &str = "gen_ai.request.model";
pub(super) const RESPONSE_MODEL: &str = "gen_ai.response.model";
pub(super) const RESPONSE_ID: &str = "gen_ai.response.id";
pub(super) const FINISH_REASONS: &str = "gen_ai.response.finish_reasons";
pub(super) const INPUT_TOKENS: &str = "gen_ai.usage.input_tokens";
pub(super) const OUTPUT_TOKENS: &str = "gen_ai.usage.output_tokens";
pub(super) const INPUT_MESSAGES: &str = "gen_ai.input.messages";
pub(super) const OUTPUT_MESSAGES: &str = "gen_ai.output.messages";
pub(super) const ERROR_TYPE: &str = "error.type";
