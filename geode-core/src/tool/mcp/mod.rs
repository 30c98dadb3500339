//! Tools of an MCP server, through the official Rust SDK.
//!
//! Connect by [`rmcp`], of which this takes version 3 and no transport, then import what the server offers. Its feature
//! `transport-async-rw` is enough for a server that is a program: `().serve((its_output, its_input))`.
//!
//! ```no_run
//! # async fn example(peer: &rmcp::Peer<rmcp::RoleClient>) -> Result<(), Box<dyn std::error::Error>> {
//! use geode_core::tool::Tier;
//! use geode_core::tool::mcp::Import;
//!
//! // Nobody has classified these tools: they wait for approval, unless the server is trusted.
//! let files = Import::new().prefix("files_").tier(Tier::PreApproved).tier_of("delete", Tier::Dangerous).from(peer).await?;
//! for refused in &files.refused {
//!     eprintln!("{refused}");
//! }
//! let tools = files.tools;
//! # Ok(()) }
//! ```
//!
//! What a server says of its own tools (that one only reads, say) decides nothing here: it is a hint of a stranger.

mod call;
mod name;

use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use rmcp::model::{PaginatedRequestParams, Tool};
use rmcp::service::ServiceError;
use rmcp::{Peer, RoleClient};
use serde_json::Value;
use tokio::time::timeout;

use super::{DefinitionError, RawTool, Tier, ToolSet, UnknownTool};

/// Most tools that a server may list.
const MOST_TOOLS: usize = 1_000;

/// Time for each page of the list, where none is set.
const LIST_TIMEOUT: Duration = Duration::from_secs(60);

/// How the tools of a server are imported.
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct Import {
    prefix: String,
    tier: Option<Tier>,
    tiers: BTreeMap<String, Tier>,
    only: Option<Vec<String>>,
    timeout: Option<Duration>,
}

/// The tools of a server.
#[derive(Debug)]
pub struct Imported {
    /// Those that can be offered to a model.
    pub tools: ToolSet,
    /// Those that can't, each with the reason: a schema that is none of an object, or refers to something outside itself.
    pub refused: Vec<DefinitionError>,
}

impl Import {
    /// An import of everything, each tool of the tier [`Tier::Write`].
    pub fn new() -> Self {
        Import::default()
    }

    /// Puts these characters before each name, so that tools of several servers don't replace each other.
    pub fn prefix(mut self, prefix: impl Into<String>) -> Self {
        self.prefix = prefix.into();
        self
    }

    /// Sets how much care a call needs; [`Tier::PreApproved`] for a server that is trusted.
    pub fn tier(mut self, tier: Tier) -> Self {
        self.tier = Some(tier);
        self
    }

    /// Sets how much care a call of one tool needs. `name` is the server's own.
    pub fn tier_of(mut self, name: impl Into<String>, tier: Tier) -> Self {
        self.tiers.insert(name.into(), tier);
        self
    }

    /// Imports these tools alone. The names are the server's own.
    pub fn only<N: Into<String>>(mut self, names: impl IntoIterator<Item = N>) -> Self {
        self.only = Some(names.into_iter().map(Into::into).collect());
        self
    }

    /// Sets how long a call may take, and each page of the server's list. The server is told when the time is up.
    pub fn timeout(mut self, timeout: Duration) -> Self {
        self.timeout = Some(timeout);
        self
    }

    /// Asks the server for its tools and imports them, in its order. Names become legal for every provider, and unique: a
    /// model calls `files.read` as `files_read`.
    ///
    /// # Errors
    ///
    /// Where the server does not list its tools in time, lists over 1,000, or lacks one that [`only`](Self::only) or
    /// [`tier_of`](Self::tier_of) names.
    pub async fn from(self, peer: &Peer<RoleClient>) -> Result<Imported, ImportError> {
        let listed = self.list(peer).await?;
        for name in self.only.iter().flatten().chain(self.tiers.keys()) {
            if !listed.iter().any(|tool| tool.name == *name) {
                let near = crate::nearest::nearest(name, listed.iter().map(|tool| &*tool.name)).map(str::to_owned);
                return Err(ImportError::Unknown(UnknownTool { name: name.clone(), near }));
            }
        }
        let mut imported = Imported { tools: ToolSet::new(), refused: Vec::new() };
        let wanted = |tool: &Tool| self.only.as_ref().is_none_or(|only| only.iter().any(|name| *name == tool.name));
        for tool in listed.into_iter().filter(wanted) {
            let name = name::free(&self.prefix, &tool.name, |name| imported.tools.tier(name).is_some());
            match self.import(peer.clone(), name, tool) {
                Ok(tool) => imported.tools = imported.tools.with_raw(tool),
                Err(error) => imported.refused.push(error),
            }
        }
        Ok(imported)
    }

    async fn list(&self, peer: &Peer<RoleClient>) -> Result<Vec<Tool>, ImportError> {
        let limit = self.timeout.unwrap_or(LIST_TIMEOUT);
        let (mut tools, mut cursor) = (Vec::new(), None);
        // A page may be empty, and a server may lead in a circle.
        for _ in 0..MOST_TOOLS {
            let params = PaginatedRequestParams::default().with_cursor(cursor);
            let page = timeout(limit, peer.list_tools(Some(params))).await.map_err(|_| ImportError::TimedOut(limit))?;
            let page = page.map_err(|error| ImportError::Server(Box::new(error)))?;
            tools.extend(page.tools);
            if tools.len() > MOST_TOOLS {
                break;
            }
            match page.next_cursor {
                Some(next) => cursor = Some(next),
                None => return Ok(tools),
            }
        }
        Err(ImportError::TooMany)
    }

    fn import(&self, peer: Peer<RoleClient>, name: String, tool: Tool) -> Result<RawTool, DefinitionError> {
        let tier = self.tiers.get(&*tool.name).copied().or(self.tier).unwrap_or(Tier::Write);
        let description = tool.description.as_deref().or(tool.title.as_deref()).unwrap_or_default().to_owned();
        let schema = Value::Object((*tool.input_schema).clone());
        let raw = RawTool::new(name, description, schema, move |arguments, _| {
            call::call(peer.clone(), tool.name.clone(), arguments)
        })?;
        let raw = raw.tier(tier);
        Ok(match self.timeout {
            Some(timeout) => raw.timeout(timeout),
            None => raw,
        })
    }
}

/// Why the tools of a server can't be imported.
#[derive(Debug)]
#[non_exhaustive]
pub enum ImportError {
    /// The exchange with the server failed.
    Server(Box<ServiceError>),
    /// The server took longer than this for a page of its list.
    TimedOut(Duration),
    /// The server lists more tools than any model could choose from.
    TooMany,
    /// The server has no such tool.
    Unknown(UnknownTool),
}

impl fmt::Display for ImportError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ImportError::Server(_) => f.write_str("the server did not list its tools"),
            ImportError::TimedOut(limit) => write!(f, "the server took longer than {limit:?} to list its tools"),
            ImportError::TooMany => write!(f, "the server lists over {MOST_TOOLS} tools, or its list has no end"),
            ImportError::Unknown(unknown) => write!(f, "the server does not offer it: {unknown}"),
        }
    }
}

impl std::error::Error for ImportError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            ImportError::Server(error) => Some(error),
            ImportError::Unknown(unknown) => Some(unknown),
            _ => None,
        }
    }
}
