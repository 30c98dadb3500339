//! Tools from closures and schemas, run without a model.

mod approval;
mod calls;
mod definitions;
mod results;

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::{Value, json};

use super::*;
use crate::dialect::PLAIN;
use crate::message::{Part, ToolUse};

/// What the tools of a test did, in order.
#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<String>>>);

impl Log {
    fn add(&self, line: impl Into<String>) {
        self.0.lock().unwrap().push(line.into());
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap().clone()
    }
}

fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {"n": {"type": "integer", "minimum": 0}, "note": {"type": "string"}},
        "required": ["n"],
        "additionalProperties": false
    })
}

/// A tool that logs its begin and end, and takes a second.
fn slow(name: &'static str, tier: Tier, log: &Log) -> RawTool {
    let log = log.clone();
    RawTool::new(name, "Takes a second.", schema(), move |arguments, _| {
        let log = log.clone();
        async move {
            log.add(format!("{name} {} begins", arguments["n"]));
            tokio::time::sleep(Duration::from_secs(1)).await;
            log.add(format!("{name} {} ends", arguments["n"]));
            Ok(arguments["n"].clone())
        }
    })
    .unwrap()
    .tier(tier)
}

fn call(id: &str, name: &str, input: &str) -> ToolUse {
    ToolUse { id: id.into(), name: name.into(), input: input.into() }
}

fn text(executed: &Executed) -> &str {
    match &executed.result.content[..] {
        [Part::Text { text }] => text,
        other => panic!("not one text: {other:?}"),
    }
}

fn error(executed: &Executed) -> Value {
    assert!(executed.result.is_error);
    serde_json::from_str(text(executed)).unwrap()
}
