//! HTTP by reqwest: the only module that names it.

mod last_url;

use std::borrow::Cow;
use std::pin::Pin;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use bytes::Bytes;
use futures_core::Stream;
use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue};
use secrecy::{ExposeSecret, SecretString};

use last_url::LastUrl;

use super::{
    Collected, ExchangeLimits, HttpMethod, HttpRequest, Transport, TransportError, TransportErrorKind, WireReply,
    WireRequest, WireStream,
};

/// Time to establish a connection, TLS included.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(10);

/// Carries HTTP requests; other kinds it refuses. Clones share one pool of connections.
///
/// It follows no redirect, since one could carry a key to another host, and never retries: that is the engine's part.
/// Proxy settings of the environment are respected.
#[derive(Debug, Clone)]
pub struct HttpTransport {
    client: reqwest::Client,
    last_url: Arc<LastUrl>,
}

impl HttpTransport {
    /// A transport with its own pool of connections.
    ///
    /// # Errors
    ///
    /// Where TLS or the proxy settings can't be set up.
    pub fn new() -> Result<Self, TransportError> {
        HttpTransport::build(HttpTransport::builder())
    }

    /// A transport that trusts further certificate authorities beside the system's: a company's own, say, whose proxy
    /// opens all that goes through it. They come in PEM, one or several.
    ///
    /// The same without code: on Unix the variable `SSL_CERT_FILE` names a file that takes the place of the system's.
    ///
    /// ```no_run
    /// # use geode_core::{adapter::openai_responses, client::Client, transport::HttpTransport};
    /// # fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// let authority = std::fs::read("/etc/ssl/example-corp.pem")?;
    /// let client = Client::builder(openai_responses::payg("sk-example"))
    ///     .transport(HttpTransport::with_root_certificates(&authority)?)
    ///     .build();
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    ///
    /// Where there is no certificate in the text, or TLS or the proxy settings can't be set up.
    #[cfg(feature = "rustls")]
    pub fn with_root_certificates(pem: &[u8]) -> Result<Self, TransportError> {
        let unusable = "the root certificates can't be used";
        let certificates = reqwest::Certificate::from_pem_bundle(pem)
            .map_err(|error| TransportError::from_reqwest(error, unusable))?;
        if certificates.is_empty() {
            return Err(TransportError::new(
                TransportErrorKind::Unsupported,
                format!("{unusable}: the text holds none in PEM, which begins with `-----BEGIN CERTIFICATE-----`"),
            ));
        }
        HttpTransport::build(HttpTransport::builder().tls_certs_merge(certificates))
    }

    fn builder() -> reqwest::ClientBuilder {
        reqwest::Client::builder()
            .user_agent(concat!("geode/", env!("CARGO_PKG_VERSION")))
            .connect_timeout(CONNECT_TIMEOUT)
            .redirect(reqwest::redirect::Policy::none())
            .referer(false)
            .retry(reqwest::retry::never())
    }

    fn build(builder: reqwest::ClientBuilder) -> Result<Self, TransportError> {
        let client =
            builder.build().map_err(|error| TransportError::from_reqwest(error, "the HTTP client can't be set up"))?;
        Ok(HttpTransport::with_client(client))
    }

    /// A transport over a client of the caller's, for settings that the others don't make: a proxy in code, a certificate
    /// of one's own. Its redirect and retry policies are the caller's too: turn both off.
    pub fn with_client(client: reqwest::Client) -> Self {
        HttpTransport { client, last_url: Arc::default() }
    }

    /// The request as reqwest carries it. It is signed here: send it at once.
    fn request(&self, request: WireRequest) -> Result<reqwest::Request, TransportError> {
        let WireRequest::Http(request) = request else {
            return Err(TransportError::new(
                TransportErrorKind::Unsupported,
                "the HTTP transport carries HTTP requests only",
            ));
        };
        let signed = match &request.signer {
            Some(signer) => signer.sign(&request, SystemTime::now())?,
            None => Vec::new(),
        };
        let HttpRequest { method, url, headers, mut secret_headers, body, .. } = request;
        secret_headers.extend(signed);
        let headers = header_map(headers, &secret_headers)?;
        let method = match method {
            HttpMethod::Post => reqwest::Method::POST,
            HttpMethod::Get => reqwest::Method::GET,
        };
        let mut request = reqwest::Request::new(method, self.last_url.parse(url)?);
        *request.headers_mut() = headers;
        *request.body_mut() = Some(body.into());
        Ok(request)
    }
}

impl Transport for HttpTransport {
    fn keeps_timeout(&self) -> bool {
        true
    }

    fn send<'a>(
        &'a self,
        request: WireRequest,
        limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireReply, TransportError>> + Send + 'a>> {
        Box::pin(async move {
            let reply = whole(self.client.execute(self.request(request)?), limits.max_bytes);
            tokio::time::timeout(limits.timeout, reply).await.unwrap_or_else(|_| Err(TransportError::timeout()))
        })
    }

    fn stream<'a>(
        &'a self,
        request: WireRequest,
        limits: ExchangeLimits,
    ) -> Pin<Box<dyn Future<Output = Result<WireStream, TransportError>> + Send + 'a>> {
        Box::pin(async move {
            let mut request = self.request(request)?;
            // for the body, too, which is read when this has returned
            *request.timeout_mut() = Some(limits.timeout);
            let mut response = self.client.execute(request).await.map_err(TransportError::failed)?;
            Ok(WireStream {
                status: i32::from(response.status().as_u16()),
                headers: std::mem::take(response.headers_mut()),
                body: Box::pin(pieces(response, limits)),
            })
        })
    }
}

/// The whole answer to a request that is sent.
async fn whole(
    sent: impl Future<Output = reqwest::Result<reqwest::Response>>,
    max_bytes: usize,
) -> Result<WireReply, TransportError> {
    let mut response = sent.await.map_err(TransportError::failed)?;
    let status = i32::from(response.status().as_u16());
    let headers = std::mem::take(response.headers_mut());
    let mut body = Collected::default();
    while let Some(piece) = response.chunk().await.map_err(TransportError::interrupted)? {
        body.push(piece, max_bytes)?;
    }
    Ok(WireReply { status, headers, body: body.into_bytes(), stderr: Bytes::new() })
}

/// The body's pieces, under the limits on silence and on size. Ends after its first error.
fn pieces(
    response: reqwest::Response,
    limits: ExchangeLimits,
) -> impl Stream<Item = Result<Bytes, TransportError>> + Send {
    futures_util::stream::unfold(Some((response, 0usize)), move |state| async move {
        let (mut response, mut length) = state?;
        let piece = match tokio::time::timeout(limits.idle, response.chunk()).await {
            Ok(Ok(Some(piece))) => piece,
            Ok(Ok(None)) => return None,
            Ok(Err(error)) => return Some((Err(TransportError::interrupted(error)), None)),
            Err(_) => {
                let message = format!("the stream was silent for {:?} (`ExchangeLimits::idle`)", limits.idle);
                return Some((Err(TransportError::new(TransportErrorKind::Idle, message)), None));
            }
        };
        length = length.saturating_add(piece.len());
        if length > limits.max_bytes {
            return Some((Err(TransportError::too_large(limits.max_bytes)), None));
        }
        Some((Ok(piece), Some((response, length))))
    })
}

/// What the client adds: `accept`, `user-agent`, `host`, `content-length`. A map with room for many more is one that
/// reqwest takes longer to copy.
const ADDED_HEADERS: usize = 4;

fn header_map(
    headers: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    secret_headers: &[(Cow<'static, str>, SecretString)],
) -> Result<HeaderMap, TransportError> {
    let mut map = HeaderMap::with_capacity(headers.len() + secret_headers.len() + ADDED_HEADERS);
    for (name, value) in headers {
        let value = match value {
            Cow::Borrowed(value) => Bytes::from_static(value.as_bytes()),
            Cow::Owned(value) => value.into(),
        };
        let value = Some(value).filter(|value| value.is_ascii());
        let value =
            value.and_then(|value| HeaderValue::from_maybe_shared(value).ok()).ok_or_else(|| bad_header(&name))?;
        map.append(header_name(&name)?, value);
    }
    for (name, secret) in secret_headers {
        let mut value = HeaderValue::from_str(secret.expose_secret()).map_err(|_| bad_header(name))?;
        value.set_sensitive(true);
        map.append(header_name(name)?, value);
    }
    Ok(map)
}

fn header_name(name: &str) -> Result<HeaderName, TransportError> {
    match name {
        // most requests have these two alone, and comparing is cheaper than looking them up
        "content-type" => Ok(CONTENT_TYPE),
        "authorization" => Ok(AUTHORIZATION),
        _ => HeaderName::from_bytes(name.as_bytes()).map_err(|_| bad_header(name)),
    }
}

/// The value stays out of the message: it may be a key.
fn bad_header(name: &str) -> TransportError {
    TransportError::new(
        TransportErrorKind::Unsupported,
        format!("the header {name:?} can't be sent: name or value holds a character that HTTP forbids (a line break?)"),
    )
}

/// Whether it was the server's certificate that a connection failed by.
#[cfg(feature = "rustls")]
fn is_untrusted(error: &reqwest::Error) -> bool {
    let mut cause: Option<&(dyn std::error::Error + 'static)> = Some(error);
    while let Some(error) = cause {
        if let Some(rustls::Error::InvalidCertificate(_)) = error.downcast_ref() {
            return true;
        }
        // An IO error names as its cause not what it wraps, but the cause of that.
        let wrapped = error.downcast_ref::<std::io::Error>().and_then(std::io::Error::get_ref);
        cause = wrapped.map(|wrapped| wrapped as _).or_else(|| error.source());
    }
    false
}

#[cfg(not(feature = "rustls"))]
fn is_untrusted(_: &reqwest::Error) -> bool {
    false
}

impl TransportError {
    fn from_reqwest(error: reqwest::Error, what: &str) -> Self {
        let (kind, why) = if error.is_builder() {
            (TransportErrorKind::Unsupported, "the URL or a setting is not usable")
        } else if is_untrusted(&error) {
            (
                TransportErrorKind::Untrusted,
                "the server's certificate can't be trusted. Where a proxy shows one of its own, name its authority by \
                 SSL_CERT_FILE or `HttpTransport::with_root_certificates`",
            )
        } else if error.is_connect() {
            (TransportErrorKind::Connect, "no connection to the server")
        } else if error.is_timeout() {
            return TransportError::timeout().with_source(error.without_url());
        } else {
            (TransportErrorKind::Interrupted, "the connection broke")
        };
        TransportError::new(kind, format!("{what}: {why}")).with_source(error.without_url())
    }

    fn timeout() -> Self {
        TransportError::new(
            TransportErrorKind::Timeout,
            "the exchange took longer than its limit (`ExchangeLimits::timeout`)",
        )
    }

    fn failed(error: reqwest::Error) -> Self {
        TransportError::from_reqwest(error, "the request failed")
    }

    fn interrupted(error: reqwest::Error) -> Self {
        TransportError::from_reqwest(error, "the answer did not come through")
    }
}
