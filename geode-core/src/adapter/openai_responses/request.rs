//! Requests of the Responses API.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::WIRE;
use crate::adapter::{AdapterFault, render, strict};
use crate::message::{Message, Part, ToolChoice};
use crate::request::{Mode, OutputRequest, Request};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    instructions: Option<&'a str>,
    input: Vec<Item<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Text<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    store: bool,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    include: &'static [&'static str],
}

#[derive(Serialize)]
#[serde(untagged)]
enum Item<'a> {
    Input { role: &'static str, content: Vec<Content<'a>> },
    Output { r#type: &'static str, role: &'static str, content: [Content<'a>; 1] },
    Call { r#type: &'static str, call_id: &'a str, name: &'a str, arguments: &'a str },
    CallOutput { r#type: &'static str, call_id: &'a str, output: Output<'a> },
    Opaque(&'a Value),
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content<'a> {
    InputText {
        text: &'a str,
    },
    /// The SDKs' types ask for `detail`, though it has a default.
    InputImage {
        image_url: String,
        detail: &'static str,
    },
    OutputText {
        text: &'a str,
    },
}

#[derive(Serialize)]
#[serde(untagged)]
enum Output<'a> {
    Text(Cow<'a, str>),
    Parts(Vec<Content<'a>>),
}

#[derive(Serialize)]
struct Text<'a> {
    format: Format<'a>,
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Format<'a> {
    JsonSchema(NamedSchema<'a>),
}

/// A response schema, as both of OpenAI's wires write it.
#[derive(Serialize)]
pub(crate) struct NamedSchema<'a> {
    name: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    description: Option<&'a str>,
    strict: bool,
    schema: &'a RawValue,
}

impl<'a> NamedSchema<'a> {
    pub(crate) fn of(output: &'a OutputRequest) -> Self {
        NamedSchema {
            name: &output.name,
            description: output.description.as_deref(),
            strict: output.plan.strict,
            schema: &output.plan.schema,
        }
    }
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    name: &'a str,
    description: &'a str,
    parameters: &'a RawValue,
    strict: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Word(&'static str),
    Function(Function<'a>),
    Among { r#type: &'static str, mode: &'static str, tools: Vec<Function<'a>> },
}

#[derive(Serialize)]
struct Function<'a> {
    r#type: &'static str,
    name: &'a str,
}

pub(super) fn encode(request: &Request, model: &str, chatgpt: bool) -> Result<Vec<u8>, AdapterFault> {
    let mut input = Vec::with_capacity(request.messages.len());
    for message in &request.messages {
        push_items(message, &mut input);
    }
    let output = request.output.as_ref().filter(|output| output.mode == Mode::Native);
    let has_tools = !request.tools.is_empty();
    let reasons = is_reasoning_model(model);
    render::body(&Body {
        model,
        // The ChatGPT backend refuses a request without instructions.
        instructions: request.system.as_deref().or(chatgpt.then_some("Follow the user's instructions.")),
        input,
        text: output.map(|output| Text { format: Format::JsonSchema(NamedSchema::of(output)) }),
        tools: request
            .tools
            .iter()
            .map(|tool| Tool {
                r#type: "function",
                name: &tool.name,
                description: &tool.description,
                parameters: &tool.input_schema,
                strict: strict::for_openai(&tool.input_schema),
            })
            .collect(),
        tool_choice: has_tools.then(|| match &request.tool_choice {
            ToolChoice::Auto => Choice::Word("auto"),
            ToolChoice::None => Choice::Word("none"),
            ToolChoice::Required => Choice::Word("required"),
            ToolChoice::Named(name) => Choice::Function(Function { r#type: "function", name }),
            ToolChoice::Among { tools, required } => Choice::Among {
                r#type: "allowed_tools",
                mode: if *required { "required" } else { "auto" },
                tools: tools.iter().map(|name| Function { r#type: "function", name }).collect(),
            },
        }),
        parallel_tool_calls: has_tools.then_some(!request.single_call),
        max_output_tokens: request.max_output_tokens.filter(|_| !chatgpt),
        temperature: request.temperature.filter(|_| !chatgpt && !reasons),
        // Nothing stays with the provider, so reasoning that a tool round must send back has to come with its content.
        store: false,
        stream: request.stream || chatgpt,
        include: if chatgpt || (has_tools && reasons) { &["reasoning.encrypted_content"] } else { &[] },
    })
}

/// Models that reason refuse a temperature; models that don't refuse a request for encrypted reasoning.
pub(crate) fn is_reasoning_model(model: &str) -> bool {
    // Gateways put the vendor in front: `openai/gpt-5.4`.
    let model = model.rsplit('/').next().unwrap_or(model);
    let is_o_series = model.strip_prefix('o').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    is_o_series || model.starts_with("codex") || (model.starts_with("gpt-5") && !model.contains("-chat"))
}

fn push_items<'a>(message: &'a Message, input: &mut Vec<Item<'a>>) {
    match message {
        Message::User { content } => input.push(Item::Input { role: "user", content: contents(content) }),
        Message::Assistant { text, tool_uses, opaque } => {
            // Reasoning stands before the call that it led to.
            input
                .extend(opaque.iter().filter(|opaque| opaque.adapter == WIRE).map(|opaque| Item::Opaque(&opaque.item)));
            if !text.is_empty() {
                let content = [Content::OutputText { text }];
                input.push(Item::Output { r#type: "message", role: "assistant", content });
            }
            input.extend(tool_uses.iter().map(|call| Item::Call {
                r#type: "function_call",
                call_id: &call.id,
                name: &call.name,
                arguments: &call.input,
            }));
        }
        Message::ToolResults { results } => input.extend(results.iter().map(|result| Item::CallOutput {
            r#type: "function_call_output",
            call_id: &result.tool_use_id,
            output: match render::has_image(&result.content) {
                true => Output::Parts(contents(&result.content)),
                false => Output::Text(render::text_of(&result.content)),
            },
        })),
        Message::Reminder { text } => {
            input.push(Item::Input { role: "developer", content: vec![Content::InputText { text }] });
        }
    }
}

fn contents(parts: &[Part]) -> Vec<Content<'_>> {
    parts
        .iter()
        .map(|part| match part {
            Part::Text { text } => Content::InputText { text },
            Part::Image { media_type, data } => {
                Content::InputImage { image_url: render::data_url(media_type, data), detail: "auto" }
            }
        })
        .collect()
}
