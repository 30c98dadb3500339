//! Counters and histograms through the `metrics` facade, under the names of R45.
//!
//! Labels are static names only, so that neither a user's nor a provider's text can become one.

use super::Signal;

/// Records what happened.
pub(super) fn record(signal: Signal) {
    match signal {
        Signal::Request { adapter } => {
            metrics::counter!("llm_requests_total", "adapter" => adapter).increment(1);
        }
        Signal::Response { adapter, kind, duration, usage } => {
            metrics::counter!("llm_responses_total", "adapter" => adapter, "kind" => kind).increment(1);
            metrics::histogram!("llm_request_duration_seconds", "adapter" => adapter).record(duration.as_secs_f64());
            metrics::counter!("llm_output_tokens", "adapter" => adapter).increment(usage.output_tokens);
            match kind {
                "invalid_schema" => {
                    metrics::counter!("llm_schema_validation_failures_total", "adapter" => adapter).increment(1);
                }
                "invalid_business" => {
                    metrics::counter!("llm_business_validation_failures_total", "adapter" => adapter).increment(1);
                }
                _ => {}
            }
        }
        Signal::Retry { adapter, reason } => {
            metrics::counter!("llm_retries_total", "adapter" => adapter, "reason" => reason).increment(1);
        }
        Signal::Fallback { kind } => {
            metrics::counter!("llm_fallback_total", "kind" => kind).increment(1);
        }
    }
}
