//! What can go wrong between a neutral request and a neutral reply.

use std::time::Duration;

/// A request that can't be encoded, an error that the provider reports, or a reply that can't be understood.
///
/// `Display` names the fault and never shows a prompt, an answer or a secret. The provider's own error message is
/// shown: it talks about the request's form.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub enum AdapterFault {
    /// The wire can't carry the request.
    Unsupported {
        /// What it can't carry, and what to do instead.
        reason: String,
    },
    /// A setting is missing or wrong.
    Configuration {
        /// Which one, and where it is read from.
        reason: String,
    },
    /// The provider reported an error.
    Provider(Box<ProviderError>),
    /// The reply is not what the wire promises: HTML, an empty body, a frame that is no JSON.
    Malformed {
        /// What was expected where.
        reason: String,
        /// HTTP status or exit code.
        status: Option<i32>,
        /// The provider's id of the request.
        request_id: Option<String>,
    },
}

/// An error that a provider reported.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct ProviderError {
    /// What kind of error it is.
    pub kind: ProviderErrorKind,
    /// HTTP status, or the status that a body of a 200 names.
    pub status: Option<u16>,
    /// The provider's own code or type.
    pub code: Option<String>,
    /// The provider's own message, at most 2,000 characters.
    pub message: String,
    /// The provider's id of the request.
    pub request_id: Option<String>,
    /// How long the provider asks to wait.
    pub retry_after: Option<Duration>,
    /// What the provider says about trying again (`x-should-retry`), where it does.
    pub should_retry: Option<bool>,
}

/// What kind of error a provider reported.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum ProviderErrorKind {
    /// The key is missing, wrong or expired.
    Authentication,
    /// The key may not do this.
    Permission,
    /// No such model or path.
    NotFound,
    /// The provider does not take the schema.
    SchemaRejected,
    /// The request is wrong in another way.
    InvalidRequest,
    /// The prompt is longer than the model takes.
    PromptTooLong,
    /// A filter stopped the prompt.
    ContentFiltered,
    /// Too many requests for now.
    RateLimited,
    /// The plan or the balance is used up: waiting does not help.
    QuotaExceeded,
    /// The provider is overloaded.
    Overloaded,
    /// The provider took too long.
    Timeout,
    /// The provider failed.
    Server,
    /// Something this version doesn't know.
    Other,
}

impl ProviderErrorKind {
    /// Whether the same request may succeed later, where the provider says nothing of its own.
    pub fn is_retryable(self) -> bool {
        matches!(
            self,
            ProviderErrorKind::RateLimited
                | ProviderErrorKind::Overloaded
                | ProviderErrorKind::Timeout
                | ProviderErrorKind::Server
        )
    }
}

impl ProviderError {
    /// An error without request id and without advice on trying again.
    pub fn new(kind: ProviderErrorKind, status: Option<u16>, code: Option<String>, message: String) -> Self {
        ProviderError { kind, status, code, message, request_id: None, retry_after: None, should_retry: None }
    }

    /// Whether the same request may succeed later: the provider's word first, else by kind.
    pub fn is_retryable(&self) -> bool {
        self.should_retry.unwrap_or_else(|| self.kind.is_retryable())
    }
}

impl std::fmt::Display for AdapterFault {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            AdapterFault::Unsupported { reason } | AdapterFault::Configuration { reason } => f.write_str(reason),
            AdapterFault::Provider(error) => error.fmt(f),
            AdapterFault::Malformed { reason, .. } => write!(f, "the reply can't be understood: {reason}"),
        }
    }
}

impl std::fmt::Display for ProviderError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the provider says")?;
        if let Some(status) = self.status {
            write!(f, " ({status})")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for AdapterFault {}
impl std::error::Error for ProviderError {}
