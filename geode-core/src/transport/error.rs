//! Faults below the provider's own protocol.

/// A fault below the provider's own protocol.
#[must_use]
#[derive(Debug)]
#[non_exhaustive]
pub struct TransportError {
    /// What kind of fault it is.
    pub kind: TransportErrorKind,
    /// What failed, without URLs or content.
    pub message: String,
    /// The cause.
    pub source: Option<Box<dyn std::error::Error + Send + Sync>>,
}

/// What kind of fault a [`TransportError`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum TransportErrorKind {
    /// No connection, or TLS failed.
    Connect,
    /// The server's certificate can't be trusted: its authority is not known, it is another host's, or it has expired.
    /// Nothing was sent.
    Untrusted,
    /// The whole exchange took too long.
    Timeout,
    /// A streamed body went silent for too long.
    Idle,
    /// The connection broke while the answer came.
    Interrupted,
    /// The answer grew over the size limit.
    TooLarge,
    /// The answer's bytes are not what the protocol allows: a stream that is no UTF-8.
    Corrupt,
    /// The program is not installed or can't be started.
    ProgramMissing,
    /// The program ended with a failure after its output was streamed.
    ProgramFailed,
    /// The request can't be carried: an argument over the system's limit, a transport that lacks the kind.
    Unsupported,
}

impl TransportError {
    /// A fault of a kind. The message must hold no URL and no content.
    pub fn new(kind: TransportErrorKind, message: impl Into<String>) -> Self {
        TransportError { kind, message: message.into(), source: None }
    }

    /// The same fault with its cause.
    pub fn with_source(mut self, source: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        self.source = Some(source.into());
        self
    }

    pub(super) fn too_large(max_bytes: usize) -> Self {
        TransportError::new(
            TransportErrorKind::TooLarge,
            format!("the answer is larger than the limit of {max_bytes} bytes (`ExchangeLimits::max_bytes`)"),
        )
    }
}

impl TransportErrorKind {
    /// Whether the same request may succeed later.
    pub fn is_retryable(self) -> bool {
        matches!(
            self,
            TransportErrorKind::Connect
                | TransportErrorKind::Timeout
                | TransportErrorKind::Idle
                | TransportErrorKind::Interrupted
        )
    }
}

impl std::fmt::Display for TransportError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for TransportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.source.as_ref().map(|source| &**source as &(dyn std::error::Error + 'static))
    }
}
