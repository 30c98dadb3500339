//! Leaves out the reasoning that some models write before their answer, between `<think>` and `</think>`.

#[cfg(test)]
mod tests;

const OPEN: &str = "<think>";
const CLOSE: &str = "</think>";

/// Leaves out one block, and only at the very start: the same words later, or in the answer's own strings, stay.
pub(super) struct ThinkFilter {
    state: State,
    /// Text that may still be part of a tag.
    held: String,
}

#[derive(PartialEq)]
enum State {
    /// Nothing but whitespace so far.
    Start,
    Inside,
    /// Between the block and the answer.
    Behind,
    Answer,
}

impl ThinkFilter {
    pub(super) fn new(enabled: bool) -> Self {
        ThinkFilter { state: if enabled { State::Start } else { State::Answer }, held: String::new() }
    }

    /// Takes more text and gives what of it belongs to the answer.
    pub(super) fn push(&mut self, text: String) -> String {
        if self.state == State::Answer {
            return text;
        }
        self.held.push_str(&text);
        if self.state == State::Start {
            let start = self.held.trim_start();
            if let Some(rest) = start.strip_prefix(OPEN) {
                self.held = rest.to_owned();
                self.state = State::Inside;
            } else if !OPEN.starts_with(start) {
                self.state = State::Answer;
                return std::mem::take(&mut self.held);
            }
        }
        if self.state == State::Inside {
            match self.held.split_once(CLOSE) {
                Some((_, rest)) => {
                    self.held = rest.to_owned();
                    self.state = State::Behind;
                }
                // Only a tail as long as the tag can be part of it.
                None => {
                    let tail = self.held.char_indices().rev().nth(CLOSE.len()).map_or(0, |(start, _)| start);
                    self.held.drain(..tail);
                }
            }
        }
        if self.state == State::Behind {
            let rest = self.held.trim_start().to_owned();
            self.held.clear();
            if !rest.is_empty() {
                self.state = State::Answer;
            }
            return rest;
        }
        String::new()
    }

    /// Ends the text: gives what was held back and belongs to the answer, and notes what was left out.
    pub(super) fn finish(&mut self, notes: &mut Vec<String>) -> String {
        match std::mem::replace(&mut self.state, State::Answer) {
            State::Start => return std::mem::take(&mut self.held),
            State::Inside => notes.push("the answer is an unfinished <think> block, which was left out".to_owned()),
            State::Behind => notes.push("the answer is nothing but a <think> block, which was left out".to_owned()),
            State::Answer => {}
        }
        String::new()
    }
}
