//! What the HTTP adapters share: where to, as whom, and what to make of an error.

use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use http::header::CONTENT_TYPE;

use super::settle::settle;
use super::{Adapter, AdapterFault, Capabilities, Credential, Decoder, StreamEvent, error_body, extra};
use crate::message::ToolChoice;
use crate::reply::Reply;
use crate::request::Request;
use crate::transport::{
    HttpMethod, HttpRequest, RequestSigner, WireReply, WireRequest, frames_of, header, is_event_stream,
};

/// One HTTP wire: how its bodies are written and read. Pure, as an [`Adapter`] is.
pub trait Codec: Send + Sync + std::fmt::Debug {
    /// Path and query behind the base URL.
    fn path(&self, model: &str, stream: bool) -> Cow<'static, str>;

    /// Writes the body, without [`Request::extra`].
    ///
    /// # Errors
    ///
    /// Where the wire can't carry the request.
    fn encode(&self, request: &Request, model: &str) -> Result<Vec<u8>, AdapterFault>;

    /// Reads the body of a success. What every reply has to be is seen to behind it: a refusal ends as one, and calls
    /// of an unfinished answer are dropped.
    ///
    /// # Errors
    ///
    /// Where it holds an error, or is not what the wire promises.
    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault>;

    /// Starts to read a streamed answer.
    fn decoder(&self, request: &Request) -> Box<dyn Decoder>;

    /// What a model can do; `None` where it is what the adapter can do.
    fn capabilities_for(&self, model: &str) -> Option<&'static Capabilities> {
        let _ = model;
        None
    }
}

/// An adapter over HTTP.
#[must_use]
#[derive(Clone)]
pub struct HttpAdapter<C> {
    name: &'static str,
    capabilities: Capabilities,
    /// Whether the caller named the capabilities: they then hold for every model.
    capabilities_fixed: bool,
    codec: C,
    base_url: String,
    model: Option<String>,
    headers: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    access: Access,
}

/// As whom the adapter asks.
#[derive(Clone)]
enum Access {
    Nobody,
    Key(Authorization, Credential),
    Signed(Arc<dyn RequestSigner>),
}

/// Shows neither header values nor what a URL can hide (a password, a query): keys end up there against all advice.
impl<C: std::fmt::Debug> std::fmt::Debug for HttpAdapter<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let url = self.base_url.split(['?', '#']).next().unwrap_or_default();
        let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
        let host = rest.rsplit_once('@').map_or(rest, |(_, host)| host);
        f.debug_struct("HttpAdapter")
            .field("name", &self.name)
            .field("base_url", &format_args!("{scheme}://{host}"))
            .field("model", &self.model)
            .field("headers", &self.headers.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .field("access", &self.access)
            .field("codec", &self.codec)
            .field("capabilities", &self.capabilities)
            .finish()
    }
}

impl std::fmt::Debug for Access {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Access::Nobody => f.write_str("Nobody"),
            Access::Key(authorization, credential) => {
                f.debug_tuple("Key").field(authorization).field(credential).finish()
            }
            Access::Signed(_) => f.write_str("Signed"),
        }
    }
}

/// The header that a key goes in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Authorization {
    /// `Authorization: Bearer …`.
    Bearer,
    /// The key alone, in a header of this name.
    Header(&'static str),
}

impl<C: Codec> HttpAdapter<C> {
    /// An adapter without key and model.
    pub fn new(name: &'static str, capabilities: Capabilities, base_url: impl Into<String>, codec: C) -> Self {
        let headers = vec![(Cow::Borrowed("content-type"), Cow::Borrowed("application/json"))];
        let base_url = base_url.into();
        HttpAdapter {
            name,
            capabilities,
            capabilities_fixed: false,
            codec,
            base_url,
            model: None,
            headers,
            access: Access::Nobody,
        }
    }

    /// Another server: a proxy, a gateway, a region. Ends before the wire's own path (`https://api.openai.com/v1`).
    pub fn base_url(mut self, url: impl Into<String>) -> Self {
        self.base_url = url.into();
        self.base_url.truncate(self.base_url.trim_end_matches('/').len());
        self
    }

    /// The model to ask where a request names none.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// A header for every request, in place of one of the same name. Not for secrets.
    pub fn header(mut self, name: impl Into<Cow<'static, str>>, value: impl Into<Cow<'static, str>>) -> Self {
        let name = match name.into() {
            Cow::Borrowed(name) if !name.bytes().any(|byte| byte.is_ascii_uppercase()) => Cow::Borrowed(name),
            name => Cow::Owned(name.to_ascii_lowercase()),
        };
        self.headers.retain(|(present, _)| *present != name);
        self.headers.push((name, value.into()));
        self
    }

    /// The key or token, and the header that it goes in.
    pub fn credential(mut self, authorization: Authorization, credential: impl Into<Credential>) -> Self {
        self.access = Access::Key(authorization, credential.into());
        self
    }

    /// Who signs the requests, in the place of a key that goes with each.
    pub fn signer(mut self, signer: impl RequestSigner + 'static) -> Self {
        self.access = Access::Signed(Arc::new(signer));
        self
    }

    /// Other facts than the adapter's own: a compatible server enforces less, or more.
    pub fn with_capabilities(mut self, capabilities: Capabilities) -> Self {
        self.capabilities = capabilities;
        self.capabilities_fixed = true;
        self
    }

    /// The same adapter with its wire's options changed.
    pub fn with_codec(mut self, change: impl FnOnce(C) -> C) -> Self {
        self.codec = change(self.codec);
        self
    }
}

impl<C> HttpAdapter<C> {
    /// A request to this provider, with the adapter's headers and key. `path` starts with a slash.
    pub(crate) fn http_request(
        &self,
        method: HttpMethod,
        path: &str,
        body: Bytes,
    ) -> Result<HttpRequest, AdapterFault> {
        let (mut secret_headers, mut signer) = (Vec::new(), None);
        match &self.access {
            Access::Nobody => {}
            Access::Key(Authorization::Bearer, credential) => {
                secret_headers.push((Cow::Borrowed("authorization"), credential.secret("Bearer ")?));
            }
            Access::Key(Authorization::Header(name), credential) => {
                secret_headers.push((Cow::Borrowed(*name), credential.secret("")?));
            }
            Access::Signed(by) => signer = Some(Arc::clone(by)),
        }
        let url = [&self.base_url, path].concat();
        Ok(HttpRequest { method, url, headers: self.headers.clone(), secret_headers, signer, body })
    }
}

impl<C: Codec> HttpAdapter<C> {
    /// Reads a stream that was collected as a whole.
    fn read_events(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        let frames = frames_of(reply).map_err(|error| AdapterFault::Malformed {
            reason: error.message,
            status: Some(reply.status),
            request_id: error_body::request_id(&reply.headers),
        })?;
        let mut decoder = self.codec.decoder(request);
        let mut events = Vec::new();
        for frame in &frames {
            decoder.event(&StreamEvent { name: frame.name.as_deref(), data: &frame.data }, &mut events)?;
        }
        Ok(decoder.finish())
    }
}

/// A choice that no model could follow is a mistake, whatever a provider makes of it.
fn check_choice(request: &Request) -> Result<(), AdapterFault> {
    let is_offered = |name: &String| request.tools.iter().any(|tool| tool.name == *name);
    let reason = match (&request.tool_choice, request.tool_choice.named().iter().find(|name| !is_offered(name))) {
        (_, Some(name)) => format!("the tool choice names `{name}`, which is not among the request's tools"),
        (ToolChoice::Among { tools, .. }, None) if tools.is_empty() => {
            "the tool choice is among no tools: use `ToolChoice::None`".to_owned()
        }
        _ => return Ok(()),
    };
    Err(AdapterFault::Configuration { reason })
}

impl<C: Codec> Adapter for HttpAdapter<C> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn capabilities(&self) -> &Capabilities {
        &self.capabilities
    }

    fn capabilities_for(&self, model: Option<&str>) -> &Capabilities {
        match model.or(self.model.as_deref()) {
            Some(model) if !self.capabilities_fixed => self.codec.capabilities_for(model).unwrap_or(&self.capabilities),
            _ => &self.capabilities,
        }
    }

    fn default_model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    fn encode(&self, request: &Request) -> Result<WireRequest, AdapterFault> {
        let Some(model) = request.model.as_deref().or(self.model.as_deref()) else {
            return Err(AdapterFault::Configuration {
                reason: format!(
                    "`{}` has no default model: name one by `model` of the request, the client or the adapter, or in \
                     GEODE_MODEL where the adapter comes from the environment",
                    self.name
                ),
            });
        };
        check_choice(request)?;
        let body = self.codec.encode(request, model)?;
        let body = extra::merge(body, &request.extra).map_err(|error| AdapterFault::Unsupported {
            reason: format!("`extra` can't be merged into the request body: {error}"),
        })?;
        let path = self.codec.path(model, request.stream);
        self.http_request(HttpMethod::Post, &path, body.into()).map(WireRequest::Http)
    }

    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        if !(200..=299).contains(&reply.status) {
            return Err(AdapterFault::Provider(Box::new(error_body::read(reply))));
        }
        // The ChatGPT backend streams always, some servers by mistake.
        let mut decoded = match header(&reply.headers, CONTENT_TYPE).is_some_and(is_event_stream) {
            true => self.read_events(request, reply)?,
            false => settle(self.codec.decode(request, reply)?),
        };
        if decoded.request_id.is_none() {
            decoded.request_id = error_body::request_id(&reply.headers);
        }
        Ok(decoded)
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        self.codec.decoder(request)
    }
}
