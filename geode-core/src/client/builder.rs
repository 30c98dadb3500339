//! Settings of a client.

use std::sync::Arc;
use std::time::Duration;

use crate::adapter::{Adapter, Enforcement};
use crate::engine::{Line, RetryPolicy};
use crate::request::Mode;
use crate::transport::{ExchangeLimits, StandardTransport, Transport};

use super::{Client, Inner, Settings};

/// Settings of a [`Client`]. What concerns one provider (base URL, headers, keys) is set on its adapter.
#[derive(Debug, Clone)]
#[must_use]
pub struct ClientBuilder {
    line: Line,
    settings: Settings,
}

impl ClientBuilder {
    pub(super) fn new(adapter: Arc<dyn Adapter>) -> Self {
        ClientBuilder {
            line: Line {
                adapter,
                transport: Arc::new(StandardTransport::new()),
                limits: ExchangeLimits {
                    timeout: Duration::from_secs(120),
                    idle: Duration::from_secs(60),
                    max_bytes: 8 * 1024 * 1024,
                },
            },
            settings: Settings {
                model: None,
                mode: Mode::Auto,
                guarantee: Enforcement::None,
                retry: RetryPolicy::default(),
                deadline: Duration::from_secs(300),
            },
        }
    }

    /// Carries requests by another transport.
    pub fn transport(mut self, transport: impl Transport + 'static) -> Self {
        self.line.transport = Arc::new(transport);
        self
    }

    /// Time for one attempt. 120 seconds by default.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.line.limits.timeout = timeout;
        self
    }

    /// Time that a streamed answer may stay silent. 60 seconds by default.
    pub fn idle_timeout(mut self, timeout: Duration) -> Self {
        self.line.limits.idle = timeout;
        self
    }

    /// Time for a whole call: all attempts and the waits between them. 300 seconds by default.
    pub fn deadline(mut self, time: Duration) -> Self {
        self.settings.deadline = time;
        self
    }

    /// Most bytes of an answer as it comes from the wire. 8 MiB by default.
    pub fn max_answer_bytes(mut self, bytes: usize) -> Self {
        self.line.limits.max_bytes = bytes;
        self
    }

    /// Model to ask, instead of the adapter's own.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.settings.model = Some(model.into());
        self
    }

    /// How structured output is asked for. [`Mode::Auto`] by default.
    pub fn mode(mut self, mode: Mode) -> Self {
        self.settings.mode = mode;
        self
    }

    /// The least that the provider must guarantee. Nothing by default: the answer is checked here in any case.
    pub fn require(mut self, guarantee: Enforcement) -> Self {
        self.settings.guarantee = guarantee;
        self
    }

    /// Which failures are tried again.
    pub fn retry(mut self, policy: RetryPolicy) -> Self {
        self.settings.retry = policy;
        self
    }

    /// The client.
    pub fn build(self) -> Client {
        Client { inner: Arc::new(Inner { line: self.line, settings: self.settings }) }
    }
}
