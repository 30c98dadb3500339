//! Prompts of typed LLM functions: what `#[geode::function]` renders.

use std::fmt::{self, Display, Write};

/// A rendered prompt. Content lives here, so `Debug` shows sizes only.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Prompt {
    /// Instructions that stand above the conversation.
    pub system: String,
    /// The user's turn.
    pub user: String,
}

impl Prompt {
    /// A prompt, for generated code.
    #[doc(hidden)]
    pub fn new(system: &str, user: String) -> Self {
        Prompt { system: system.to_owned(), user }
    }
}

impl fmt::Debug for Prompt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prompt")
            .field("system_bytes", &self.system.len())
            .field("user_bytes", &self.user.len())
            .finish()
    }
}

/// Appends a value as data, for generated code: in a block of its own, in which nothing can end the block.
#[doc(hidden)]
pub fn insert_data(prompt: &mut String, name: &str, value: &dyn Display) {
    // writing to a string can't fail; a `Display` that fails leaves what it wrote
    let _ = write!(prompt, "<{name}>");
    let _ = write!(Escaped(prompt), "{value}");
    let _ = write!(prompt, "</{name}>");
}

/// Writes text with the characters that could form a tag escaped.
struct Escaped<'a>(&'a mut String);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for character in text.chars() {
            match character {
                '&' => self.0.push_str("&amp;"),
                '<' => self.0.push_str("&lt;"),
                '>' => self.0.push_str("&gt;"),
                other => self.0.push(other),
            }
        }
        Ok(())
    }
}
