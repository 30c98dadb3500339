//! `claude -p`, the command line of Claude Code (facts: version 2.1.332, run on 2026-11-30).
//!
//! The program hands the schema to the model as a tool named `StructuredOutput`, checks the call with Ajv (draft-07,
//! strict; `format` is not checked), and asks again up to five times. So it is a hint by our measure: nothing forces the
//! model to call the tool, and the program then ends with success and plain text.

mod outcome;
mod stream;

#[cfg(test)]
mod tests;

use secrecy::SecretString;

use super::cli::{self, CliAdapter, CliWire};
use super::{AdapterFault, Capabilities, Decoder, Enforcement};
use crate::dialect::CLAUDE_CLI;
use crate::reply::Reply;
use crate::request::Request;
use crate::transport::{ProcessRequest, WireReply};

static CAPABILITIES: Capabilities = Capabilities {
    native: Enforcement::Hint,
    ..Capabilities::text_only(&CLAUDE_CLI, "claude 2.1.332, run against a loopback server, 2026-11-30")
};

struct Claude;

impl CliAdapter {
    /// `claude-cli`: the `claude` program. It uses the login or the `ANTHROPIC_API_KEY` that it finds by itself.
    ///
    /// The program's own retries are off: they would not count in ours. What a text could set off in it is off too: tools,
    /// MCP servers, and `@path` mentions, which would read local files into the prompt.
    pub fn claude() -> Self {
        CliAdapter::new(&Claude)
    }
}

impl CliWire for Claude {
    fn name(&self) -> &'static str {
        "claude-cli"
    }

    fn program(&self) -> &'static str {
        "claude"
    }

    fn install_hint(&self) -> &'static str {
        "Install it with `npm install -g @anthropic-ai/claude-code`, or name its path with `program`."
    }

    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    fn environment(&self) -> &'static [(&'static str, &'static str)] {
        &[
            ("CLAUDE_CODE_DISABLE_ATTACHMENTS", "1"),
            ("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1"),
            ("CLAUDE_CODE_MAX_RETRIES", "0"),
            ("DISABLE_AUTOUPDATER", "1"),
        ]
    }

    fn encode(&self, request: &Request, model: Option<&str>, into: &mut ProcessRequest) {
        let mut arguments = vec!["-p".into(), "--no-session-persistence".into(), "--strict-mcp-config".into()];
        arguments.extend(["--tools".into(), "".into()]);
        match request.stream {
            true => arguments.extend(["--output-format=stream-json".into(), "--verbose".into()]),
            false => arguments.push("--output-format=json".into()),
        }
        // One argument each, so that no value can pass for a flag.
        if let Some(model) = model {
            arguments.push(format!("--model={model}").into());
        }
        if let Some(output) = cli::native(request) {
            arguments.push(format!("--json-schema={}", output.plan.schema.get()).into());
        }
        // In a file: arguments are short, and any user of the machine can read them.
        if let Some(system) = &request.system {
            arguments.push(cli::file(into, "--system-prompt-file=", system));
        }
        if let Some(limit) = request.max_output_tokens {
            into.environment.push(("CLAUDE_CODE_MAX_OUTPUT_TOKENS".into(), SecretString::from(limit.to_string())));
        }
        into.arguments = arguments;
    }

    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        outcome::read(request, reply)
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(stream::Lines::new(request))
    }
}
