//! `codex exec`, the command line of Codex (facts: version 0.171.0, run on 2026-11-30).
//!
//! The program sends the schema file as it is, as a strict `text.format`, and checks nothing: an invalid schema comes
//! back as the API's error, and an answer that is not JSON ends with success. It prints JSON lines with whole messages,
//! so there is nothing to stream. A refusal it swallows: the turn completes without a message.

mod failure;
mod thread;

#[cfg(test)]
mod tests;

use super::cli::{self, CliAdapter, CliWire};
use super::{AdapterFault, Capabilities, Decoder, Enforcement};
use crate::dialect::OPENAI_STRICT;
use crate::reply::Reply;
use crate::request::Request;
use crate::transport::{Argument, ProcessRequest, WireReply};

static CAPABILITIES: Capabilities = Capabilities {
    native: Enforcement::Enforced,
    ..Capabilities::text_only(&OPENAI_STRICT, "codex 0.171.0, run against a loopback server, 2026-11-30")
};

/// Settings that make an agent into a plain caller of its model: nothing that runs, looks around or adds to the prompt.
/// `$name` in a prompt would add the text of a bundled skill. A version that lacks one warns and goes on.
const SETTINGS: [&str; 17] = [
    "approval_policy=\"never\"",
    "web_search=\"disabled\"",
    "include_apps_instructions=false",
    "include_collaboration_mode_instructions=false",
    "include_environment_context=false",
    "include_permissions_instructions=false",
    "skills.bundled.enabled=false",
    "skills.include_instructions=false",
    "features.apps=false",
    "features.goals=false",
    "features.hooks=false",
    "features.image_generation=false",
    "features.multi_agent=false",
    "features.plugins=false",
    "features.shell_tool=false",
    "features.unified_exec=false",
    "features.view_image=false",
];

struct Codex;

impl CliAdapter {
    /// `codex-cli`: the `codex` program. It uses the login or the `CODEX_API_KEY` that it finds by itself.
    ///
    /// It leaves the user's `config.toml` aside, writes no session, and runs in a read-only sandbox with its shell, web
    /// search and other tools off. Another provider goes in by `argument("-c")` and `argument("model_provider=…")`.
    pub fn codex() -> Self {
        CliAdapter::new(&Codex)
    }
}

impl CliWire for Codex {
    fn name(&self) -> &'static str {
        "codex-cli"
    }

    fn program(&self) -> &'static str {
        "codex"
    }

    fn install_hint(&self) -> &'static str {
        "Install it with `npm install -g @openai/codex`, or name its path with `program`."
    }

    fn capabilities(&self) -> &'static Capabilities {
        &CAPABILITIES
    }

    fn environment(&self) -> &'static [(&'static str, &'static str)] {
        &[]
    }

    fn encode(&self, request: &Request, model: Option<&str>, into: &mut ProcessRequest) {
        let flags =
            ["exec", "--json", "--ephemeral", "--ignore-user-config", "--skip-git-repo-check", "--sandbox=read-only"];
        let mut arguments: Vec<Argument> = flags.map(Argument::from).into();
        arguments.extend(SETTINGS.map(|setting| Argument::from(format!("--config={setting}"))));
        if let Some(model) = model {
            arguments.push(format!("--model={model}").into());
        }
        if let Some(system) = &request.system {
            arguments.push(cli::file(into, "--config=model_instructions_file=", system));
        }
        if let Some(output) = cli::native(request) {
            arguments.push(cli::file(into, "--output-schema=", output.plan.schema.get()));
        }
        into.arguments = arguments;
    }

    fn decode(&self, request: &Request, reply: &WireReply) -> Result<Reply, AdapterFault> {
        thread::read(request, reply)
    }

    fn decoder(&self, request: &Request) -> Box<dyn Decoder> {
        Box::new(thread::Thread::new(request))
    }
}
