//! What steps in when a call's attempts are used up.

use std::fmt;

use crate::outcome::{CallError, FallbackKind};

use super::Client;

/// What steps in when a call's attempts are used up: a value, another adapter, or a person.
///
/// ```
/// use geode_core::client::Fallback;
///
/// let unknown: Fallback<u32> = Fallback::value(0);
/// let by_cause: Fallback<u32> = Fallback::value_with(|error| if error.is_refusal() { 1 } else { 2 });
/// # let _ = (unknown, by_cause);
/// ```
pub struct Fallback<T> {
    pub(super) step: Step<T>,
}

pub(super) enum Step<T> {
    Value(Box<dyn FnOnce(&CallError) -> T + Send + Sync>),
    Client(Client),
    Review(Box<dyn FnOnce(&CallError) + Send + Sync>),
}

impl<T> Fallback<T> {
    /// This value.
    pub fn value(value: T) -> Self
    where
        T: Send + Sync + 'static,
    {
        Fallback::value_with(move |_| value)
    }

    /// A value computed from what went wrong.
    pub fn value_with(value: impl FnOnce(&CallError) -> T + Send + Sync + 'static) -> Self {
        Fallback { step: Step::Value(Box::new(value)) }
    }

    /// The same call through another client, within what is left of the deadline. Refusals and business failures don't
    /// go there: another model is no way around them.
    pub fn client(client: Client) -> Self {
        Fallback { step: Step::Client(client) }
    }

    /// A person: the function gets the failed call and puts it into a queue, say. The call still ends in its error, and
    /// its account says that a person was told.
    pub fn human_review(tell: impl FnOnce(&CallError) + Send + Sync + 'static) -> Self {
        Fallback { step: Step::Review(Box::new(tell)) }
    }

    pub(super) fn kind(&self) -> FallbackKind {
        match self.step {
            Step::Value(_) => FallbackKind::Value,
            Step::Client(_) => FallbackKind::Adapter,
            Step::Review(_) => FallbackKind::HumanReview,
        }
    }
}

impl<T> fmt::Debug for Fallback<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Fallback").field(&self.kind()).finish()
    }
}
