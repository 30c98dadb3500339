//! Requests of Converse.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::WIRE;
use crate::adapter::anthropic::{Family, allow_forced_choice};
use crate::adapter::render::{self, Side};
use crate::adapter::{AdapterFault, strict};
use crate::dialect::BEDROCK;
use crate::message::{Message, Part, ToolChoice, ToolResult};
use crate::request::{Mode, Request};

/// Converse wants the tools in every request whose history holds calls, and knows no way to forbid them.
const NO_CALLS: &str = "Answer now, without calling a tool.";

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    messages: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    system: Vec<Text<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inference_config: Option<InferenceConfig>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<ToolConfig<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output_config: Option<OutputConfig<'a>>,
}

#[derive(Serialize)]
struct Turn<'a> {
    role: &'static str,
    content: Vec<Block<'a>>,
}

#[derive(Serialize)]
struct Text<'a> {
    text: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Block<'a> {
    Text(Cow<'a, str>),
    Image(Image<'a>),
    #[serde(rename_all = "camelCase")]
    ToolUse {
        tool_use_id: &'a str,
        name: &'a str,
        input: Cow<'a, RawValue>,
    },
    #[serde(rename_all = "camelCase")]
    ToolResult {
        tool_use_id: &'a str,
        content: Vec<ResultBlock<'a>>,
        #[serde(skip_serializing_if = "Option::is_none")]
        status: Option<&'static str>,
    },
    #[serde(untagged)]
    Opaque(&'a Value),
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum ResultBlock<'a> {
    Text(&'a str),
    Image(Image<'a>),
}

#[derive(Serialize)]
struct Image<'a> {
    format: &'a str,
    source: Source<'a>,
}

#[derive(Serialize)]
struct Source<'a> {
    bytes: &'a str,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InferenceConfig {
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolConfig<'a> {
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tool<'a> {
    tool_spec: ToolSpec<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolSpec<'a> {
    name: &'a str,
    description: &'a str,
    input_schema: InputSchema<'a>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    strict: bool,
}

#[derive(Serialize)]
struct InputSchema<'a> {
    json: &'a RawValue,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
enum Choice<'a> {
    Auto {},
    Any {},
    Tool { name: &'a str },
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct OutputConfig<'a> {
    text_format: TextFormat<'a>,
}

#[derive(Serialize)]
struct TextFormat<'a> {
    r#type: &'static str,
    structure: Structure<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Structure<'a> {
    json_schema: JsonSchema<'a>,
}

#[derive(Serialize)]
struct JsonSchema<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    /// The schema as text.
    schema: &'a str,
}

pub(super) fn encode(request: &Request, model: &str) -> Result<Vec<u8>, AdapterFault> {
    let family = Family::of(model);
    let enforces = family.is_some_and(Family::has_structured_output);
    let native = request.output.as_ref().filter(|output| output.mode == Mode::Native);
    if native.is_some() && !enforces {
        return Err(AdapterFault::Unsupported {
            reason: format!("{model} takes no response schema on Bedrock: use tool mode"),
        });
    }
    let (tool_config, forbidden) = tool_config(request, model, family, enforces)?;
    let system = [request.system.as_deref().filter(|system| !system.is_empty()), forbidden.then_some(NO_CALLS)];
    let temperature = request.temperature.filter(|_| family.is_none_or(|family| !family.refuses_temperature()));
    render::body(&Body {
        messages: messages(&request.messages),
        system: system.into_iter().flatten().map(|text| Text { text }).collect(),
        inference_config: (request.max_output_tokens.is_some() || temperature.is_some())
            .then_some(InferenceConfig { max_tokens: request.max_output_tokens, temperature }),
        tool_config,
        output_config: native.map(|output| OutputConfig {
            text_format: TextFormat {
                r#type: "json_schema",
                structure: Structure {
                    json_schema: JsonSchema {
                        name: &output.name,
                        description: output.description.as_deref(),
                        schema: output.plan.schema.get(),
                    },
                },
            },
        }),
    })
}

/// The tools, and whether calls have to be forbidden in words.
fn tool_config<'a>(
    request: &'a Request,
    model: &str,
    family: Option<Family<'_>>,
    enforces: bool,
) -> Result<(Option<ToolConfig<'a>>, bool), AdapterFault> {
    if request.tools.is_empty() {
        return Ok((None, false));
    }
    let forbidden = request.tool_choice == ToolChoice::None;
    let has_calls = request
        .messages
        .iter()
        .any(|message| matches!(message, Message::Assistant { tool_uses, .. } if !tool_uses.is_empty()));
    if forbidden && !has_calls {
        return Ok((None, false));
    }
    render::allow_several_calls(request)?;
    if request.tool_choice.is_forced() {
        allow_forced_choice(model, family)?;
    }
    let tool_choice = match &request.tool_choice {
        ToolChoice::Named(name) => Choice::Tool { name },
        choice if choice.is_forced() => Choice::Any {},
        _ => Choice::Auto {},
    };
    let tools = render::left_tools(request).map(|tool| Tool {
        tool_spec: ToolSpec {
            name: &tool.name,
            description: &tool.description,
            input_schema: InputSchema { json: &tool.input_schema },
            strict: enforces && strict::for_dialect(&tool.input_schema, &BEDROCK),
        },
    });
    Ok((Some(ToolConfig { tools: tools.collect(), tool_choice: Some(tool_choice) }), forbidden))
}

fn messages(messages: &[Message]) -> Vec<Turn<'_>> {
    render::block_turns(messages, WIRE, |side, content| Turn {
        role: if side == Side::User { "user" } else { "assistant" },
        content,
    })
}

impl<'a> From<render::Block<'a>> for Block<'a> {
    fn from(block: render::Block<'a>) -> Self {
        match block {
            render::Block::Text(text) => Block::Text(text),
            render::Block::Image { media_type, data } => Block::Image(image(media_type, data)),
            render::Block::Opaque(item) => Block::Opaque(item),
            render::Block::Call(call) => Block::ToolUse {
                tool_use_id: &call.id,
                name: &call.name,
                input: render::object(&call.input, "invalid_arguments"),
            },
            render::Block::Result(result) => render_result(result),
        }
    }
}

fn render_result(result: &ToolResult) -> Block<'_> {
    let content = result.content.iter().map(|part| match part {
        Part::Text { text } => ResultBlock::Text(text),
        Part::Image { media_type, data } => ResultBlock::Image(image(media_type, data)),
    });
    Block::ToolResult {
        tool_use_id: &result.tool_use_id,
        content: content.collect(),
        status: result.is_error.then_some("error"),
    }
}

fn image<'a>(media_type: &'a str, data: &'a str) -> Image<'a> {
    Image { format: media_type.strip_prefix("image/").unwrap_or(media_type), source: Source { bytes: data } }
}
