//! Failures in words: one line each, one level deep, without content.

use std::fmt;

use super::failure::{Failure, IncompleteReason};
use crate::adapter::{AdapterFault, ProviderErrorKind};
use crate::transport::TransportErrorKind;

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Refused { .. } => f.write_str("the model declined to answer"),
            Failure::Incomplete { reason } => write!(f, "the answer is incomplete: {reason}"),
            Failure::InvalidSchema(report) => {
                let count = report.violations.len() + report.unrecorded;
                write!(f, "the answer violates the schema ({count} {})", plural(count, "violation"))?;
                match report.violations.first() {
                    Some(first) => write!(f, ", first at {}: expected {}", place(&first.pointer), first.expected),
                    None => Ok(()),
                }
            }
            Failure::InvalidBusiness(issues) => {
                write!(f, "the answer breaks {} business {}", issues.len(), plural(issues.len(), "rule"))?;
                for (index, issue) in issues.iter().enumerate() {
                    let separator = if index == 0 { ": " } else { ", " };
                    write!(f, "{separator}{} at {}", issue.code, place(&issue.pointer))?;
                }
                Ok(())
            }
            Failure::Transport(error) => f.write_str(exchange(error.kind)),
            Failure::Adapter(AdapterFault::Provider(error)) => {
                f.write_str(reported(error.kind))?;
                error.status.map_or(Ok(()), |status| write!(f, " ({status})"))
            }
            Failure::Adapter(AdapterFault::Malformed { .. }) => f.write_str("the reply can't be understood"),
            Failure::Adapter(_) => f.write_str("the adapter can't make the request"),
            Failure::Schema(incompatible) => {
                let breaches = incompatible.breaches();
                let count = breaches.len();
                write!(f, "{} can't take the schema ({count} {})", incompatible.dialect(), plural(count, "place"))?;
                match breaches.first() {
                    Some(first) => write!(f, ", first {first}"),
                    None => Ok(()),
                }
            }
            Failure::Unsupported { reason } => f.write_str(reason),
            Failure::StructuredOutputFailed { reminders } => {
                write!(f, "structured_output_failed: the model did not hand in its answer after {reminders} reminders")
            }
            Failure::DeadlineExceeded => f.write_str("the deadline passed before there was an answer"),
            Failure::Earlier { message, .. } => write!(f, "failed in an earlier run: {message}"),
        }
    }
}

impl fmt::Display for IncompleteReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IncompleteReason::TokenLimit => f.write_str("it reached the token limit; raise `max_output_tokens`"),
            IncompleteReason::StreamCut => f.write_str("it broke off before its end"),
            IncompleteReason::ContentFilter => f.write_str("a content filter stopped it"),
            IncompleteReason::Empty => f.write_str("it is empty"),
            IncompleteReason::Runaway => f.write_str("it ran on in whitespace"),
            IncompleteReason::TooLarge => f.write_str("it grew over the size limit"),
            IncompleteReason::ToolCall => f.write_str("the model called tools where an answer was due"),
            IncompleteReason::Other(reason) => write!(f, "the model stopped for `{reason}`"),
        }
    }
}

/// What became of an exchange. The cause says more.
fn exchange(kind: TransportErrorKind) -> &'static str {
    match kind {
        TransportErrorKind::Connect => "the provider can't be reached",
        TransportErrorKind::Untrusted => "the provider's certificate can't be trusted",
        TransportErrorKind::Timeout => "the exchange with the provider took too long",
        TransportErrorKind::Idle => "the provider fell silent before the end of its answer",
        TransportErrorKind::Interrupted => "the connection broke before the end of the answer",
        TransportErrorKind::TooLarge => "the answer is too large",
        TransportErrorKind::Corrupt => "the answer's bytes are not what the protocol allows",
        TransportErrorKind::ProgramMissing => "the provider's program can't be started",
        TransportErrorKind::ProgramFailed => "the provider's program failed",
        TransportErrorKind::Unsupported => "the transport can't carry the request",
    }
}

/// What a provider reported. The cause has its own words.
fn reported(kind: ProviderErrorKind) -> &'static str {
    match kind {
        ProviderErrorKind::Authentication => "the provider refused the key",
        ProviderErrorKind::Permission => "the key may not do this",
        ProviderErrorKind::NotFound => "the provider knows no such model or path",
        ProviderErrorKind::SchemaRejected => "the provider refused the schema",
        ProviderErrorKind::InvalidRequest => "the provider refused the request",
        ProviderErrorKind::PromptTooLong => "the prompt is longer than the model takes",
        ProviderErrorKind::ContentFiltered => "a filter of the provider's stopped the prompt",
        ProviderErrorKind::RateLimited => "the provider takes no more requests for now",
        ProviderErrorKind::QuotaExceeded => "the plan or the balance is used up",
        ProviderErrorKind::Overloaded => "the provider is overloaded",
        ProviderErrorKind::Timeout => "the provider took too long",
        ProviderErrorKind::Server => "the provider failed",
        ProviderErrorKind::Other => "the provider reported an error",
    }
}

/// A JSON Pointer for a person.
fn place(pointer: &str) -> &str {
    if pointer.is_empty() { "the root" } else { pointer }
}

fn plural(count: usize, noun: &str) -> String {
    if count == 1 { noun.to_owned() } else { format!("{noun}s") }
}
