//! Pieces of a conversation that several wires write alike.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::AdapterFault;
use crate::message::{Message, Part, ToolChoice, ToolResult, ToolSpec, ToolUse};
use crate::request::Request;

/// Serialises a request body.
pub(crate) fn body<T: Serialize>(body: &T) -> Result<Vec<u8>, AdapterFault> {
    let mut text = Vec::with_capacity(2_048);
    match serde_json::to_writer(&mut text, body) {
        Ok(()) => Ok(text),
        Err(error) => {
            Err(AdapterFault::Unsupported { reason: format!("the request can't be written as JSON: {error}") })
        }
    }
}

/// The text of parts, images left out; borrowed where there is one.
pub(crate) fn text_of(parts: &[Part]) -> Cow<'_, str> {
    let mut texts = parts.iter().filter_map(|part| match part {
        Part::Text { text } => Some(text.as_str()),
        Part::Image { .. } => None,
    });
    match (texts.next(), texts.next()) {
        (None, _) => Cow::Borrowed(""),
        (Some(only), None) => Cow::Borrowed(only),
        (Some(first), Some(second)) => {
            Cow::Owned([first, second].into_iter().chain(texts).collect::<Vec<_>>().join("\n"))
        }
    }
}

/// Whether there is an image among the parts.
pub(crate) fn has_image(parts: &[Part]) -> bool {
    parts.iter().any(|part| matches!(part, Part::Image { .. }))
}

/// The tools that the choice leaves, for a wire that has no form for a choice among them.
pub(crate) fn left_tools(request: &Request) -> impl Iterator<Item = &ToolSpec> {
    let among = match &request.tool_choice {
        ToolChoice::Among { tools, .. } => Some(tools),
        _ => None,
    };
    request.tools.iter().filter(move |tool| among.is_none_or(|names| names.contains(&tool.name)))
}

/// Refuses a request for one call at most, on a wire that has no word for it.
pub(crate) fn allow_several_calls(request: &Request) -> Result<(), AdapterFault> {
    if request.single_call && !request.tools.is_empty() {
        return Err(AdapterFault::Unsupported {
            reason: "this provider can't be held to one call a turn: leave `single_call` off, and run what it calls"
                .to_owned(),
        });
    }
    Ok(())
}

/// An image as the URL that OpenAI's wires take.
pub(crate) fn data_url(media_type: &str, data: &str) -> String {
    ["data:", media_type, ";base64,", data].concat()
}

/// A reminder for a wire that has no role for it: marked, so that the model doesn't take it for the user's words.
pub(crate) fn reminder(text: &str) -> String {
    ["<system-reminder>\n", text, "\n</system-reminder>"].concat()
}

/// Whose turn a message belongs to, on wires that know only two sides.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    User,
    Model,
}

/// Turns of alternating sides: messages of one side that follow each other make one turn, of the blocks that `push` gives
/// for each. A turn without any block is refused by every provider, and so left out.
pub(crate) fn turns<'a, B, T>(
    messages: &'a [Message],
    push: impl Fn(&'a Message, &mut Vec<B>),
    turn: impl Fn(Side, Vec<B>) -> T,
) -> Vec<T> {
    let side = |message: &Message| match message {
        Message::Assistant { .. } => Side::Model,
        _ => Side::User,
    };
    let mut turns = Vec::new();
    for messages in messages.chunk_by(|one, next| side(one) == side(next)) {
        let mut blocks = Vec::new();
        for message in messages {
            push(message, &mut blocks);
        }
        if let Some(first) = messages.first().filter(|_| !blocks.is_empty()) {
            turns.push(turn(side(first), blocks));
        }
    }
    turns
}

/// A block of a turn, on wires whose turns are lists of blocks.
pub(crate) enum Block<'a> {
    Text(Cow<'a, str>),
    Image {
        media_type: &'a str,
        data: &'a str,
    },
    /// The wire's own, as it came.
    Opaque(&'a Value),
    Call(&'a ToolUse),
    Result(&'a ToolResult),
}

/// [`turns`] of blocks, on the wire of that tag.
pub(crate) fn block_turns<'a, B: From<Block<'a>>, T>(
    messages: &'a [Message],
    wire: &str,
    turn: impl Fn(Side, Vec<B>) -> T,
) -> Vec<T> {
    turns(messages, |message, own| own.extend(blocks(message, wire).into_iter().map(B::from)), turn)
}

/// The blocks of a message, on the wire of that tag. Empty texts are left out, since such wires refuse them.
fn blocks<'a>(message: &'a Message, wire: &str) -> Vec<Block<'a>> {
    match message {
        Message::User { content } => parts(content).collect(),
        Message::Assistant { text, tool_uses, opaque } => {
            // Reasoning stands before what it led to.
            let own = opaque.iter().filter(|opaque| opaque.adapter == wire);
            let said = Some(text).filter(|text| !text.is_empty());
            own.map(|opaque| Block::Opaque(&opaque.item))
                .chain(said.map(|text| Block::Text(Cow::Borrowed(text))))
                .chain(tool_uses.iter().map(Block::Call))
                .collect()
        }
        Message::ToolResults { results } => results.iter().map(Block::Result).collect(),
        Message::Reminder { text } => vec![Block::Text(Cow::Owned(reminder(text)))],
    }
}

/// The blocks of a user's turn, or of a tool's result.
pub(crate) fn parts(parts: &[Part]) -> impl Iterator<Item = Block<'_>> {
    parts.iter().filter_map(|part| match part {
        Part::Text { text } if text.is_empty() => None,
        Part::Text { text } => Some(Block::Text(Cow::Borrowed(text))),
        Part::Image { media_type, data } => Some(Block::Image { media_type, data }),
    })
}

/// JSON text for a place that takes an object only. Text that is none (arguments that the model got wrong) is wrapped,
/// so that the model sees what it wrote.
pub(crate) fn object<'a>(text: &'a str, member: &str) -> Cow<'a, RawValue> {
    match serde_json::from_str::<&RawValue>(text) {
        Ok(raw) if raw.get().starts_with('{') => Cow::Borrowed(raw),
        _ => Cow::Owned(wrapped(text, member)),
    }
}

/// `{member: text}`.
pub(crate) fn wrapped(text: &str, member: &str) -> Box<RawValue> {
    let object = serde_json::json!({ member: text }).to_string();
    RawValue::from_string(object).unwrap_or_else(|_| RawValue::NULL.to_owned())
}
