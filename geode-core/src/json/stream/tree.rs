//! The values found so far, in one arena, as ranges of the collected text.

use super::token::{Kind, Sink};

/// No node.
pub(super) const NIL: u32 = u32::MAX;

/// A value that has begun. Numbers and literals become nodes when they are complete.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) done: bool,
    /// Whether `content` is a range of [`Tree::decoded`] instead of the text: there was an escape.
    pub(super) decoded: bool,
    pub(super) key_decoded: bool,
    /// The member's name.
    pub(super) key: Range,
    /// The value as it stands in the text, quotes and brackets included; its end counts once it is done.
    pub(super) raw: Range,
    /// A string's characters; of an object or array the first child.
    pub(super) content: Range,
    /// The next sibling.
    pub(super) next: u32,
}

/// Two offsets, or whatever comes in pairs.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Range(pub(super) u32, pub(super) u32);

impl Range {
    pub(super) fn of(self, text: &str) -> &str {
        text.get(self.0 as usize..self.1 as usize).unwrap_or_default()
    }
}

/// An object or array that is open.
#[derive(Debug)]
struct Level {
    node: u32,
    last: u32,
}

/// The arena. The first node is the root.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    /// Strings and names that had escapes, without them.
    pub(super) decoded: String,
    levels: Vec<Level>,
    key: Range,
    key_decoded: bool,
    /// Whether the current string or name goes to `decoded`.
    decoding: bool,
    /// Whether the current text is a name.
    in_key: bool,
}

impl Tree {
    /// Text offsets fit, since [`PushParser`](super::PushParser) limits the text to 32 bits.
    fn add(&mut self, kind: Kind, raw: Range, done: bool) {
        let content = match kind {
            Kind::Object | Kind::Array => Range(NIL, 0),
            _ => Range(raw.0 + 1, raw.0 + 1),
        };
        let id = self.nodes.len() as u32;
        let (key, key_decoded) = (self.key, self.key_decoded);
        self.nodes.push(Node { kind, done, decoded: false, key_decoded, key, raw, content, next: NIL });
        if let Some(level) = self.levels.last_mut() {
            let (before, first) = if level.last == NIL { (level.node, true) } else { (level.last, false) };
            if let Some(before) = self.nodes.get_mut(before as usize) {
                *(if first { &mut before.content.0 } else { &mut before.next }) = id;
            }
            level.last = id;
        }
    }
}

impl Sink for Tree {
    #[inline]
    fn begin(&mut self, kind: Kind, at: usize) {
        match kind {
            Kind::Object | Kind::Array => {
                let node = self.nodes.len() as u32;
                self.add(kind, Range(at as u32, at as u32), false);
                self.levels.push(Level { node, last: NIL });
            }
            Kind::String => {
                self.decoding = false;
                self.in_key = false;
                self.add(kind, Range(at as u32, at as u32), false);
            }
            Kind::Number | Kind::True | Kind::False | Kind::Null => {}
        }
    }

    #[inline]
    fn plain(&mut self, text: &str, start: usize, end: usize) {
        if self.decoding {
            self.decoded.push_str(text.get(start..end).unwrap_or_default());
        }
    }

    fn escape(&mut self, text: &str, at: usize) {
        if self.decoding {
            return;
        }
        self.decoding = true;
        let start = self.decoded.len() as u32;
        if self.in_key {
            self.decoded.push_str(Range(self.key.0, at as u32).of(text));
            self.key = Range(start, start);
            self.key_decoded = true;
        } else if let Some(node) = self.nodes.last_mut() {
            self.decoded.push_str(Range(node.content.0, at as u32).of(text));
            node.content = Range(start, start);
            node.decoded = true;
        }
    }

    fn escaped(&mut self, character: char) {
        self.decoded.push(character);
    }

    #[inline]
    fn end_string(&mut self, at: usize) {
        if let Some(node) = self.nodes.last_mut() {
            node.done = true;
            node.raw.1 = at as u32 + 1;
            node.content.1 = if node.decoded { self.decoded.len() as u32 } else { at as u32 };
        }
    }

    #[inline]
    fn begin_key(&mut self, at: usize) {
        self.decoding = false;
        self.in_key = true;
        self.key_decoded = false;
        self.key = Range(at as u32 + 1, at as u32 + 1);
    }

    #[inline]
    fn end_key(&mut self, at: usize) {
        self.key.1 = if self.key_decoded { self.decoded.len() as u32 } else { at as u32 };
    }

    #[inline]
    fn number(&mut self, _: &str, start: usize, end: usize) {
        self.add(Kind::Number, Range(start as u32, end as u32), true);
    }

    #[inline]
    fn literal(&mut self, kind: Kind, end: usize) {
        let length = if kind == Kind::False { 5 } else { 4 };
        self.add(kind, Range(end as u32 - length, end as u32), true);
    }

    #[inline]
    fn close(&mut self, end: usize) {
        if let Some(level) = self.levels.pop()
            && let Some(node) = self.nodes.get_mut(level.node as usize)
        {
            node.done = true;
            node.raw.1 = end as u32;
        }
    }
}
