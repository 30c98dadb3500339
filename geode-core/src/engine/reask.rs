//! What goes into the next attempt: the original input and the same schema, and the violations as feedback.

use crate::check::Issue;
use crate::message::{Message, ToolResult, ToolUse};
use crate::outcome::Failure;
use crate::reply::Reply;
use crate::tool::ToolError;

use super::retry::Reduce;
use super::tool_mode;

/// The conversation of the next attempt: the original one, shortened by the caller's hook, with the feedback on the
/// failure behind it. `None`: the same again, since the fault was not the model's, or left nothing to speak of.
///
/// The feedback states what is wrong and asks for nothing else: a prompt that asks for more of something gets it made
/// up. In tool mode it is the result of the model's call, `handed_in` being the reply that holds it.
pub(crate) fn ask_again(
    original: &[Message],
    reduce: Option<&Reduce>,
    made: u32,
    failure: &Failure,
    handed_in: Option<&Reply>,
) -> Option<Vec<Message>> {
    let feedback = match (handed_in, failure) {
        (_, Failure::StructuredOutputFailed { .. }) => vec![Message::Reminder { text: tool_mode::reminder() }],
        (Some(reply), Failure::InvalidSchema(report)) => replayed(reply, |call| tool_mode::invalid(call, report)),
        (Some(reply), Failure::InvalidBusiness(issues)) => {
            let error = ToolError::validation(broken_rules(issues));
            replayed(reply, |call| tool_mode::rejected(call, &error))
        }
        (None, Failure::InvalidSchema(report)) => vec![correction(&report.for_model())],
        (None, Failure::InvalidBusiness(issues)) => vec![correction(&broken_rules(issues))],
        _ if reduce.is_none() => return None,
        _ => Vec::new(),
    };
    let mut messages = original.to_vec();
    if let Some(reduce) = reduce {
        reduce(&mut messages, made);
    }
    messages.extend(feedback);
    Some(messages)
}

fn correction(found: &str) -> Message {
    let text =
        format!("An earlier answer to this was refused by a validator. Answer the same input again, in full.\n{found}");
    Message::Reminder { text }
}

/// The model's turn and the result of each of its calls.
fn replayed(reply: &Reply, result: impl Fn(&ToolUse) -> ToolResult) -> Vec<Message> {
    let called = Message::Assistant {
        text: reply.text.clone(),
        tool_uses: reply.tool_uses.clone(),
        opaque: reply.opaque.clone(),
    };
    vec![called, Message::ToolResults { results: reply.tool_uses.iter().map(result).collect() }]
}

/// Business issues as feedback, a line each.
fn broken_rules(issues: &[Issue]) -> String {
    let mut text = String::from("It breaks these rules:");
    for Issue { pointer, code, message } in issues {
        text.push_str(&format!("\n- {pointer} [{code}]: {message}"));
    }
    text
}
