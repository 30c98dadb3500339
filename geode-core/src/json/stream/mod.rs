//! JSON that comes in pieces: a parser that is pushed bytes however they are cut, reads each once, and shows a preview
//! of what is there at any time.
//!
//! The preview is for eyes. A value of the user's type comes only from the whole text, read by the
//! [`Reader`](super::Reader).

mod arena;
mod check;
mod partial;
mod preview;
mod scan;
mod shown;
mod token;
mod tree;
mod variants;

pub use partial::{Partial, Progress};
#[doc(hidden)]
pub use partial::{partial_member, progress, progress_untyped};
#[cfg(feature = "client")]
pub(crate) use preview::Place;
pub use preview::{Elements, Preview, PreviewKind, State};
pub use shown::{List, Map};
#[doc(hidden)]
pub use variants::{partial_variant, partial_variant_member};

use std::borrow::Cow;

use self::check::Checker;
use self::token::{Fault, Tokens};
use self::tree::Tree;
use crate::json::ReadOptions;
use crate::report::{Code, Violation};
use crate::shape::Shape;

/// Most bytes of a streamed text unless another limit is set: 8 MiB.
pub const DEFAULT_MAX_BYTES: usize = 8 << 20;

/// Parses a JSON text while it comes.
///
/// ```
/// use geode_core::json::stream::{PushParser, State};
///
/// let mut parser = PushParser::new();
/// parser.push(br#"{"category": "billing", "confidence": 0.9"#)?;
/// let preview = parser.preview().unwrap();
/// assert_eq!(preview.get("/category").and_then(|value| value.as_str()), Some("billing"));
/// assert!(preview.get("/confidence").is_none()); // 0.9 may go on
///
/// parser.push(b"5}")?;
/// parser.finish()?;
/// let preview = parser.preview().unwrap();
/// assert_eq!(preview.get("/confidence").and_then(|value| value.as_f64()), Some(0.95));
/// assert_eq!(preview.state(), State::Done);
/// # Ok::<(), geode_core::json::stream::StreamError>(())
/// ```
#[must_use]
pub struct PushParser {
    text: String,
    tokens: Tokens,
    tree: Tree,
    checker: Option<Box<Checker>>,
    /// Bytes of a UTF-8 sequence that has not come to its end.
    cut: Cut,
    max_bytes: usize,
    failed: Option<StreamError>,
    /// Whether it failed, or a UTF-8 sequence is cut: no text can be taken.
    blocked: bool,
}

/// Why a text can't go on.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum StreamError {
    /// The text is no JSON, or what came can't become a value of the shape any more.
    Invalid(Box<Violation>),
    /// The text grew over the size limit.
    TooLarge {
        /// The limit in bytes.
        limit: usize,
    },
}

/// At most three bytes.
#[derive(Default)]
struct Cut {
    bytes: [u8; 4],
    length: usize,
}

impl Default for PushParser {
    fn default() -> Self {
        PushParser::new()
    }
}

impl PushParser {
    /// A parser for any JSON text, with the default limits: 8 MiB and 128 levels.
    pub fn new() -> Self {
        Self::with_options(None, &ReadOptions::default())
    }

    /// A parser that also holds what comes against a shape, and fails as soon as no continuation can fit it.
    ///
    /// It never fails on a text that could still be read under the same options. It doesn't find everything: patterns,
    /// formats and the like are left to the reader, as is whatever lies inside an untagged union or a flattened field.
    pub fn for_shape(shape: &'static Shape, options: &ReadOptions) -> Self {
        Self::with_options(Some(shape), options)
    }

    fn with_options(shape: Option<&'static Shape>, options: &ReadOptions) -> Self {
        PushParser {
            text: String::new(),
            tokens: Tokens::new(options.max_depth),
            tree: Tree::default(),
            checker: shape.map(|shape| Box::new(Checker::new(shape, options))),
            cut: Cut::default(),
            max_bytes: DEFAULT_MAX_BYTES,
            failed: None,
            blocked: false,
        }
    }

    /// Sets the most bytes that the text may have. Values over 4 GiB count as 4 GiB.
    pub fn max_bytes(mut self, limit: usize) -> Self {
        self.max_bytes = limit.min(u32::MAX as usize - 1);
        self
    }

    /// Takes more of the text, cut anywhere, also within a character.
    ///
    /// # Errors
    ///
    /// Where the text so far can't be the beginning of a valid one, or is too long. Once failed, it stays failed.
    pub fn push(&mut self, bytes: &[u8]) -> Result<(), StreamError> {
        let mut rest = bytes;
        while self.cut.length > 0 {
            let Some((&first, behind)) = rest.split_first() else { return self.verdict() };
            rest = behind;
            self.complete(first)?;
        }
        match std::str::from_utf8(rest) {
            Ok(text) => self.push_str(text),
            Err(error) => {
                let (valid, broken) = rest.split_at(error.valid_up_to());
                self.push_str(std::str::from_utf8(valid).unwrap_or_default())?;
                if error.error_len().is_some() {
                    return self.fail_at(self.text.len(), Code::Syntax, "UTF-8");
                }
                for &byte in broken {
                    self.cut.add(byte);
                }
                self.blocked = true;
                Ok(())
            }
        }
    }

    /// Takes more of the text.
    ///
    /// # Errors
    ///
    /// As [`push`](Self::push).
    #[inline]
    pub fn push_str(&mut self, text: &str) -> Result<(), StreamError> {
        if self.blocked || text.len() > self.max_bytes - self.text.len() {
            return self.refuse(text);
        }
        let from = self.text.len();
        self.append(text);
        if self.checker.is_some() {
            return self.read_checked(from);
        }
        let read = self.tokens.read(&self.text, from, &mut self.tree);
        if read.is_ok() { Ok(()) } else { self.settle(read) }
    }

    /// Adds a piece to the text. Most are of some four bytes, and four at a time are copied by a single instruction.
    #[inline(always)]
    fn append(&mut self, piece: &str) {
        match piece.split_at_checked(4) {
            Some((four, rest)) if rest.len() < 4 => {
                self.text.push_str(four);
                self.text.push_str(rest);
            }
            _ => self.text.push_str(piece),
        }
    }

    /// Reads the text from offset `from` on, and holds what comes against the shape.
    #[inline(never)]
    fn read_checked(&mut self, from: usize) -> Result<(), StreamError> {
        let Some(checker) = &mut self.checker else { return Ok(()) };
        let read = self.tokens.read(&self.text, from, &mut (&mut self.tree, &mut **checker));
        self.settle(read)
    }

    /// Says that the text has ended.
    ///
    /// # Errors
    ///
    /// Where it ended within its value, or [`push`](Self::push) failed before.
    pub fn finish(&mut self) -> Result<(), StreamError> {
        self.verdict()?;
        if self.cut.length > 0 {
            return self.fail_at(self.text.len(), Code::Syntax, "UTF-8");
        }
        let read = match &mut self.checker {
            None => self.tokens.finish(&self.text, &mut self.tree),
            Some(checker) => self.tokens.finish(&self.text, &mut (&mut self.tree, &mut **checker)),
        };
        self.settle(read)
    }

    /// The root value as far as it has come; `None` before its first byte, or while it is an unfinished number or
    /// literal.
    pub fn preview(&self) -> Option<Preview<'_>> {
        let node = self.tree.nodes.first()?;
        Some(Preview { text: &self.text, tree: &self.tree, node, id: 0 })
    }

    /// The text as far as it has come.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The text as far as it has come.
    pub fn into_text(self) -> String {
        self.text
    }

    /// Whether the root value is complete, so that only whitespace may come.
    pub fn is_done(&self) -> bool {
        self.tokens.is_done()
    }

    /// Whether the text so far ends within a string or a property name.
    #[cfg(feature = "client")]
    pub(crate) fn in_string(&self) -> bool {
        self.tokens.in_string()
    }

    fn settle(&mut self, read: Result<(), Fault>) -> Result<(), StreamError> {
        // the checker stopped where it found its violation, so that one stands before a fault of the same piece
        if let Some(checker) = &mut self.checker
            && let Some(violation) = checker.take_violation()
        {
            return self.fail(StreamError::Invalid(violation));
        }
        match read {
            Ok(()) => Ok(()),
            Err(Fault::Syntax { at, expected }) => self.fail_at(at, Code::Syntax, expected),
            Err(Fault::Depth { at }) => self.fail_at(at, Code::Depth, "fewer levels of nesting"),
            Err(Fault::Trailing { at }) => self.fail_at(at, Code::TrailingText, "the end of the text"),
        }
    }

    /// Adds one byte to a cut UTF-8 sequence, and reads it when it is complete.
    #[cold]
    fn complete(&mut self, byte: u8) -> Result<(), StreamError> {
        self.cut.add(byte);
        let Cut { bytes, length } = self.cut;
        match std::str::from_utf8(bytes.get(..length).unwrap_or_default()) {
            Ok(character) => {
                self.cut.length = 0;
                self.blocked = false;
                self.push_str(character)
            }
            Err(error) if error.error_len().is_none() && length < 4 => Ok(()),
            Err(_) => self.fail_at(self.text.len(), Code::Syntax, "UTF-8"),
        }
    }

    #[cold]
    fn refuse(&mut self, text: &str) -> Result<(), StreamError> {
        self.verdict()?;
        if text.is_empty() {
            return Ok(());
        }
        if self.cut.length > 0 {
            return self.fail_at(self.text.len(), Code::Syntax, "UTF-8");
        }
        self.fail(StreamError::TooLarge { limit: self.max_bytes })
    }

    fn verdict(&self) -> Result<(), StreamError> {
        self.failed.clone().map_or(Ok(()), Err)
    }

    #[cold]
    fn fail_at(&mut self, offset: usize, code: Code, expected: &'static str) -> Result<(), StreamError> {
        let found = self.text.get(offset..).unwrap_or_default().chars().take(1).collect();
        self.fail(StreamError::Invalid(Box::new(Violation {
            pointer: String::new(),
            code,
            expected: Cow::Borrowed(expected),
            found: Cow::Owned(found),
            suggestion: None,
            offset,
        })))
    }

    fn fail(&mut self, error: StreamError) -> Result<(), StreamError> {
        self.failed = Some(error.clone());
        self.blocked = true;
        Err(error)
    }
}

impl Cut {
    fn add(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(self.length) {
            *slot = byte;
            self.length += 1;
        }
    }
}

/// Shows sizes, no content.
impl std::fmt::Debug for PushParser {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PushParser")
            .field("bytes", &self.text.len())
            .field("values", &self.tree.nodes.len())
            .field("done", &self.is_done())
            .finish_non_exhaustive()
    }
}

impl std::fmt::Debug for StreamError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

impl std::fmt::Display for StreamError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            StreamError::Invalid(violation) => write!(f, "the text is invalid: {violation:?}"),
            StreamError::TooLarge { limit } => write!(f, "the text is longer than {limit} bytes"),
        }
    }
}

impl std::error::Error for StreamError {}
