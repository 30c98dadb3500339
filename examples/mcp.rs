//! Tools of an MCP server: a program of its own, spoken to over its standard input and output.
//!
//!     cargo run --features rmcp --example mcp               # no key, no network
//!     cargo run --features rmcp --example mcp -- COMMAND …  # the tools of your own server
//!
//! The server here is this program itself, started with `--serve`: a shelf with two tools.

#![allow(clippy::print_stdout)]

use std::process::Stdio;
use std::sync::Mutex;

use geode::StructuredOutput;
use geode::adapter::embedded::Embedded;
use geode::agent::AgentEvent;
use geode::client::Client;
use geode::tool::mcp::Import;
use geode::tool::{Decision, Proposal, Tier};
use rmcp::model::{
    CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData, ListToolsResult,
    PaginatedRequestParams, ServerCapabilities, ServerConfig, Tool,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler, ServiceExt as _};
use serde_json::{Value, json};
use tokio::process::Command;

/// What the agent answers.
#[derive(Debug, StructuredOutput)]
struct Stock {
    /// How many are left.
    left: u32,
}

const MESSAGES: [&str; 2] = ["Count the stock.", "Please take 5 chairs."];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let mut command = match arguments.split_first() {
        Some((first, [])) if first == "--serve" => return serve().await,
        Some((program, arguments)) => {
            let mut command = Command::new(program);
            command.args(arguments);
            command
        }
        None => {
            let mut command = Command::new(std::env::current_exe()?);
            command.arg("--serve");
            command
        }
    };

    // The server ends with this program, whatever becomes of it.
    let mut server = command.stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true).spawn()?;
    let (Some(output), Some(input)) = (server.stdout.take(), server.stdin.take()) else {
        return Err("the server's standard input and output are taken".into());
    };
    let connection = ().serve((output, input)).await?;

    // Nobody has classified these tools: each waits for approval, unless it is named here as one that only reads. What
    // the server itself says of them decides nothing.
    let mut import = Import::new().prefix("shelf_");
    if arguments.is_empty() {
        import = import.tier_of("stock.count", Tier::PreApproved);
    }
    let imported = import.from(&connection).await?;
    for refused in &imported.refused {
        println!("left out: {refused}");
    }
    for name in imported.tools.names() {
        println!("tool: {name} ({:?})", imported.tools.tier(name));
    }

    let agent = Client::new(Embedded::new())
        .agent()
        .instruction("You keep the shelf.")
        .tools(imported.tools)
        .approver(|proposal: Proposal<'_>| {
            println!("  approval of {} {}: given", proposal.tool, proposal.input);
            async { Decision::Approve }
        })
        .observe(|event| {
            if let AgentEvent::ToolFinished { tool, failure, .. } = event {
                println!("  {tool}: {}", failure.map_or("a result", |kind| kind.name()));
            }
        });
    for message in MESSAGES {
        println!("> {message}");
        match agent.run::<Stock>(message).await {
            Ok(stock) => println!("  = {} left", stock.left),
            Err(error) => println!("  ! {error}"),
        }
    }
    connection.cancel().await?;
    Ok(())
}

/// The server's side: speaks MCP until its input ends.
async fn serve() -> Result<(), Box<dyn std::error::Error>> {
    let shelf = Shelf { chairs: Mutex::new(12) };
    shelf.serve((tokio::io::stdin(), tokio::io::stdout())).await?.waiting().await?;
    Ok(())
}

struct Shelf {
    chairs: Mutex<u64>,
}

impl ServerHandler for Shelf {
    fn get_info(&self) -> ServerConfig {
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tool = |name: &'static str, description: &'static str, properties: Value| {
            let required: Vec<&String> = properties.as_object().into_iter().flat_map(|all| all.keys()).collect();
            let schema = json!({"type": "object", "properties": properties, "required": required,
                                "additionalProperties": false});
            Tool::new(name, description, schema.as_object().cloned().unwrap_or_default())
        };
        let count = json!({"type": "integer", "minimum": 1, "description": "How many chairs to take."});
        Ok(ListToolsResult::with_all_items(vec![
            tool("stock.count", "Count what is left.", json!({})),
            tool("stock.take", "Take chairs away.", json!({ "count": count })),
        ]))
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        let mut chairs = self.chairs.lock().map_err(|_| ErrorData::internal_error("the shelf is broken", None))?;
        if request.name == "stock.take" {
            let wanted = request.arguments.as_ref().and_then(|all| all.get("count")).and_then(Value::as_u64);
            let left = wanted.and_then(|wanted| chairs.checked_sub(wanted));
            *chairs = left.ok_or_else(|| ErrorData::invalid_params("count: as many are not there", None))?;
        }
        let left = format!("{chairs} are left.");
        Ok(CallToolResult::success(vec![ContentBlock::text(left)]).into())
    }
}
