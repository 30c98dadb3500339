//! What the adapters over command-line programs share: how a program is set up, and what such a program can't carry.

mod members;
mod prompt;

#[cfg(test)]
pub(super) mod tests;

use std::ffi::OsString;
use std::fmt;

use bytes::Bytes;
use secrecy::SecretString;

pub(super) use members::Members;

use super::error_body::{MAX_MESSAGE, bounded};
use super::{Adapter, AdapterFault, Capabilities, Decoder};
use crate::reply::Reply;
use crate::request::{Mode, OutputRequest, Request};
use crate::transport::{Argument, ProcessRequest, WireReply, WireRequest};

/// Most characters of a program's words that a note holds.
const MAX_NOTE: usize = 500;

/// An adapter that runs a program of the provider for each call.
///
/// Such a program is text-only: no tools, no images. The prompt goes in by standard input, long texts in private files,
/// nothing through a shell. Each call starts a process (0.2 s to 1 s before the model is asked), in an empty directory.
///
/// One user turn is handed on as it is. A longer conversation, or a turn that starts with `/` (which the programs could
/// take for a command of their own), is handed on as JSON lines: one turn a line, oldest first, behind one sentence that
/// says so. JSON keeps a turn's text from passing for another turn.
///
/// ```
/// use geode_core::adapter::CliAdapter;
///
/// let adapter = CliAdapter::claude().model("sonnet").environment("ANTHROPIC_BASE_URL", "http://127.0.0.1:8080");
/// ```
#[must_use]
#[derive(Clone)]
pub struct CliAdapter {
    wire: &'static dyn CliWire,
    program: OsString,
    model: Option<String>,
    inherit_environment: bool,
    environment: Vec<(OsString, SecretString)>,
    arguments: Vec<OsString>,
}

/// One program's arguments and output.
pub(super) trait CliWire: Send + Sync {
    fn name(&self) -> &'static str;
    fn program(&self) -> &'static str;
    fn install_hint(&self) -> &'static str;
    fn capabilities(&self) -> &'static Capabilities;
    /// Environment of each run; the caller's own goes on top.
    fn environment(&self) -> &'static [(&'static str, &'static str)];
    /// Adds arguments, files and environment for a request.
    fn encode(&self, request: &Request, model: Option<&str>, into: &mut ProcessRequest);
    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault>;
    fn decoder(&self, request: &Request) -> Box<dyn Decoder>;
}

impl CliAdapter {
    pub(super) fn new(wire: &'static dyn CliWire) -> Self {
        CliAdapter {
            wire,
            program: wire.program().into(),
            model: None,
            inherit_environment: true,
            environment: Vec::new(),
            arguments: Vec::new(),
        }
    }

    /// Another path or name of the program.
    pub fn program(mut self, program: impl Into<OsString>) -> Self {
        self.program = program.into();
        self
    }

    /// The model to ask where a request names none; else the program's own default.
    pub fn model(mut self, model: impl Into<String>) -> Self {
        self.model = Some(model.into());
        self
    }

    /// A variable of the program's environment: a key, a base URL. Values count as secrets.
    pub fn environment(mut self, name: impl Into<OsString>, value: impl Into<SecretString>) -> Self {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Whether the program sees this process's environment; it does by default. Without it, name `PATH` and `HOME` where
    /// the program needs them.
    pub fn inherit_environment(mut self, inherit: bool) -> Self {
        self.inherit_environment = inherit;
        self
    }

    /// A further argument, behind the adapter's own. What needs a value takes two calls, or one with `--name=value`.
    pub fn argument(mut self, argument: impl Into<OsString>) -> Self {
        self.arguments.push(argument.into());
        self
    }
}

impl Adapter for CliAdapter {
    fn name(&self) -> &'static str {
        self.wire.name()
    }

    fn capabilities(&self) -> &Capabilities {
        self.wire.capabilities()
    }

    fn default_model(&self) -> Option<&str> {
        self.model.as_deref()
    }

    fn encode(&self, request: &Request) -> Result<WireRequest, AdapterFault> {
        self.check(request)?;
        let own =
            self.wire.environment().iter().map(|(name, value)| (OsString::from(name), SecretString::from(*value)));
        let mut process = ProcessRequest {
            program: self.program.clone(),
            arguments: Vec::new(),
            inherit_environment: self.inherit_environment,
            environment: own.collect(),
            stdin: prompt::render(request)?,
            files: Vec::new(),
            install_hint: self.wire.install_hint(),
        };
        self.wire.encode(request, request.model.as_deref().or(self.model.as_deref()), &mut process);
        process.arguments.extend(self.arguments.iter().map(Argument::from));
        process.environment.extend(self.environment.iter().cloned());
        Ok(WireRequest::Process(process))
    }

    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        self.wire.decode(request, reply)
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        self.wire.decoder(request)
    }
}

impl CliAdapter {
    /// Refuses what a program can't carry, before anything starts.
    fn check(&self, request: &Request) -> Result<(), AdapterFault> {
        let name = self.name();
        let tool_mode = request.output.as_ref().is_some_and(|output| output.mode == Mode::Tool);
        let reason = if !request.tools.is_empty() || tool_mode {
            format!("`{name}` is text-only and takes no tools: leave them out, or ask an adapter that speaks HTTP")
        } else if request.tool_choice.is_forced() {
            format!("`{name}` is text-only: no tool call can be required of it")
        } else if !request.extra.is_empty() {
            let members: Vec<_> = request.extra.keys().map(String::as_str).collect();
            format!("`{name}` sends no body of its own, so it can't carry {}", members.join(", "))
        } else {
            return Ok(());
        };
        Err(AdapterFault::Unsupported { reason })
    }
}

impl fmt::Debug for CliAdapter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CliAdapter")
            .field("name", &self.wire.name())
            .field("program", &self.program)
            .field("model", &self.model)
            .field("inherit_environment", &self.inherit_environment)
            .field("environment", &self.environment.iter().map(|(name, _)| name).collect::<Vec<_>>())
            .field("arguments", &self.arguments.len())
            .finish()
    }
}

/// The schema that the program's own flag carries.
pub(super) fn native(request: &Request) -> Option<&OutputRequest> {
    request.output.as_ref().filter(|output| output.mode == Mode::Native)
}

/// Adds a private file and gives the argument that names it.
pub(super) fn file(process: &mut ProcessRequest, prefix: &'static str, content: &str) -> Argument {
    process.files.push(Bytes::copy_from_slice(content.as_bytes()));
    Argument::File { prefix, index: process.files.len() - 1 }
}

/// Notes a setting that the program has no flag for.
pub(super) fn left_out(reply: &mut Reply, setting: &str, is_set: bool) {
    if is_set {
        reply.notes.push(format!("`{setting}` was left out: the program has no setting for it"));
    }
}

/// A fault for a run that ended without the output its program promises.
pub(super) fn no_output(program: &str, reply: &WireReply) -> AdapterFault {
    let complaint = complaint(reply);
    let said = if complaint.is_empty() { "without a word".to_owned() } else { format!("and said: {complaint}") };
    AdapterFault::Malformed {
        reason: format!("`{program}` ended with {} {said}", reply.status),
        status: Some(reply.status),
        request_id: None,
    }
}

/// What a failed program said. Standard output counts only for a failure: after a success it could be an answer.
pub(super) fn complaint(reply: &WireReply) -> String {
    let stdout = if reply.status == 0 { "".into() } else { String::from_utf8_lossy(&reply.body) };
    let stderr = String::from_utf8_lossy(&reply.stderr);
    bounded([stdout.trim(), stderr.trim()].join("\n").trim(), MAX_MESSAGE)
}

/// A note of what the program said.
pub(super) fn said(program: &str, what: &str) -> String {
    bounded(&format!("{program}: {what}"), MAX_NOTE)
}
