//! Requests of `generateContent`.

use std::borrow::Cow;

use serde::Serialize;
use serde_json::Value;
use serde_json::value::RawValue;

use super::WIRE;
use crate::adapter::AdapterFault;
use crate::adapter::render::{self, Side};
use crate::adapter::settle::is_made_up;
use crate::message::{Message, Opaque, Part, ToolChoice, ToolResult, ToolUse};
use crate::request::{Mode, Request};

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Body<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    system_instruction: Option<Content<'a>>,
    contents: Vec<Content<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tools: Option<[Tools<'a>; 1]>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_config: Option<ToolConfig<'a>>,
    #[serde(skip_serializing_if = "GenerationConfig::is_empty")]
    generation_config: GenerationConfig<'a>,
}

#[derive(Serialize)]
struct Content<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    role: Option<&'static str>,
    parts: Vec<WirePart<'a>>,
}

/// One part: one of the first four, and a signature where the model gave one.
#[derive(Serialize, Default)]
#[serde(rename_all = "camelCase")]
struct WirePart<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    text: Option<Cow<'a, str>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    inline_data: Option<InlineData<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_call: Option<FunctionCall<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    function_response: Option<FunctionResponse<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    thought_signature: Option<&'a str>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct InlineData<'a> {
    mime_type: &'a str,
    data: &'a str,
}

#[derive(Serialize)]
struct FunctionCall<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    name: &'a str,
    args: Cow<'a, RawValue>,
}

#[derive(Serialize)]
struct FunctionResponse<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<&'a str>,
    name: &'a str,
    response: Box<RawValue>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Tools<'a> {
    function_declarations: Vec<Declaration<'a>>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Declaration<'a> {
    name: &'a str,
    description: &'a str,
    parameters_json_schema: &'a RawValue,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct ToolConfig<'a> {
    function_calling_config: CallingConfig<'a>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct CallingConfig<'a> {
    mode: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    allowed_function_names: Option<&'a [String]>,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct GenerationConfig<'a> {
    #[serde(skip_serializing_if = "Option::is_none")]
    response_mime_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_json_schema: Option<&'a RawValue>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_output_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
}

impl GenerationConfig<'_> {
    fn is_empty(&self) -> bool {
        self.response_mime_type.is_none() && self.max_output_tokens.is_none() && self.temperature.is_none()
    }
}

pub(super) fn encode(request: &Request) -> Result<Vec<u8>, AdapterFault> {
    let output = request.output.as_ref();
    let native = output.filter(|output| output.mode == Mode::Native);
    let prompted = output.is_some_and(|output| output.mode == Mode::Prompted) && request.tools.is_empty();
    let has_tools = !request.tools.is_empty();
    render::allow_several_calls(request)?;
    render::body(&Body {
        system_instruction: request
            .system
            .as_deref()
            .map(|system| Content { role: None, parts: vec![text(Cow::Borrowed(system))] }),
        contents: contents(&request.messages),
        tools: has_tools.then(|| {
            let declarations = render::left_tools(request).map(|tool| Declaration {
                name: &tool.name,
                description: &tool.description,
                parameters_json_schema: &tool.input_schema,
            });
            [Tools { function_declarations: declarations.collect() }]
        }),
        tool_config: has_tools.then(|| {
            let (mode, only) = match &request.tool_choice {
                ToolChoice::Auto => ("AUTO", None),
                ToolChoice::None => ("NONE", None),
                ToolChoice::Required => ("ANY", None),
                ToolChoice::Named(name) => ("ANY", Some(std::slice::from_ref(name))),
                // Only `ANY` takes names, so the other tools are left out.
                ToolChoice::Among { required, .. } => (if *required { "ANY" } else { "AUTO" }, None),
            };
            ToolConfig { function_calling_config: CallingConfig { mode, allowed_function_names: only } }
        }),
        generation_config: GenerationConfig {
            response_mime_type: (native.is_some() || prompted).then_some("application/json"),
            response_json_schema: native.map(|output| &*output.plan.schema),
            max_output_tokens: request.max_output_tokens,
            temperature: request.temperature,
        },
    })
}

fn contents(messages: &[Message]) -> Vec<Content<'_>> {
    render::turns(messages, push_parts, |side, parts| Content {
        role: Some(if side == Side::User { "user" } else { "model" }),
        parts,
    })
}

fn push_parts<'a>(message: &'a Message, parts: &mut Vec<WirePart<'a>>) {
    match message {
        Message::User { content } => parts.extend(content.iter().map(render_part)),
        Message::Assistant { text: said, tool_uses, opaque } => {
            if !said.is_empty() {
                let thought_signature = signature(opaque, None);
                parts.push(WirePart { text: Some(Cow::Borrowed(said)), thought_signature, ..WirePart::default() });
            }
            parts.extend(tool_uses.iter().map(|call| render_call(call, opaque)));
        }
        Message::ToolResults { results } => {
            parts.extend(results.iter().map(render_result));
            let all = results.iter().flat_map(|result| &result.content);
            parts.extend(all.filter(|part| matches!(part, Part::Image { .. })).map(render_part));
        }
        Message::Reminder { text: reminder } => parts.push(text(Cow::Owned(render::reminder(reminder)))),
    }
}

fn text(text: Cow<'_, str>) -> WirePart<'_> {
    WirePart { text: Some(text), ..WirePart::default() }
}

fn render_part(part: &Part) -> WirePart<'_> {
    match part {
        Part::Text { text: said } => text(Cow::Borrowed(said)),
        Part::Image { media_type, data } => {
            WirePart { inline_data: Some(InlineData { mime_type: media_type, data }), ..WirePart::default() }
        }
    }
}

fn render_call<'a>(call: &'a ToolUse, opaque: &'a [Opaque]) -> WirePart<'a> {
    let args = render::object(&call.input, "invalid_arguments");
    WirePart {
        function_call: Some(FunctionCall { id: given(&call.id), name: &call.name, args }),
        thought_signature: signature(opaque, Some(&call.id)),
        ..WirePart::default()
    }
}

/// The wire takes an object only.
fn render_result(result: &ToolResult) -> WirePart<'_> {
    let said = render::text_of(&result.content);
    let member = if result.is_error { "error" } else { "result" };
    let response = match serde_json::from_str::<&RawValue>(&said) {
        Ok(raw) if raw.get().starts_with('{') && !result.is_error => raw.to_owned(),
        _ => render::wrapped(&said, member),
    };
    let function_response = FunctionResponse { id: given(&result.tool_use_id), name: &result.name, response };
    WirePart { function_response: Some(function_response), ..WirePart::default() }
}

/// An id that the provider gave. One that was made up means nothing to it: it pairs by name and order.
fn given(id: &str) -> Option<&str> {
    (!is_made_up(id)).then_some(id)
}

/// The signature that belongs to a call, or to the text.
fn signature<'a>(opaque: &'a [Opaque], id: Option<&str>) -> Option<&'a str> {
    opaque
        .iter()
        .filter(|opaque| opaque.adapter == WIRE)
        .find(|opaque| opaque.item.get("id").and_then(Value::as_str) == id)
        .and_then(|opaque| opaque.item.get("thoughtSignature")?.as_str())
}
