//! One call: arguments to the server, its result to content that a model reads.

use std::borrow::Cow;

use rmcp::model::{CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorCode, ResourceContents};
use rmcp::service::ServiceError;
use rmcp::{Peer, RoleClient};
use serde_json::Value;

use crate::message::Part;
use crate::tool::{Content, ErrorType, ToolError};

/// Images that providers take.
const IMAGES: [&str; 4] = ["image/png", "image/jpeg", "image/gif", "image/webp"];

/// Makes the call. Dropped before its end, it tells the server that nobody waits any more.
pub(super) async fn call(
    peer: Peer<RoleClient>,
    name: Cow<'static, str>,
    arguments: Value,
) -> Result<Content, ToolError> {
    let mut params = CallToolRequestParams::new(name);
    if let Value::Object(arguments) = arguments {
        params = params.with_arguments(arguments);
    }
    match peer.call_tool_once(params).await {
        Ok(CallToolResponse::Complete(result)) => content_of(result),
        Ok(CallToolResponse::InputRequired(_)) => Err(ToolError::dependency("the tool wants to ask somebody")
            .hint("Nobody is there to be asked: give it more to go by, or go on without it.")),
        Ok(_) => Err(ToolError::dependency("the tool answers later, and nobody waits for it")),
        Err(error) => Err(error_of(&error)),
    }
}

/// A result as text and images. What a model can't be shown is named.
fn content_of(result: CallToolResult) -> Result<Content, ToolError> {
    let mut parts: Vec<Part> = result.content.into_iter().filter_map(part_of).collect();
    if let Some(structured) = result.structured_content
        && !parts.iter().any(|part| says(part, &structured))
    {
        parts.push(text(structured.to_string()));
    }
    if result.is_error == Some(true) {
        let texts = parts.iter().filter_map(|part| match part {
            Part::Text { text } => Some(text.as_str()),
            Part::Image { .. } => None,
        });
        return Err(ToolError::new(ErrorType::Internal, true, texts.collect::<Vec<_>>().join("\n")));
    }
    if parts.is_empty() {
        parts.push(text("null"));
    }
    Ok(Content::parts(parts))
}

/// Whether a part is the text of the structured result, which servers send for clients that read text alone.
fn says(part: &Part, structured: &Value) -> bool {
    let Part::Text { text } = part else { return false };
    serde_json::from_str::<Value>(text).is_ok_and(|value| value == *structured)
}

/// A block as a part; an empty text is none.
fn part_of(block: ContentBlock) -> Option<Part> {
    Some(match block {
        ContentBlock::Text(block) if block.text.is_empty() => return None,
        ContentBlock::Text(block) => text(block.text),
        ContentBlock::Image(block) if IMAGES.contains(&block.mime_type.as_str()) => {
            Part::Image { media_type: block.mime_type, data: block.data }
        }
        ContentBlock::Image(block) => hidden("an image", Some(&block.mime_type)),
        ContentBlock::Audio(block) => hidden("a sound", Some(&block.mime_type)),
        ContentBlock::Resource(block) => match block.resource {
            ResourceContents::TextResourceContents { text: inside, .. } => text(inside),
            ResourceContents::BlobResourceContents { uri, mime_type, .. } => {
                hidden(&format!("the file {uri}"), mime_type.as_deref())
            }
            _ => hidden("a resource", None),
        },
        ContentBlock::ResourceLink(link) => text(format!("[a link to {}: {}]", link.uri, link.name)),
        _ => hidden("something", None),
    })
}

fn text(text: impl Into<String>) -> Part {
    Part::Text { text: text.into() }
}

fn hidden(what: &str, media_type: Option<&str>) -> Part {
    text(format!("[{what} of the type {} came, which can't be shown]", media_type.unwrap_or("unknown")))
}

/// A failed exchange. The server's words go to the model where they are about the call.
fn error_of(error: &ServiceError) -> ToolError {
    match error {
        ServiceError::McpError(said) if said.code == ErrorCode::INVALID_PARAMS => ToolError::validation(&said.message),
        ServiceError::McpError(said) if said.code == ErrorCode::METHOD_NOT_FOUND => ToolError::not_found(&said.message),
        ServiceError::McpError(said) => ToolError::new(ErrorType::Internal, true, &said.message),
        ServiceError::TransportSend(_) | ServiceError::TransportClosed => {
            ToolError::connection("the tool's server can't be reached")
        }
        ServiceError::Timeout { timeout } => {
            ToolError::new(ErrorType::Timeout, true, format_args!("the tool's server took longer than {timeout:?}"))
        }
        ServiceError::Cancelled { .. } => {
            ToolError::new(ErrorType::Cancelled, true, "the tool's server cancelled the call")
        }
        _ => ToolError::dependency("the tool's server gave an answer that is none"),
    }
}
