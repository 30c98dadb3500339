//! The answer's text while it arrives: what of it goes to the preview, and when it can't become valid any more.

use super::Reading;
use crate::json::ReadOptions;
use crate::json::stream::{Preview, PushParser, StreamError};
use crate::outcome::{Failure, IncompleteReason};
use crate::report::Report;
use crate::shape::Shape;

#[cfg(test)]
mod tests;

/// Most whitespace in a row between two tokens. A model that writes more of it doesn't come to an end.
const MOST_BLANK: usize = 2_048;

/// The answer's text while it arrives.
pub(crate) struct Arriving {
    parser: PushParser,
    /// Whether the answer's value stands in the property `value`.
    wrapped: bool,
    reading: Reading,
    stage: Stage,
    /// What has come before the first character that decides where the JSON begins.
    head: String,
    /// Bytes of whitespace that the text ends with.
    blank: usize,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    /// Nothing but whitespace, or a fence that is not complete, has come.
    Head,
    /// In the JSON: of the whole text, or of a fenced block.
    Json { fenced: bool },
    /// Behind the JSON, or in text that no preview can be made of.
    Over,
}

impl Arriving {
    pub(crate) fn new(
        shape: Option<&'static Shape>,
        options: &ReadOptions,
        reading: Reading,
        max_bytes: usize,
    ) -> Self {
        let parser = match shape {
            Some(shape) => PushParser::for_shape(shape, options),
            None => PushParser::new(),
        };
        Arriving {
            parser: parser.max_bytes(max_bytes),
            wrapped: options.wrapped_root,
            reading,
            stage: Stage::Head,
            head: String::new(),
            blank: 0,
        }
    }

    /// Takes more of the text.
    ///
    /// Fails only where the whole text would fail too, or would not come to its end: where prose may stand around the JSON, a preview that can't go
    /// on just stays as it is.
    pub(crate) fn push(&mut self, text: &str) -> Result<(), Failure> {
        match self.stage {
            Stage::Over => Ok(()),
            Stage::Json { fenced } => self.json(text, fenced),
            Stage::Head => {
                self.head.push_str(text);
                let head = std::mem::take(&mut self.head);
                let begun = head.trim_start_matches(['\u{feff}', ' ', '\t', '\n', '\r']);
                if self.reading == Reading::Strict && !begun.is_empty() {
                    self.stage = Stage::Json { fenced: false };
                    return self.json(begun, false);
                }
                match begun.strip_prefix("```").map(|block| block.split_once('\n')) {
                    Some(Some((_language, inside))) => {
                        self.stage = Stage::Json { fenced: true };
                        return self.json(inside, true);
                    }
                    None if begun.starts_with(['{', '[', '"']) => {
                        self.stage = Stage::Json { fenced: false };
                        return self.json(begun, false);
                    }
                    None if begun.is_empty() && head.len() > MOST_BLANK => return Err(runaway()),
                    // a fence whose first line has not ended, or nothing yet
                    Some(None) | None
                        if head.len() <= MOST_BLANK && (begun.starts_with("```") || "```".starts_with(begun)) =>
                    {
                        self.head = head;
                    }
                    _ => self.stage = Stage::Over,
                }
                Ok(())
            }
        }
    }

    fn json(&mut self, text: &str, fenced: bool) -> Result<(), Failure> {
        let done = self.parser.is_done();
        if done && (fenced || self.reading >= Reading::Prose) {
            self.stage = Stage::Over;
            return Ok(());
        }
        let blank = text.bytes().rev().take_while(u8::is_ascii_whitespace).count();
        self.blank = if blank == text.len() { self.blank + blank } else { blank };
        match self.parser.push_str(text) {
            Ok(()) if self.blank > MOST_BLANK && !self.parser.in_string() => Err(runaway()),
            Ok(()) => Ok(()),
            Err(_) if self.reading >= Reading::Prose => {
                self.stage = Stage::Over;
                Ok(())
            }
            // the closing fence, and whatever is wrong behind it, is for the reader of the whole text
            Err(_) if fenced && self.parser.is_done() => {
                self.stage = Stage::Over;
                Ok(())
            }
            Err(StreamError::TooLarge { .. }) => Err(super::stream::too_large()),
            Err(StreamError::Invalid(violation)) => Err(Failure::InvalidSchema(Report::from(*violation))),
        }
    }

    /// The answer as far as it has come.
    pub(crate) fn preview(&self) -> Option<Preview<'_>> {
        let root = self.parser.preview()?;
        if self.wrapped { root.member("value") } else { Some(root) }
    }

    /// The text as far as it has come.
    pub(crate) fn text(&self) -> &str {
        self.parser.text()
    }
}

/// The state of an answer that writes whitespace without end.
fn runaway() -> Failure {
    Failure::Incomplete { reason: IncompleteReason::Runaway }
}
