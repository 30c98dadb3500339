//! What a tool gives back, as content of the conversation.

use std::fmt;

use serde::Serialize;

use super::ToolError;
use crate::json::Writer;
use crate::message::Part;
use crate::output::StructuredOutput;

/// A value that a tool may return.
///
/// Everything that serialises is one: it becomes JSON text.
#[diagnostic::on_unimplemented(
    message = "`{Self}` can't be the result of a tool",
    label = "not a tool's result",
    note = "add `#[derive(serde::Serialize)]`, wrap a type that has a wire form alone in `geode::tool::Json`, or return `geode::tool::Content`"
)]
pub trait ToolOutput: Send {
    /// The value as content.
    ///
    /// # Errors
    ///
    /// Where it can't be serialised.
    fn into_content(self) -> Result<Content, ToolError>;
}

/// What a function under `#[geode::tool]` returns.
#[doc(hidden)]
#[diagnostic::on_unimplemented(
    message = "a tool returns `Result<T, geode::tool::ToolError>`, and this one `{Self}`",
    label = "not the result of a tool",
    note = "turn other errors into one: `.map_err(ToolError::internal)`"
)]
pub trait ToolReturn {
    /// The result's value.
    type Output: ToolOutput;
}

impl<T: ToolOutput> ToolReturn for Result<T, ToolError> {
    type Output = T;
}

/// Text and images, in order. `Debug` shows their sizes.
#[derive(Debug)]
pub struct Content(pub(crate) Vec<Part>);

impl Content {
    /// Plain text.
    pub fn text(text: impl Into<String>) -> Self {
        Content(vec![Part::Text { text: text.into() }])
    }

    /// Any parts.
    pub fn parts(parts: impl IntoIterator<Item = Part>) -> Self {
        Content(parts.into_iter().collect())
    }
}

/// An image, which reaches the model as an image and not as text.
pub struct Image {
    media_type: String,
    data: String,
}

impl Image {
    /// An image that is base64 text already. `media_type` is `image/png`, `image/jpeg`, `image/gif` or `image/webp`.
    pub fn from_base64(media_type: impl Into<String>, data: impl Into<String>) -> Self {
        Image { media_type: media_type.into(), data: data.into() }
    }
}

impl fmt::Debug for Image {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Image({}, {} bytes)", self.media_type, self.data.len())
    }
}

/// A result in its wire form, for a type that derives `StructuredOutput` and not `Serialize`. `Debug` does not show it.
///
/// ```
/// use geode_core::tool::{Json, NoArguments, from_fn};
///
/// // The optional number stands for any type with a wire form.
/// let floor = from_fn("floor", "Which floor this is.", |_: NoArguments| async { Ok(Json(Some(3_u8))) });
/// ```
pub struct Json<T>(pub T);

impl<T> fmt::Debug for Json<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Json").finish_non_exhaustive()
    }
}

impl<T: Serialize + Send> ToolOutput for T {
    fn into_content(self) -> Result<Content, ToolError> {
        match serde_json::to_string(&self) {
            Ok(text) => Ok(Content::text(text)),
            Err(error) => Err(ToolError::internal(format_args!("the result can't be serialised: {error}"))),
        }
    }
}

impl ToolOutput for Content {
    fn into_content(self) -> Result<Content, ToolError> {
        Ok(self)
    }
}

impl ToolOutput for Image {
    fn into_content(self) -> Result<Content, ToolError> {
        Ok(Content(vec![Part::Image { media_type: self.media_type, data: self.data }]))
    }
}

impl<T: StructuredOutput + Send> ToolOutput for Json<T> {
    fn into_content(self) -> Result<Content, ToolError> {
        Ok(Content::text(Writer::write(&self.0)))
    }
}
