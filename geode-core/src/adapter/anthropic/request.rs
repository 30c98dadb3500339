//! Requests of the Messages API.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::{Family, Messages, WIRE, allow_forced_choice};
use crate::adapter::render::{self, Side};
use crate::adapter::{AdapterFault, strict};
use crate::dialect::ANTHROPIC;
use crate::message::{Message, ToolChoice};
use crate::request::{Mode, Request};

/// The API wants a limit in every request.
const DEFAULT_MAX_TOKENS: u32 = 8_192;

/// Most strict tools that one request may hold.
const MAX_STRICT_TOOLS: usize = 20;

/// First block of the system prompt that an OAuth token needs.
const IDENTITY: &str = "You are Claude Code, Anthropic's official CLI for Claude.";

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    max_tokens: u32,
    #[serde(skip_serializing_if = "Option::is_none")]
    system: Option<Blocks<'a>>,
    messages: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_format: Option<Format<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: Blocks<'a>,
}

/// One text alone goes as it is.
#[derive(Serialize)]
#[serde(untagged)]
enum Blocks<'a> {
    Text(Cow<'a, str>),
    List(Vec<Block<'a>>),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Block<'a> {
    Text {
        text: Cow<'a, str>,
    },
    Image {
        source: Source<'a>,
    },
    ToolUse {
        id: &'a str,
        name: &'a str,
        input: Cow<'a, RawValue>,
    },
    ToolResult {
        tool_use_id: &'a str,
        content: Blocks<'a>,
        #[serde(skip_serializing_if = "std::ops::Not::not")]
        is_error: bool,
    },
    #[serde(untagged)]
    Opaque(&'a Value),
}

#[derive(Serialize)]
struct Source<'a> {
    r#type: &'static str,
    media_type: &'a str,
    data: &'a str,
}

#[derive(Serialize)]
struct Tool<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: &'a RawValue,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

#[derive(Serialize)]
struct Choice<'a> {
    r#type: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    disable_parallel_tool_use: bool,
}

#[derive(Serialize)]
struct OutputConfig<'a> {
    format: Format<'a>,
}

#[derive(Serialize, Clone, Copy)]
struct Format<'a> {
    r#type: &'static str,
    schema: &'a RawValue,
}

pub(super) fn encode(request: &Request, model: &str, wire: &Messages) -> Result<Vec<u8>, AdapterFault> {
    let family = Family::of(model);
    let output = request.output.as_ref().filter(|output| output.mode == Mode::Native);
    if output.is_some() && family.is_some_and(|family| !family.has_structured_output()) {
        return Err(AdapterFault::Unsupported {
            reason: format!("{model} knows no structured output: use tool mode, or a model since Claude 4.5"),
        });
    }
    let format = output.map(|output| Format { r#type: "json_schema", schema: &output.plan.schema });
    let has_strict = family.is_none_or(Family::has_structured_output);
    let mut strict_tools = 0;
    let tools = render::left_tools(request).map(|tool| {
        let strict =
            has_strict && strict_tools < MAX_STRICT_TOOLS && strict::for_dialect(&tool.input_schema, &ANTHROPIC);
        strict_tools += usize::from(strict);
        Tool { name: &tool.name, description: &tool.description, input_schema: &tool.input_schema, strict }
    });
    render::body(&Body {
        model,
        max_tokens: request.max_output_tokens.unwrap_or(DEFAULT_MAX_TOKENS),
        system: system(request, wire.oauth && family.is_none_or(Family::needs_identity)),
        messages: messages(&request.messages),
        tools: tools.collect(),
        tool_choice: tool_choice(request, model, family)?,
        output_config: format.filter(|_| !wire.beta_output).map(|format| OutputConfig { format }),
        output_format: format.filter(|_| wire.beta_output),
        temperature: request.temperature.filter(|_| family.is_none_or(|family| !family.refuses_temperature())),
        stream: request.stream,
    })
}

fn system(request: &Request, needs_identity: bool) -> Option<Blocks<'_>> {
    let system = request.system.as_deref().filter(|system| !system.is_empty());
    if !needs_identity {
        return system.map(|system| Blocks::Text(Cow::Borrowed(system)));
    }
    let texts = [Some(IDENTITY), system].into_iter().flatten();
    Some(Blocks::List(texts.map(|text| Block::Text { text: Cow::Borrowed(text) }).collect()))
}

fn tool_choice<'a>(
    request: &'a Request,
    model: &str,
    family: Option<Family<'_>>,
) -> Result<Option<Choice<'a>>, AdapterFault> {
    if request.tools.is_empty() {
        return Ok(None);
    }
    if request.tool_choice.is_forced() {
        allow_forced_choice(model, family)?;
    }
    let (r#type, name) = match &request.tool_choice {
        ToolChoice::None => ("none", None),
        ToolChoice::Named(name) => ("tool", Some(name.as_str())),
        choice => (if choice.is_forced() { "any" } else { "auto" }, None),
    };
    let disable_parallel_tool_use = request.single_call && r#type != "none";
    Ok(Some(Choice { r#type, name, disable_parallel_tool_use }))
}

fn messages(messages: &[Message]) -> Vec<Turn<'_>> {
    render::block_turns(messages, WIRE, |side, blocks| Turn {
        role: if side == Side::User { "user" } else { "assistant" },
        content: simplified(blocks),
    })
}

fn simplified(mut blocks: Vec<Block<'_>>) -> Blocks<'_> {
    if let [Block::Text { text }] = blocks.as_mut_slice() {
        return Blocks::Text(std::mem::take(text));
    }
    Blocks::List(blocks)
}

impl<'a> From<render::Block<'a>> for Block<'a> {
    fn from(block: render::Block<'a>) -> Self {
        match block {
            render::Block::Text(text) => Block::Text { text },
            render::Block::Image { media_type, data } => {
                Block::Image { source: Source { r#type: "base64", media_type, data } }
            }
            render::Block::Opaque(item) => Block::Opaque(item),
            render::Block::Call(call) => Block::ToolUse {
                id: &call.id,
                name: &call.name,
                input: render::object(&call.input, "invalid_arguments"),
            },
            render::Block::Result(result) => Block::ToolResult {
                tool_use_id: &result.tool_use_id,
                content: simplified(render::parts(&result.content).map(Block::from).collect()),
                is_error: result.is_error,
            },
        }
    }
}
