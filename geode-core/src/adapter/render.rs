//! Pieces of a conversation that several wires write alike.

use std::borrow::Cow;

use serde::Serialize;

use super::AdapterFault;
use crate::message::Part;

/// Serialises a request body.
pub(crate) fn body<T: Serialize>(body: &T) -> Result<Vec<u8>, AdapterFault> {
    let mut text = Vec::with_capacity(1_024);
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

/// An image as the URL that OpenAI's wires take.
pub(crate) fn data_url(media_type: &str, data: &str) -> String {
    ["data:", media_type, ";base64,", data].concat()
}

/// A reminder for a wire that has no role for it: marked, so that the model doesn't take it for the user's words.
pub(crate) fn reminder(text: &str) -> String {
    ["<system-reminder>\n", text, "\n</system-reminder>"].concat()
}
