//! What every adapter does to a reply once the provider's state is known.

use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

use super::envelope::envelope;
use crate::message::{ToolSpec, ToolUse};
use crate::reply::{FinishReason, Reply};
use crate::request::Request;

/// Makes a reply consistent: a refusal is a refusal whatever the wire's finish reason, and calls are handed on only
/// where the model finished them.
pub(crate) fn settle(mut reply: Reply) -> Reply {
    if reply.refusal.is_some() && reply.finish.is_some() {
        reply.finish = Some(FinishReason::Refusal);
    }
    match &reply.finish {
        Some(FinishReason::Stop) if !reply.tool_uses.is_empty() => reply.finish = Some(FinishReason::ToolUse),
        Some(FinishReason::ToolUse) if reply.tool_uses.is_empty() => {
            reply.notes.push("the provider announced a tool call and sent none".to_owned());
            reply.finish = Some(FinishReason::Stop);
        }
        Some(FinishReason::Stop | FinishReason::ToolUse) => {}
        _ if !reply.tool_uses.is_empty() => {
            reply.notes.push(format!("{} tool calls of an unfinished answer were dropped", reply.tool_uses.len()));
            reply.tool_uses.clear();
        }
        _ => {}
    }
    if reply.finish == Some(FinishReason::TokenLimit) && reply.text.trim().is_empty() {
        let tokens = reply.usage.reasoning_tokens;
        reply.notes.push(match tokens {
            0 => "the token limit was reached before any answer text".to_owned(),
            _ => format!("the token limit was reached before any answer text: {tokens} tokens went on reasoning"),
        });
    }
    reply
}

/// What a request says about the calls in its answer.
#[derive(Debug)]
pub(crate) struct Turn {
    /// Messages before the answer: keeps made-up ids apart within a conversation.
    messages: usize,
    /// Tools that take no arguments.
    argumentless: Vec<String>,
}

impl Turn {
    pub(crate) fn of(request: &Request) -> Self {
        let argumentless = request.tools.iter().filter(|tool| takes_nothing(tool)).map(|tool| tool.name.clone());
        Turn { messages: request.messages.len(), argumentless: argumentless.collect() }
    }

    /// Adds a call. A missing id is made up. Missing arguments mean `{}` for a tool that takes none; for others the
    /// parser reports what is missing.
    pub(crate) fn add_call(&self, calls: &mut Vec<ToolUse>, id: String, name: String, input: String) {
        let id = if id.is_empty() { format!("call_{}_{}", self.messages, calls.len()) } else { id };
        let empty = input.trim().is_empty() && self.argumentless.contains(&name);
        calls.push(ToolUse { id, name, input: if empty { "{}".to_owned() } else { input } });
    }
}

/// Whether an id is one that [`Turn::add_call`] made up.
pub(crate) fn is_made_up(id: &str) -> bool {
    id.strip_prefix("call_")
        .and_then(|rest| rest.split_once('_'))
        .is_some_and(|(turn, index)| [turn, index].iter().all(|number| number.parse::<usize>().is_ok()))
}

envelope! {
    struct Schema { properties: HasMembers = "properties" }
}

/// Whether an object has any members.
#[derive(Default)]
pub(crate) struct HasMembers(bool);

impl<'de> Deserialize<'de> for HasMembers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&RawValue>::deserialize(deserializer)?;
        let inside = raw.get().trim_matches(|c: char| c == '{' || c == '}' || c.is_whitespace());
        Ok(HasMembers(!inside.is_empty()))
    }
}

fn takes_nothing(tool: &ToolSpec) -> bool {
    serde_json::from_str::<Schema>(tool.input_schema.get()).is_ok_and(|schema| !schema.properties.0)
}
