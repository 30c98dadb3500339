//! `Debug` of what is carried: sizes and names in the place of content, keys and addresses.

use std::fmt;

use super::{Argument, Frame, Frames, HttpRequest, ProcessRequest, WireReply, WireRequest, WireStream};

impl fmt::Debug for WireRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WireRequest::Http(request) => request.fmt(f),
            WireRequest::Process(request) => request.fmt(f),
            WireRequest::Loopback(body) => write!(f, "Loopback({} bytes)", body.len()),
        }
    }
}

/// Without the URL and the values of headers: a careless one holds a key.
impl fmt::Debug for HttpRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.headers.iter().map(|(name, _)| name).chain(self.secret_headers.iter().map(|(name, _)| name));
        f.debug_struct("HttpRequest")
            .field("method", &self.method)
            .field("headers", &names.collect::<Vec<_>>())
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for ProcessRequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ProcessRequest")
            .field("program", &self.program)
            .field("arguments", &self.arguments.len())
            .field("inherit_environment", &self.inherit_environment)
            .field("environment", &self.environment.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .field("stdin_bytes", &self.stdin.len())
            .field("files", &self.files.len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Argument {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Argument::Text(text) => write!(f, "Text({} bytes)", text.len()),
            Argument::File { prefix, index } => write!(f, "File({prefix}{index})"),
        }
    }
}

impl fmt::Debug for WireReply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireReply")
            .field("status", &self.status)
            .field("headers", &self.headers.len())
            .field("body_bytes", &self.body.len())
            .field("stderr_bytes", &self.stderr.len())
            .finish()
    }
}

impl fmt::Debug for WireStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("WireStream")
            .field("status", &self.status)
            .field("headers", &self.headers.len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frame").field("name", &self.name).field("data_bytes", &self.data.len()).finish()
    }
}

impl fmt::Debug for Frames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Frames").finish_non_exhaustive()
    }
}
