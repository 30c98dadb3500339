//! The embedded adapter's wire: a JSON line for each piece of the answer, and one that ends it.

use serde::{Deserialize, Serialize};

use super::extract::{answer, gist};
use super::facts::{Facts, stems};
use crate::adapter::{AdapterFault, Decoder, StreamEvent, render};
use crate::message::{Message, Part, ToolChoice, ToolSpec, ToolUse};
use crate::reply::{Event, FinishReason, Reply, Usage};
use crate::request::{Mode, OUTPUT_TOOL, Request};

/// One line.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Line {
    /// More of the text.
    Text(String),
    /// A call.
    Call { id: String, name: String, input: String },
    /// The end.
    Done { input_tokens: u64, output_tokens: u64 },
}

/// Characters in a piece of text.
const PIECE: usize = 24;

/// The answer to a request.
pub(super) fn write(request: &Request) -> Result<String, AdapterFault> {
    let input = input_of(request);
    let facts = Facts::of(&input);
    let mut lines = Vec::new();
    let mut output_tokens = 0;
    if let Some(tool) = tool_to_call(request, &facts) {
        let input = answer(&tool.input_schema, &facts).map_err(bad_schema)?;
        output_tokens += tokens(&input);
        let id = format!("call_{}", request.messages.len());
        lines.push(Line::Call { id, name: tool.name.clone(), input });
    } else {
        let text = match request.output.as_ref().filter(|output| output.mode != Mode::Tool) {
            Some(output) => answer(&output.plan.schema, &facts).map_err(bad_schema)?,
            None => gist(&facts),
        };
        output_tokens += tokens(&text);
        lines.extend(pieces(&text).map(Line::Text));
    }
    lines.push(Line::Done { input_tokens: tokens(&input), output_tokens });
    let mut body = String::new();
    for line in &lines {
        // A line holds strings and numbers only: that can't fail.
        body.push_str(&serde_json::to_string(line).unwrap_or_default());
        body.push('\n');
    }
    Ok(body)
}

/// Reads a whole answer.
pub(super) fn read(body: &[u8]) -> Result<Reply, AdapterFault> {
    let mut lines = Lines::default();
    let text = std::str::from_utf8(body).map_err(|_| malformed())?;
    for line in text.lines() {
        lines.event(&StreamEvent { name: None, data: line }, &mut Vec::new())?;
    }
    Ok(Box::new(lines).finish())
}

/// Reads an answer line by line.
#[derive(Default)]
pub(super) struct Lines {
    reply: Reply,
}

impl Decoder for Lines {
    fn event(&mut self, event: &StreamEvent<'_>, out: &mut Vec<Event>) -> Result<(), AdapterFault> {
        if event.data.trim().is_empty() {
            return Ok(());
        }
        match serde_json::from_str(event.data).map_err(|_| malformed())? {
            Line::Text(text) => {
                self.reply.text.push_str(&text);
                out.push(Event::Text(text));
            }
            Line::Call { id, name, input } => {
                out.push(Event::ToolInput {
                    index: self.reply.tool_uses.len(),
                    name: Some(name.clone()),
                    delta: input.clone(),
                });
                self.reply.tool_uses.push(ToolUse { id, name, input });
            }
            Line::Done { input_tokens, output_tokens } => {
                let called = !self.reply.tool_uses.is_empty();
                self.reply.finish = Some(if called { FinishReason::ToolUse } else { FinishReason::Stop });
                self.reply.usage = Usage { input_tokens, output_tokens, ..Usage::default() };
                self.reply.model = Some("embedded-extractor-1".to_owned());
                out.push(Event::Done(Box::new(self.reply.clone())));
            }
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> Reply {
        self.reply
    }
}

/// What the answer is taken from: what users said, and what tools gave.
fn input_of(request: &Request) -> String {
    let mut input = String::new();
    for message in &request.messages {
        let parts: Vec<&Part> = match message {
            Message::User { content } => content.iter().collect(),
            Message::ToolResults { results } => {
                results.iter().filter(|result| !result.is_error).flat_map(|result| &result.content).collect()
            }
            Message::Assistant { .. } | Message::Reminder { .. } => Vec::new(),
        };
        for part in parts {
            if let Part::Text { text } = part {
                input.push_str(text);
                input.push('\n');
            }
        }
    }
    input
}

/// The tool to call: the one that is asked for, else the one that shares most words with the input and was not called
/// yet. The internal tool for the answer comes last.
fn tool_to_call<'r>(request: &'r Request, facts: &Facts<'_>) -> Option<&'r ToolSpec> {
    let output = || request.tools.iter().find(|tool| tool.name == OUTPUT_TOOL);
    let called = |name: &str| {
        request.messages.iter().any(|message| match message {
            Message::Assistant { tool_uses, .. } => tool_uses.iter().any(|call| call.name == name),
            _ => false,
        })
    };
    let score = |tool: &ToolSpec| facts.overlap(&stems(&tool.name).chain(stems(&tool.description)).collect());
    let least = match &request.tool_choice {
        ToolChoice::None => return None,
        ToolChoice::Named(name) => return request.tools.iter().find(|tool| tool.name == *name),
        choice if choice.is_forced() => 0,
        _ => 2,
    };
    let mut best: Option<(usize, &ToolSpec)> = None;
    for tool in render::left_tools(request).filter(|tool| tool.name != OUTPUT_TOOL && !called(&tool.name)) {
        let score = score(tool);
        if score >= least && best.is_none_or(|(highest, _)| score > highest) {
            best = Some((score, tool));
        }
    }
    best.map(|(_, tool)| tool).or_else(output)
}

/// A text in pieces.
fn pieces(text: &str) -> impl Iterator<Item = String> + '_ {
    let mut chars = text.chars().peekable();
    std::iter::from_fn(move || chars.peek().is_some().then(|| chars.by_ref().take(PIECE).collect()))
}

/// A count that stands for tokens: words.
fn tokens(text: &str) -> u64 {
    text.split_whitespace().count() as u64
}

fn malformed() -> AdapterFault {
    AdapterFault::Malformed {
        reason: "a line of the embedded adapter's own was expected".to_owned(),
        status: None,
        request_id: None,
    }
}

fn bad_schema(reason: String) -> AdapterFault {
    AdapterFault::Unsupported { reason: format!("the embedded adapter can't follow the schema: {reason}") }
}
