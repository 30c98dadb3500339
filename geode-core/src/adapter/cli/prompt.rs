//! A conversation as one prompt.

use bytes::Bytes;

use super::super::AdapterFault;
use crate::message::{Message, Part};
use crate::request::Request;

const PREAMBLE: &str = "Each line below is one turn of a conversation, as JSON, oldest first. Give the next turn: your answer to the last.";

/// Renders the conversation.
pub(super) fn render(request: &Request) -> Result<Bytes, AdapterFault> {
    if let Some(text) = single_turn(&request.messages)?
        && !text.trim_start().starts_with('/')
    {
        return Ok(text.into());
    }
    let mut prompt = PREAMBLE.to_owned();
    for message in &request.messages {
        prompt.push('\n');
        prompt.push_str(&line(message)?);
    }
    Ok(prompt.into())
}

/// The text of a conversation that is one user turn.
fn single_turn(messages: &[Message]) -> Result<Option<String>, AdapterFault> {
    let text = match messages {
        [Message::User { content }] => Some(content.iter().map(text).collect::<Result<Vec<_>, _>>()?.join("\n\n"))
            .filter(|text| !text.trim().is_empty()),
        [] => None,
        _ => return Ok(None),
    };
    match text {
        Some(text) => Ok(Some(text)),
        None => Err(AdapterFault::Unsupported { reason: "the prompt is empty: the program would ask for one".into() }),
    }
}

fn line(message: &Message) -> Result<String, AdapterFault> {
    let parts = match message {
        Message::User { content } => content.iter().collect::<Vec<_>>(),
        Message::ToolResults { results } => results.iter().flat_map(|result| &result.content).collect(),
        _ => Vec::new(),
    };
    parts.into_iter().try_for_each(|part| text(part).map(drop))?;
    let line = match message {
        // Another adapter's own items mean nothing here.
        Message::Assistant { text, tool_uses, .. } => serde_json::to_string(&Message::Assistant {
            text: text.clone(),
            tool_uses: tool_uses.clone(),
            opaque: Vec::new(),
        }),
        other => serde_json::to_string(other),
    };
    line.map_err(|error| AdapterFault::Unsupported { reason: format!("a turn can't be written as JSON: {error}") })
}

fn text(part: &Part) -> Result<&str, AdapterFault> {
    match part {
        Part::Text { text } => Ok(text),
        Part::Image { .. } => Err(AdapterFault::Unsupported {
            reason: "command-line adapters take no images: describe them, or ask an adapter that speaks HTTP".into(),
        }),
    }
}
