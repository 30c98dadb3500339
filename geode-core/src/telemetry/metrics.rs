//! Counters and histograms through the `metrics` facade, under names that stay.

use super::{Labels, Signal};
use crate::outcome::Outcome;

/// Records what happened.
pub(super) fn record(signal: Signal) {
    match signal {
        Signal::Request { adapter } => {
            metrics::counter!("llm_requests_total", "adapter" => adapter).increment(1);
        }
        Signal::Response { labels, outcome, duration, usage } => {
            let Labels { adapter, prompt_release, schema_version } = labels;
            let labels = [("adapter", adapter), ("prompt_release", prompt_release), ("schema_version", schema_version)];
            metrics::counter!(
                "llm_responses_total",
                "adapter" => adapter, "prompt_release" => prompt_release, "schema_version" => schema_version, "kind" => outcome.name()
            )
            .increment(1);
            metrics::histogram!("llm_request_duration_seconds", &labels).record(duration.as_secs_f64());
            metrics::counter!("llm_output_tokens", &labels).increment(usage.output_tokens);
            match outcome {
                Outcome::InvalidSchema => {
                    metrics::counter!("llm_schema_validation_failures_total", &labels).increment(1);
                }
                Outcome::InvalidBusiness => {
                    metrics::counter!("llm_business_validation_failures_total", &labels).increment(1);
                }
                _ => {}
            }
        }
        Signal::Retry { adapter, reason } => {
            metrics::counter!("llm_retries_total", "adapter" => adapter, "reason" => reason.name()).increment(1);
        }
        Signal::Fallback { kind } => {
            metrics::counter!("llm_fallback_total", "kind" => kind).increment(1);
        }
        Signal::Correction { prompt_release } => {
            metrics::counter!("llm_corrections_total", "prompt_release" => prompt_release).increment(1);
        }
    }
}
