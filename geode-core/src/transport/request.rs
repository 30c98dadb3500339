//! What an adapter wants carried: an HTTP request, a subprocess, or nothing that leaves this one.

use std::borrow::Cow;
use std::ffi::OsString;
use std::sync::Arc;
use std::time::SystemTime;

use bytes::Bytes;
use secrecy::SecretString;

use super::TransportError;

/// What an adapter wants carried.
#[non_exhaustive]
pub enum WireRequest {
    /// An HTTP exchange.
    Http(HttpRequest),
    /// A subprocess.
    Process(ProcessRequest),
    /// Nothing leaves the process: the body comes back as it is (the embedded adapter).
    Loopback(Bytes),
}

/// An HTTP request.
pub struct HttpRequest {
    /// Method.
    pub method: HttpMethod,
    /// Full URL. Holds no secret.
    pub url: String,
    /// Headers without secrets; names in lower case.
    pub headers: Vec<(Cow<'static, str>, Cow<'static, str>)>,
    /// Headers that hold a secret; names in lower case.
    pub secret_headers: Vec<(Cow<'static, str>, SecretString)>,
    /// Adds the headers that hold the time, when the request is sent.
    pub signer: Option<Arc<dyn RequestSigner>>,
    /// Body: JSON, or what the `content-type` header says.
    pub body: Bytes,
}

/// Signs requests at the moment they are sent: a signature holds the time, and an adapter reads no clock.
pub trait RequestSigner: Send + Sync {
    /// The headers of the signature; names in lower case. It must not block.
    ///
    /// # Errors
    ///
    /// Where the request can't be signed: a key is empty, or the URL is none.
    fn sign(
        &self,
        request: &HttpRequest,
        now: SystemTime,
    ) -> Result<Vec<(Cow<'static, str>, SecretString)>, TransportError>;
}

/// Method of an [`HttpRequest`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HttpMethod {
    /// Sends a body.
    Post,
    /// Asks for a resource; the body is empty.
    Get,
}

/// A subprocess that reads a prompt and prints its answer. Never run through a shell; it starts in an empty directory
/// of its own, so that project files lying about don't reach the model.
pub struct ProcessRequest {
    /// Program, looked up on `PATH` where it has no slash.
    pub program: OsString,
    /// Arguments.
    pub arguments: Vec<Argument>,
    /// Whether the program sees this process's environment.
    pub inherit_environment: bool,
    /// Environment set on top.
    pub environment: Vec<(OsString, SecretString)>,
    /// Written to the program's standard input, which is then closed.
    pub stdin: Bytes,
    /// Files made before the start, readable by this user alone, and removed in every case. [`Argument::File`] names
    /// them by their position.
    pub files: Vec<Bytes>,
    /// How to install the program, for the error where it is missing.
    pub install_hint: &'static str,
}

/// One argument of a [`ProcessRequest`].
#[derive(Clone, PartialEq, Eq)]
pub enum Argument {
    /// Text, handed on as it is.
    Text(OsString),
    /// The path of the request's `index`th file, behind `prefix`.
    File {
        /// What stands before the path: `--schema=`, or nothing.
        prefix: &'static str,
        /// Position in [`ProcessRequest::files`].
        index: usize,
    },
}

impl<T: Into<OsString>> From<T> for Argument {
    fn from(text: T) -> Self {
        Argument::Text(text.into())
    }
}
