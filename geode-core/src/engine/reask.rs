//! What goes into the next attempt: the original input and the same schema, and the violations as feedback (R32).

use crate::check::Issue;
use crate::message::{Message, Part, ToolResult};
use crate::outcome::Failure;
use crate::reply::Reply;
use crate::request::{Mode, OUTPUT_TOOL};

use super::retry::Reduce;

/// What the model is told about its last answer.
pub(crate) enum Feedback {
    /// Nothing: the fault was not its own, or it left nothing to speak of.
    None,
    /// What was wrong with it.
    Correction(String),
    /// That it did not hand in its answer (R26).
    Reminder,
}

impl Feedback {
    /// The feedback on a failed attempt. It states what is wrong and asks for nothing else: a prompt that asks for
    /// more of something gets it made up.
    pub(crate) fn on(failure: &Failure) -> Self {
        match failure {
            Failure::InvalidSchema(report) => Feedback::Correction(report.for_model()),
            Failure::InvalidBusiness(issues) => Feedback::Correction(issues_for_model(issues)),
            Failure::StructuredOutputFailed { .. } => Feedback::Reminder,
            _ => Feedback::None,
        }
    }
}

/// The conversation of the next attempt: the original one, shortened by the caller's hook, with the feedback behind it.
/// `None`: the same again.
pub(crate) fn ask_again(
    original: &[Message],
    reduce: Option<&Reduce>,
    made: u32,
    feedback: Feedback,
    reply: Option<&Reply>,
    mode: Mode,
) -> Option<Vec<Message>> {
    if matches!(feedback, Feedback::None) && reduce.is_none() {
        return None;
    }
    let mut messages = original.to_vec();
    if let Some(reduce) = reduce {
        reduce(&mut messages, made);
    }
    match feedback {
        Feedback::None => {}
        Feedback::Reminder => messages.push(Message::Reminder {
            text: format!("Hand in your final answer by calling the tool `{OUTPUT_TOOL}`; text alone does not count."),
        }),
        Feedback::Correction(found) => match tool_error(reply, mode, &found) {
            Some(turns) => messages.extend(turns),
            None => messages.push(Message::Reminder {
                text: format!(
                    "An earlier answer to this was refused by a validator. Answer the same input again, in full.\n{found}"
                ),
            }),
        },
    }
    Some(messages)
}

/// In tool mode the feedback is the result of the model's call (R26).
fn tool_error(reply: Option<&Reply>, mode: Mode, found: &str) -> Option<[Message; 2]> {
    let reply = reply.filter(|_| mode == Mode::Tool)?;
    let results = reply
        .tool_uses
        .iter()
        .map(|call| ToolResult {
            tool_use_id: call.id.clone(),
            name: call.name.clone(),
            content: vec![Part::Text { text: found.to_owned() }],
            is_error: true,
        })
        .collect();
    let called = Message::Assistant {
        text: reply.text.clone(),
        tool_uses: reply.tool_uses.clone(),
        opaque: reply.opaque.clone(),
    };
    Some([called, Message::ToolResults { results }])
}

/// Business issues as feedback, a line each.
fn issues_for_model(issues: &[Issue]) -> String {
    let mut text = String::from("It breaks these rules:");
    for Issue { pointer, code, message } in issues {
        text.push_str(&format!("\n- {pointer} [{code}]: {message}"));
    }
    text
}
