//! The file that exchanges are kept in.

use std::path::{Path, PathBuf};
use std::{fmt, fs, io};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::difference::differences;
use super::redaction::Redaction;
use crate::transport::{self, Argument, HeaderMap, WireReply, WireRequest};

/// Response headers that replaying needs. The rest may hold account data, so it is not kept.
const KEPT_HEADERS: &[&str] =
    &["content-type", "retry-after", "retry-after-ms", "x-should-retry", "x-request-id", "request-id", "date"];

/// Why a cassette could not be written or read.
#[derive(Debug)]
pub struct CassetteError {
    path: PathBuf,
    source: io::Error,
}

impl fmt::Display for CassetteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the cassette {} can't be used", self.path.display())
    }
}

impl std::error::Error for CassetteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.source)
    }
}

#[derive(Default, Serialize, Deserialize)]
pub(super) struct Cassette {
    pub(super) exchanges: Vec<Exchange>,
}

#[derive(Serialize, Deserialize)]
pub(super) struct Exchange {
    pub(super) request: RecordedRequest,
    pub(super) reply: RecordedReply,
}

#[derive(Serialize, Deserialize)]
pub(super) struct RecordedRequest {
    /// Method and path, or program and arguments.
    target: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    headers: Vec<(String, String)>,
    body: Body,
}

#[derive(Serialize, Deserialize)]
pub(super) struct RecordedReply {
    pub(super) status: i32,
    pub(super) headers: Vec<(String, String)>,
    body: Body,
    #[serde(default, skip_serializing_if = "Body::is_empty")]
    stderr: Body,
    /// Byte offsets at which a streamed body was cut.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    cuts: Vec<usize>,
}

#[derive(Serialize, Deserialize, PartialEq)]
#[serde(rename_all = "snake_case")]
pub(super) enum Body {
    Json(Value),
    Text(String),
    Hex(String),
}

impl Default for Body {
    fn default() -> Self {
        Body::Text(String::new())
    }
}

impl Body {
    pub(super) fn hex(bytes: &[u8]) -> Self {
        Body::Hex(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }

    fn is_empty(&self) -> bool {
        matches!(self, Body::Text(text) if text.is_empty())
    }

    fn bytes(&self) -> Bytes {
        match self {
            Body::Json(value) => Bytes::from(value.to_string()),
            Body::Text(text) => Bytes::copy_from_slice(text.as_bytes()),
            Body::Hex(hex) => {
                let digits: Vec<u8> = hex.chars().filter_map(|c| c.to_digit(16)).map(|digit| digit as u8).collect();
                digits.chunks_exact(2).filter_map(|pair| Some(pair.first()? << 4 | pair.last()?)).collect()
            }
        }
    }
}

impl RecordedRequest {
    pub(super) fn of(request: &WireRequest, redaction: &Redaction) -> Self {
        match request {
            WireRequest::Http(http) => RecordedRequest {
                target: vec![format!("{:?}", http.method).to_uppercase(), redaction.query(&path_of(&http.url))],
                headers: http.headers.iter().map(|(name, value)| redaction.header(name, value)).collect(),
                body: redaction.body(&http.body),
            },
            WireRequest::Process(process) => {
                let mut target = vec![process.program.to_string_lossy().into_owned()];
                target.extend(process.arguments.iter().map(|argument| match argument {
                    Argument::Text(text) => redaction.words(&text.to_string_lossy()),
                    Argument::File { prefix, index } => format!("{prefix}{{file:{index}}}"),
                }));
                RecordedRequest { target, headers: Vec::new(), body: redaction.body(&process.stdin) }
            }
            WireRequest::Loopback(body) => {
                RecordedRequest { target: Vec::new(), headers: Vec::new(), body: redaction.body(body) }
            }
        }
    }

    pub(super) fn differences(&self, now: &RecordedRequest) -> Vec<String> {
        let value = |request: &RecordedRequest| serde_json::to_value(request).unwrap_or_default();
        differences(&value(self), &value(now))
    }
}

/// The path and query of a URL: the host may differ between recording and replay.
fn path_of(url: &str) -> String {
    let behind_scheme = url.split_once("://").map_or(url, |(_, rest)| rest);
    behind_scheme.find('/').and_then(|at| behind_scheme.get(at..)).unwrap_or("/").to_owned()
}

impl RecordedReply {
    pub(super) fn of(reply: &WireReply, redaction: &Redaction) -> Self {
        let head = RecordedReply::head(reply.status, &reply.headers);
        RecordedReply { body: redaction.body(&reply.body), stderr: redaction.body(&reply.stderr), ..head }
    }

    fn content_type(&self) -> Option<&str> {
        self.headers.iter().find(|(name, _)| name == "content-type").map(|(_, value)| value.as_str())
    }

    pub(super) fn head(status: i32, headers: &HeaderMap) -> Self {
        let kept = headers.iter().filter(|(name, _)| KEPT_HEADERS.contains(&name.as_str()));
        let headers = kept
            .map(|(name, value)| (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned()));
        let headers = headers.collect();
        RecordedReply { status, headers, body: Body::default(), stderr: Body::default(), cuts: Vec::new() }
    }

    pub(super) fn with_chunks(mut self, chunks: &[Bytes], redaction: &Redaction) -> Self {
        let mut end = 0;
        for chunk in chunks {
            end += chunk.len();
            self.cuts.push(end);
        }
        let mut whole = redaction.masked(&chunks.concat());
        transport::reseal(self.content_type(), &mut whole);
        self.body = match String::from_utf8(whole) {
            Ok(text) => Body::Text(redaction.events(&text, &mut self.cuts)),
            Err(error) => Body::hex(error.as_bytes()),
        };
        self
    }

    /// The headers. One that no header can be is left out: only an edit by hand makes one.
    pub(super) fn headers(&self) -> HeaderMap {
        let headers = self.headers.iter();
        headers.filter_map(|(name, value)| Some((name.parse().ok()?, value.parse().ok()?))).collect::<HeaderMap>()
    }

    pub(super) fn whole(&self) -> WireReply {
        WireReply { status: self.status, headers: self.headers(), body: self.body.bytes(), stderr: self.stderr.bytes() }
    }

    pub(super) fn chunks(&self) -> Vec<Bytes> {
        let whole = self.body.bytes();
        if self.cuts.is_empty() {
            return vec![whole];
        }
        let mut start = 0;
        let mut chunks = Vec::with_capacity(self.cuts.len());
        for &cut in &self.cuts {
            let end = cut.clamp(start, whole.len());
            chunks.push(whole.slice(start..end));
            start = end;
        }
        chunks
    }
}

impl Cassette {
    pub(super) fn open(path: &Path) -> Result<Self, CassetteError> {
        let parse = |text: String| serde_json::from_str(&text).map_err(io::Error::from);
        fs::read_to_string(path).and_then(parse).map_err(|source| CassetteError { path: path.to_owned(), source })
    }

    pub(super) fn save(&self, path: &Path) -> Result<(), CassetteError> {
        serde_json::to_string_pretty(self)
            .map_err(io::Error::from)
            .and_then(|text| fs::write(path, text + "\n"))
            .map_err(|source| CassetteError { path: path.to_owned(), source })
    }
}
