//! What kind of error it is: by the provider's own code first, then by its words, last by the status.

use crate::adapter::ProviderErrorKind as Kind;

/// Classifies an error.
///
/// A status alone won't do: GLM and OpenAI send 429 both for "slow down" and for "your balance is used up".
pub(super) fn kind(status: Option<u16>, code: &str, kind: &str, message: &str) -> Kind {
    // A server that failed while it read a schema has failed; only a rejection is about the schema.
    let rejected = !matches!(status, Some(401 | 403 | 429 | 502..));
    if rejected && is_about_schema(code, message) {
        return Kind::SchemaRejected;
    }
    by_code(code).or_else(|| by_code(kind)).or_else(|| by_message(status, message)).unwrap_or_else(|| by_status(status))
}

impl Kind {
    /// Narrows a rejected request by the parameter at fault.
    pub(super) fn or_by_param(self, param: &str) -> Kind {
        let schema = ["text.format", "response_format", "output_config.format"];
        match self {
            Kind::InvalidRequest if schema.iter().any(|name| param.starts_with(name)) => Kind::SchemaRejected,
            Kind::InvalidRequest if param.starts_with("tools[") && param.ends_with("parameters") => {
                Kind::SchemaRejected
            }
            kind => kind,
        }
    }
}

fn is_about_schema(code: &str, message: &str) -> bool {
    const CODES: [&str; 2] = ["invalid_json_schema", "invalid_function_parameters"];
    const WORDS: [&str; 13] = [
        "Invalid schema for ",
        "output_config.format.schema",
        "output_format.schema",
        "too complex for compilation",
        "compiled grammar is too large",
        "Schemas contains too many",
        "input_schema does not support",
        "response_schema",
        "response_json_schema",
        "exceeds the maximum allowed nesting depth",
        "schema depth exceeds",
        "JSON schema conversion failed",
        "failed to parse grammar",
    ];
    CODES.contains(&code)
        || WORDS.iter().any(|words| message.contains(words))
        || (message.starts_with("tools.") && message.contains(".custom: "))
}

fn by_code(code: &str) -> Option<Kind> {
    Some(match code {
        "authentication_error"
        | "invalid_api_key"
        | "token_expired"
        | "UNAUTHENTICATED"
        | "UnrecognizedClientException"
        | "ExpiredTokenException"
        | "InvalidSignatureException" => Kind::Authentication,
        "permission_error" | "PERMISSION_DENIED" | "AccessDeniedException" | "usage_not_included" => Kind::Permission,
        "model_not_found" | "not_found_error" | "NOT_FOUND" | "ResourceNotFoundException" => Kind::NotFound,
        "insufficient_quota"
        | "billing_error"
        | "billing_hard_limit_reached"
        | "usage_limit_reached"
        | "ServiceQuotaExceededException" => Kind::QuotaExceeded,
        "rate_limit_exceeded" | "rate_limit_error" | "RESOURCE_EXHAUSTED" | "ThrottlingException" => Kind::RateLimited,
        "overloaded_error"
        | "server_overloaded"
        | "server_is_overloaded"
        | "service_unavailable_error"
        | "slow_down"
        | "UNAVAILABLE"
        | "ServiceUnavailableException"
        | "ModelNotReadyException" => Kind::Overloaded,
        "timeout_error" | "DEADLINE_EXCEEDED" | "ModelTimeoutException" => Kind::Timeout,
        "content_filter" | "content_policy_violation" | "ResponsibleAIPolicyViolation" => Kind::ContentFiltered,
        "context_length_exceeded" | "exceed_context_size_error" | "request_too_large" => Kind::PromptTooLong,
        "api_error"
        | "server_error"
        | "internal_error"
        | "INTERNAL"
        | "InternalServerException"
        | "ModelErrorException"
        | "ModelStreamErrorException"
        | "InternalFailure" => Kind::Server,
        "ValidationException" => Kind::InvalidRequest,
        _ => return by_glm_code(code),
    })
}

/// GLM's business codes (docs.bigmodel.cn, "api-code"; docs.z.ai, "api-code"; read 2026-11).
fn by_glm_code(code: &str) -> Option<Kind> {
    if code.len() != 4 {
        return None;
    }
    Some(match code.parse::<u16>().ok()? {
        1000..=1004 => Kind::Authentication,
        1113 | 1304 | 1308..=1310 => Kind::QuotaExceeded,
        1110..=1121 => Kind::Permission,
        1211 => Kind::NotFound,
        1210 | 1213..=1215 => Kind::InvalidRequest,
        1220 | 1311 => Kind::Permission,
        1234 => Kind::Server,
        1261 => Kind::PromptTooLong,
        1300 | 1301 => Kind::ContentFiltered,
        1302 | 1303 | 1313 => Kind::RateLimited,
        1305 | 1312 => Kind::Overloaded,
        _ => return None,
    })
}

fn by_message(status: Option<u16>, message: &str) -> Option<Kind> {
    match status {
        None | Some(400) if message.contains("prompt is too long") || message.contains("maximum context length") => {
            Some(Kind::PromptTooLong)
        }
        Some(422) if message.contains("does not exist") => Some(Kind::NotFound),
        _ => None,
    }
}

fn by_status(status: Option<u16>) -> Kind {
    match status {
        Some(400 | 405 | 406 | 410..=412 | 414..=428) => Kind::InvalidRequest,
        Some(401) => Kind::Authentication,
        Some(402) => Kind::QuotaExceeded,
        Some(403) => Kind::Permission,
        Some(404) => Kind::NotFound,
        Some(408 | 504 | 522 | 524) => Kind::Timeout,
        // A conflict with another request of the same account; every official SDK tries again.
        Some(409) => Kind::Server,
        Some(413) => Kind::PromptTooLong,
        Some(429) => Kind::RateLimited,
        Some(503 | 529) => Kind::Overloaded,
        Some(500..=599) => Kind::Server,
        _ => Kind::Other,
    }
}
