//! Where a key or token comes from.

use std::fmt;
use std::sync::Arc;

use secrecy::{ExposeSecret, SecretString};

use super::AdapterFault;

/// A key or token, or a function that gives the current one.
#[derive(Clone)]
pub struct Credential(Source);

#[derive(Clone)]
enum Source {
    Fixed(SecretString),
    Provider(Arc<dyn Fn() -> SecretString + Send + Sync>),
}

impl Credential {
    /// Asks `current` before every request: for a token that the caller renews. It must not block.
    pub fn from_fn(current: impl Fn() -> SecretString + Send + Sync + 'static) -> Self {
        Credential(Source::Provider(Arc::new(current)))
    }

    /// The current key or token behind a prefix.
    pub(crate) fn secret(&self, prefix: &str) -> Result<SecretString, AdapterFault> {
        let given;
        let secret = match &self.0 {
            Source::Fixed(secret) => secret,
            Source::Provider(current) => {
                given = current();
                &given
            }
        };
        let secret = secret.expose_secret();
        if secret.trim().is_empty() {
            return Err(AdapterFault::Configuration { reason: "the key or token is empty".to_owned() });
        }
        Ok(SecretString::from([prefix, secret].concat()))
    }
}

impl From<SecretString> for Credential {
    fn from(secret: SecretString) -> Self {
        Credential(Source::Fixed(secret))
    }
}

impl From<String> for Credential {
    fn from(secret: String) -> Self {
        Credential(Source::Fixed(secret.into()))
    }
}

impl From<&str> for Credential {
    fn from(secret: &str) -> Self {
        Credential(Source::Fixed(secret.into()))
    }
}

impl fmt::Debug for Credential {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.0 {
            Source::Fixed(_) => "Credential(fixed)",
            Source::Provider(_) => "Credential(from a function)",
        })
    }
}
