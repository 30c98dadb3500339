//! The tools of an MCP server that is a program of its own, over its standard input and output.

use std::path::PathBuf;
use std::process::Stdio;

use geode::tool::mcp::Import;
use rmcp::ServiceExt as _;
use rmcp::service::{RoleClient, RunningService};
use tokio::process::{Child, Command};

use super::*;

/// The example's program, where it has been built: `cargo test` builds it, `cargo test --test tool` does not.
fn program() -> Option<PathBuf> {
    let folder = std::env::current_exe().ok()?.parent()?.parent()?.join("examples");
    let program = folder.join(format!("mcp{}", std::env::consts::EXE_SUFFIX));
    program.exists().then_some(program)
}

/// The server, and the connection to it.
async fn start() -> Option<(Child, RunningService<RoleClient, ()>)> {
    let mut command = Command::new(program()?);
    command.arg("--serve").stdin(Stdio::piped()).stdout(Stdio::piped()).kill_on_drop(true);
    let mut server = command.spawn().unwrap();
    let (output, input) = (server.stdout.take().unwrap(), server.stdin.take().unwrap());
    Some((server, ().serve((output, input)).await.unwrap()))
}

#[tokio::test]
async fn a_programs_tools_are_imported_and_called() {
    let Some((mut server, connection)) = start().await else { return };
    let tools = Import::new().prefix("shelf_").from(&connection).await.unwrap().tools;
    assert_eq!(tools.names().collect::<Vec<_>>(), ["shelf_stock_count", "shelf_stock_take"]);

    let calls = [
        ("shelf_stock_count", "", "12 are left.", None),
        ("shelf_stock_take", r#"{"count":5}"#, "7 are left.", None),
        ("shelf_stock_take", r#"{"count":0}"#, "/count", Some("validation")),
        ("shelf_stock_take", r#"{"count":50}"#, "as many are not there", Some("validation")),
        ("shelf_stock_count", "{}", "7 are left.", None),
    ];
    for (name, input, expected, failure) in calls {
        let done = run(tools.clone(), Caller::default(), name, input).await;
        assert!(text(&done).contains(expected), "{name} {input}: {}", text(&done));
        assert_eq!(done.result.is_error, failure.is_some());
        assert!(failure.is_none_or(|kind| text(&done).contains(kind)), "{name} {input}: {}", text(&done));
    }
    // The program ends with the connection.
    connection.cancel().await.unwrap();
    let ended = tokio::time::timeout(Duration::from_secs(20), server.wait()).await.expect("the program ends");
    assert!(ended.unwrap().success());
}

#[tokio::test]
async fn a_program_that_dies_is_a_result_that_the_model_can_act_on() {
    let Some((mut server, connection)) = start().await else { return };
    let tools = Import::new().from(&connection).await.unwrap().tools;
    server.kill().await.unwrap();
    let done = run(tools, Caller::default(), "stock_count", "{}").await;
    let error: Value = serde_json::from_str(text(&done)).unwrap();
    assert_eq!(error["error_type"], "connection", "{error}");
}

#[tokio::test]
async fn the_example_runs_its_own_server() {
    let Some(program) = program() else { return };
    let output = Command::new(program).output().await.unwrap();
    let shown = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success(), "{shown}");
    for line in
        ["tool: shelf_stock_count (Some(PreApproved))", "approval of shelf_stock_take {\"count\":5}: given", "= 7 left"]
    {
        assert!(shown.contains(line), "{line:?} is not in {shown}");
    }
}
