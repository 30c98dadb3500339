//! Requests of Chat Completions.

use std::borrow::Cow;

use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use super::{ChatCompletions, Choices};
use crate::adapter::openai_responses::{NamedSchema, is_reasoning_model};
use crate::adapter::{AdapterFault, render, strict};
use crate::message::{Message, Part, ToolChoice, ToolResult, ToolSpec};
use crate::request::{Mode, Request};

#[derive(Serialize)]
struct Body<'a> {
    model: &'a str,
    messages: Vec<Turn<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    response_format: Option<ResponseFormat<'a>>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    tools: Vec<Tool<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_choice: Option<Choice<'a>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    parallel_tool_calls: Option<bool>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_completion_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    max_tokens: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    temperature: Option<f64>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    stream: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    stream_options: Option<StreamOptions>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    tool_stream: bool,
}

#[derive(Serialize)]
struct StreamOptions {
    include_usage: bool,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Turn<'a> {
    Assistant { role: &'static str, content: Option<&'a str>, tool_calls: Vec<Call<'a>> },
    Tool { role: &'static str, tool_call_id: &'a str, content: Cow<'a, str> },
    Text { role: &'static str, content: Cow<'a, str> },
    Parts { role: &'static str, content: Vec<Content<'a>> },
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum Content<'a> {
    Text { text: Cow<'a, str> },
    ImageUrl { image_url: ImageUrl },
}

#[derive(Serialize)]
struct ImageUrl {
    url: String,
}

#[derive(Serialize)]
struct Call<'a> {
    id: &'a str,
    r#type: &'static str,
    function: CalledFunction<'a>,
}

#[derive(Serialize)]
struct CalledFunction<'a> {
    name: &'a str,
    /// Text that holds an object: chat templates parse it.
    #[serde(serialize_with = "as_text")]
    arguments: Cow<'a, RawValue>,
}

fn as_text<S: Serializer>(json: &RawValue, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(json.get())
}

#[derive(Serialize)]
#[serde(tag = "type", rename_all = "snake_case")]
enum ResponseFormat<'a> {
    JsonObject,
    JsonSchema { json_schema: NamedSchema<'a> },
}

#[derive(Serialize)]
struct Tool<'a> {
    r#type: &'static str,
    function: Function<'a>,
}

#[derive(Serialize)]
struct Function<'a> {
    name: &'a str,
    description: &'a str,
    parameters: &'a RawValue,
    #[serde(skip_serializing_if = "Option::is_none")]
    strict: Option<bool>,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Choice<'a> {
    Word(&'static str),
    Function(NamedFunction<'a>),
    Among { r#type: &'static str, allowed_tools: Allowed<'a> },
}

#[derive(Serialize)]
struct NamedFunction<'a> {
    r#type: &'static str,
    function: Named<'a>,
}

#[derive(Serialize)]
struct Allowed<'a> {
    mode: &'static str,
    tools: Vec<NamedFunction<'a>>,
}

#[derive(Serialize)]
struct Named<'a> {
    name: &'a str,
}

pub(super) fn encode(request: &Request, model: &str, wire: &ChatCompletions) -> Result<Vec<u8>, AdapterFault> {
    let (tools, tool_choice) = tools(request, wire)?;
    let mut messages = Vec::with_capacity(request.messages.len() + 1);
    if let Some(system) = &request.system {
        let role = if wire.developer_role { "developer" } else { "system" };
        messages.push(Turn::Text { role, content: Cow::Borrowed(system) });
    }
    for message in &request.messages {
        push_turns(message, wire, &mut messages);
    }
    render::body(&Body {
        model,
        messages,
        response_format: response_format(request, wire)?,
        max_completion_tokens: request.max_output_tokens.filter(|_| wire.completion_limit),
        max_tokens: request.max_output_tokens.filter(|_| !wire.completion_limit),
        temperature: request.temperature.filter(|_| !(wire.developer_role && is_reasoning_model(model))),
        stream: request.stream,
        stream_options: (request.stream && wire.stream_options).then_some(StreamOptions { include_usage: true }),
        tool_stream: request.stream && wire.tool_stream && !tools.is_empty(),
        // Several are the default, and some servers know no other.
        parallel_tool_calls: (request.single_call && !tools.is_empty()).then_some(false),
        tools,
        tool_choice,
    })
}

fn response_format<'a>(
    request: &'a Request,
    wire: &ChatCompletions,
) -> Result<Option<ResponseFormat<'a>>, AdapterFault> {
    let Some(output) = &request.output else {
        return Ok(None);
    };
    match output.mode {
        Mode::Native if wire.json_schema => {
            Ok(Some(ResponseFormat::JsonSchema { json_schema: NamedSchema::of(output) }))
        }
        Mode::Native => Err(AdapterFault::Unsupported {
            reason: "this provider takes no response schema: use tool mode or prompted mode".to_owned(),
        }),
        // With tools on offer, servers that sample under a grammar would let the model answer only. And the word JSON
        // has to stand in the messages, or the request is refused.
        Mode::Prompted if wire.json_object && request.tools.is_empty() && mentions_json(request) => {
            Ok(Some(ResponseFormat::JsonObject))
        }
        _ => Ok(None),
    }
}

fn mentions_json(request: &Request) -> bool {
    let mentions = |text: &str| text.as_bytes().windows(4).any(|word| word.eq_ignore_ascii_case(b"json"));
    request.system.as_deref().is_some_and(mentions)
        || request.messages.iter().any(|message| match message {
            Message::User { content } => {
                content.iter().any(|part| matches!(part, Part::Text { text } if mentions(text)))
            }
            Message::Reminder { text } => mentions(text),
            _ => false,
        })
}

fn tools<'a>(
    request: &'a Request,
    wire: &ChatCompletions,
) -> Result<(Vec<Tool<'a>>, Option<Choice<'a>>), AdapterFault> {
    if request.tools.is_empty() {
        return Ok((Vec::new(), None));
    }
    if !wire.single_call {
        render::allow_several_calls(request)?;
    }
    let named = |name| NamedFunction { r#type: "function", function: Named { name } };
    let mut only: &[String] = &[];
    let choice = match (&request.tool_choice, wire.choices) {
        (ToolChoice::None, Choices::AutoOnly) => return Ok((Vec::new(), None)),
        (choice, Choices::AutoOnly) if choice.is_forced() => {
            return Err(AdapterFault::Unsupported {
                reason: "this provider can't be made to call a tool: its tool choice is `auto` only".to_owned(),
            });
        }
        (ToolChoice::None, _) => Choice::Word("none"),
        (ToolChoice::Named(name), Choices::All | Choices::Named) => Choice::Function(named(name)),
        (ToolChoice::Among { tools, required }, Choices::All) => Choice::Among {
            r#type: "allowed_tools",
            allowed_tools: Allowed {
                mode: if *required { "required" } else { "auto" },
                tools: tools.iter().map(|name| named(name)).collect(),
            },
        },
        (choice, _) => {
            // The others are left out, which comes to the same.
            only = choice.named();
            Choice::Word(if choice.is_forced() { "required" } else { "auto" })
        }
    };
    let offered = request.tools.iter().filter(|tool| only.is_empty() || only.contains(&tool.name));
    Ok((offered.map(|tool| render_tool(tool, wire)).collect(), Some(choice)))
}

fn render_tool<'a>(tool: &'a ToolSpec, wire: &ChatCompletions) -> Tool<'a> {
    Tool {
        r#type: "function",
        function: Function {
            name: &tool.name,
            description: &tool.description,
            parameters: &tool.input_schema,
            strict: wire.strict_tools.then(|| strict::for_openai(&tool.input_schema)),
        },
    }
}

fn push_turns<'a>(message: &'a Message, wire: &ChatCompletions, turns: &mut Vec<Turn<'a>>) {
    match message {
        Message::User { content } => turns.push(match render::has_image(content) {
            true => Turn::Parts { role: "user", content: content.iter().map(render_part).collect() },
            false => Turn::Text { role: "user", content: render::text_of(content) },
        }),
        Message::Assistant { text, tool_uses, .. } if tool_uses.is_empty() => {
            turns.push(Turn::Text { role: "assistant", content: Cow::Borrowed(text) });
        }
        Message::Assistant { text, tool_uses, .. } => turns.push(Turn::Assistant {
            role: "assistant",
            content: (!text.is_empty()).then_some(text),
            tool_calls: tool_uses
                .iter()
                .map(|call| Call {
                    id: &call.id,
                    r#type: "function",
                    function: CalledFunction {
                        name: &call.name,
                        arguments: render::object(&call.input, "invalid_arguments"),
                    },
                })
                .collect(),
        }),
        Message::ToolResults { results } => push_results(results, turns),
        Message::Reminder { text } if wire.developer_role => {
            turns.push(Turn::Text { role: "developer", content: Cow::Borrowed(text) });
        }
        Message::Reminder { text } => {
            turns.push(Turn::Text { role: "user", content: Cow::Owned(render::reminder(text)) });
        }
    }
}

/// A tool turn holds text only, so images follow in a user turn behind all results.
fn push_results<'a>(results: &'a [ToolResult], turns: &mut Vec<Turn<'a>>) {
    let mut images = Vec::new();
    for result in results {
        let mut content = render::text_of(&result.content);
        if render::has_image(&result.content) {
            if content.is_empty() {
                content = Cow::Borrowed("The result is an image. It follows in the next message.");
            }
            images.push(Content::Text {
                text: Cow::Owned(format!("Images of {} ({}):", result.name, result.tool_use_id)),
            });
            let parts = result.content.iter().filter(|part| matches!(part, Part::Image { .. }));
            images.extend(parts.map(render_part));
        }
        turns.push(Turn::Tool { role: "tool", tool_call_id: &result.tool_use_id, content });
    }
    if !images.is_empty() {
        turns.push(Turn::Parts { role: "user", content: images });
    }
}

fn render_part(part: &Part) -> Content<'_> {
    match part {
        Part::Text { text } => Content::Text { text: Cow::Borrowed(text) },
        Part::Image { media_type, data } => {
            Content::ImageUrl { image_url: ImageUrl { url: render::data_url(media_type, data) } }
        }
    }
}
