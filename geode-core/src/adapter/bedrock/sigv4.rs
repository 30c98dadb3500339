//! AWS's Signature Version 4, made by AWS's own crate.

#[cfg(test)]
mod tests;

use std::borrow::Cow;
use std::time::SystemTime;

use aws_credential_types::Credentials;
use aws_sigv4::http_request::{SignableBody, SignableRequest, SigningSettings, sign};
use aws_sigv4::sign::v4;
use secrecy::{ExposeSecret, SecretString};

use crate::transport::{HttpMethod, HttpRequest, RequestSigner, TransportError, TransportErrorKind};

/// Access keys of AWS.
#[must_use]
#[derive(Clone)]
pub struct AwsKeys {
    access_key_id: String,
    secret_access_key: SecretString,
    session_token: Option<SecretString>,
}

impl AwsKeys {
    /// Keys that don't expire, as in `AWS_ACCESS_KEY_ID` and `AWS_SECRET_ACCESS_KEY`.
    pub fn new(access_key_id: impl Into<String>, secret_access_key: impl Into<SecretString>) -> Self {
        AwsKeys {
            access_key_id: access_key_id.into(),
            secret_access_key: secret_access_key.into(),
            session_token: None,
        }
    }

    /// The token that keys for a time go with, as in `AWS_SESSION_TOKEN`.
    pub fn session_token(mut self, token: impl Into<SecretString>) -> Self {
        self.session_token = Some(token.into());
        self
    }

    fn credentials(&self) -> Credentials {
        let token = self.session_token.as_ref().map(|token| token.expose_secret().to_owned());
        Credentials::new(&*self.access_key_id, self.secret_access_key.expose_secret(), token, None, "geode")
    }
}

/// Shows none of them.
impl std::fmt::Debug for AwsKeys {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("AwsKeys").field("session_token", &self.session_token.is_some()).finish_non_exhaustive()
    }
}

/// Signs for one service in one region.
pub(super) struct Signer {
    region: String,
    service: &'static str,
    keys: Box<dyn Fn() -> AwsKeys + Send + Sync>,
}

impl Signer {
    pub(super) fn new(region: &str, service: &'static str, keys: impl Fn() -> AwsKeys + Send + Sync + 'static) -> Self {
        Signer { region: region.to_owned(), service, keys: Box::new(keys) }
    }
}

impl RequestSigner for Signer {
    fn sign(
        &self,
        request: &HttpRequest,
        now: SystemTime,
    ) -> Result<Vec<(Cow<'static, str>, SecretString)>, TransportError> {
        let keys = (self.keys)();
        if keys.access_key_id.trim().is_empty() || keys.secret_access_key.expose_secret().trim().is_empty() {
            return Err(unsigned("an AWS access key is empty"));
        }
        let identity = keys.credentials().into();
        let parameters = v4::SigningParams::builder()
            .identity(&identity)
            .region(&self.region)
            .name(self.service)
            .time(now)
            .settings(SigningSettings::default())
            .build()
            .map_err(|error| unsigned("a setting is missing").with_source(error))?
            .into();
        let method = match request.method {
            HttpMethod::Post => "POST",
            HttpMethod::Get => "GET",
        };
        let headers = request.headers.iter().map(|(name, value)| (&**name, &**value));
        let signed = SignableRequest::new(method, &*request.url, headers, SignableBody::Bytes(&request.body))
            .and_then(|request| sign(request, &parameters))
            .map_err(|error| unsigned("the URL or a header is not usable").with_source(error))?;
        let (instructions, _) = signed.into_parts();
        let (headers, _) = instructions.into_parts();
        Ok(headers.iter().map(|header| (Cow::Borrowed(header.name()), header.value().into())).collect())
    }
}

fn unsigned(why: &str) -> TransportError {
    TransportError::new(TransportErrorKind::Unsupported, format!("the request can't be signed: {why}"))
}
