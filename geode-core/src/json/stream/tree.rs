//! The values found so far, in one arena, as ranges of the collected text.
//!
//! Nodes stand in the order of the text, so a value's first child is the node behind it, and the arena is only ever
//! added to. A node is small, since a long text has many and fresh memory is what they cost most.

use super::arena::Arena;
use super::token::{Kind, Sink};

/// A value that has begun. Numbers and literals become nodes when they are complete.
#[derive(Debug, Clone, Copy)]
pub(super) struct Node {
    pub(super) kind: Kind,
    pub(super) done: bool,
    /// Whether a string's characters are in [`Tree::decoded`] instead of the text: there was an escape.
    decoded: bool,
    key_decoded: bool,
    /// Where the member's name begins in the text; of a decoded one its place in [`Tree::decodings`].
    key: u32,
    /// Where it begins in the text, quote or bracket included.
    start: u32,
    /// Where it ends in the text, once it is done; of an object or array then its place in [`Tree::closings`], of a
    /// decoded string its place in [`Tree::decodings`].
    end: u32,
}

/// Two offsets.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Range(u32, u32);

impl Range {
    fn of(self, text: &str) -> &str {
        text.get(self.0 as usize..self.1 as usize).unwrap_or_default()
    }
}

/// A string or name that had escapes.
#[derive(Debug, Clone, Copy, Default)]
struct Decoding {
    /// Where it stands in [`Tree::decoded`]; its end counts once it is complete.
    characters: Range,
    /// Where it ends in the text, once it is complete.
    end: u32,
}

/// The end of an object or array.
#[derive(Debug, Clone, Copy, Default)]
struct Closing {
    /// Where it ends in the text.
    end: u32,
    /// The first node behind what is in it.
    behind: u32,
}

/// The arena. The first node is the root. Ids and offsets fit, since [`PushParser`](super::PushParser) limits the text
/// to 32 bits.
#[derive(Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Arena<Node>,
    /// Strings and names that had escapes, without them.
    decoded: String,
    decodings: Vec<Decoding>,
    closings: Vec<Closing>,
    /// Objects and arrays that are open.
    levels: Vec<u32>,
    key: u32,
    key_decoded: bool,
    /// Whether the current string or name goes to `decoded`.
    decoding: bool,
    /// Whether the current text is a name.
    in_key: bool,
}

/// What comes next in an object or array.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cursor {
    /// The next child, if it stands before `end`.
    next: u32,
    /// Where the parent ends in the text.
    end: u32,
}

impl Cursor {
    /// Before the first child of a node; at the end for one that is no object or array.
    pub(super) fn at_first(tree: &Tree, node: &Node, id: u32) -> Self {
        let end = match node.kind {
            Kind::Object | Kind::Array if node.done => tree.closing(node).end,
            Kind::Object | Kind::Array => u32::MAX,
            _ => 0,
        };
        Cursor { next: id + 1, end }
    }

    /// Moves over the next child, if it has begun.
    pub(super) fn advance<'a>(&mut self, tree: &'a Tree) -> Option<(u32, &'a Node)> {
        let id = self.next;
        let node = tree.nodes.get(id as usize).filter(|node| node.start < self.end)?;
        self.next = match node.kind {
            Kind::Object | Kind::Array if node.done => tree.closing(node).behind,
            // the last one
            Kind::Object | Kind::Array => u32::MAX,
            _ => id + 1,
        };
        Some((id, node))
    }

    /// Moves behind the child `id`, which is done.
    #[cfg(feature = "client")]
    pub(super) fn skip(&mut self, tree: &Tree, id: u32) {
        self.next = id;
        self.advance(tree);
    }
}

impl Tree {
    #[inline]
    fn add(&mut self, kind: Kind, start: usize, end: usize, done: bool) {
        let (key, key_decoded) = (self.key, self.key_decoded);
        let (start, end) = (start as u32, end as u32);
        self.nodes.push(Node { kind, done, decoded: false, key_decoded, key, start, end });
    }

    #[inline(never)]
    fn decode(&mut self, text: &str, start: usize, end: usize) {
        self.decoded.push_str(text.get(start..end).unwrap_or_default());
    }

    fn closing(&self, node: &Node) -> Closing {
        self.closings.get(node.end as usize).copied().unwrap_or_default()
    }

    fn decoding(&self, index: u32) -> Decoding {
        self.decodings.get(index as usize).copied().unwrap_or_default()
    }

    /// A node's text, quotes and brackets included, once it is done.
    pub(super) fn raw<'a>(&self, node: &Node, text: &'a str) -> &'a str {
        let end = match node.kind {
            Kind::Object | Kind::Array => self.closing(node).end,
            Kind::String if node.decoded => self.decoding(node.end).end,
            _ => node.end,
        };
        Range(node.start, end).of(text)
    }

    /// A node's name as a member.
    pub(super) fn key<'a>(&'a self, node: &Node, text: &'a str) -> &'a str {
        if node.key_decoded {
            return self.decoding(node.key).characters.of(&self.decoded);
        }
        // between the name and its value there are a quotation mark, a colon and white space
        let name = Range(node.key, node.start).of(text).trim_end();
        let name = name.strip_suffix(':').unwrap_or(name).trim_end();
        name.strip_suffix('"').unwrap_or(name)
    }

    /// A string's characters as far as they have come.
    pub(super) fn characters<'a>(&'a self, node: &Node, text: &'a str) -> &'a str {
        let (all, Range(start, end)) = match node.decoded {
            true => (&*self.decoded, self.decoding(node.end).characters),
            false => (text, Range(node.start + 1, node.end.saturating_sub(1))),
        };
        if node.done { Range(start, end).of(all) } else { all.get(start as usize..).unwrap_or_default() }
    }
}

impl Sink for Tree {
    #[inline]
    fn begin(&mut self, kind: Kind, at: usize) {
        match kind {
            Kind::Object | Kind::Array => {
                self.levels.push(self.nodes.len() as u32);
                self.add(kind, at, at, false);
            }
            Kind::String => {
                self.decoding = false;
                self.in_key = false;
                self.add(kind, at, at, false);
            }
            Kind::Number | Kind::True | Kind::False | Kind::Null => {}
        }
    }

    #[inline]
    fn plain(&mut self, text: &str, start: usize, end: usize) {
        if self.decoding {
            self.decode(text, start, end);
        }
    }

    fn escape(&mut self, text: &str, at: usize) {
        if self.decoding {
            return;
        }
        self.decoding = true;
        let (start, index) = (self.decoded.len() as u32, self.decodings.len() as u32);
        self.decodings.push(Decoding { characters: Range(start, start), end: 0 });
        if self.in_key {
            self.decoded.push_str(Range(self.key, at as u32).of(text));
            self.key = index;
            self.key_decoded = true;
        } else if let Some(node) = self.nodes.last_mut() {
            self.decoded.push_str(Range(node.start + 1, at as u32).of(text));
            node.decoded = true;
            node.end = index;
        }
    }

    fn escaped(&mut self, character: char) {
        self.decoded.push(character);
    }

    #[inline]
    fn end_string(&mut self, at: usize) {
        let end = at as u32 + 1;
        let Some(node) = self.nodes.last_mut() else { return };
        node.done = true;
        if !self.decoding {
            node.end = end;
        } else if let Some(decoding) = self.decodings.last_mut() {
            decoding.characters.1 = self.decoded.len() as u32;
            decoding.end = end;
        }
    }

    #[inline]
    fn begin_key(&mut self, at: usize) {
        self.decoding = false;
        self.in_key = true;
        self.key_decoded = false;
        self.key = at as u32 + 1;
    }

    #[inline]
    fn end_key(&mut self, _: usize) {
        if self.key_decoded
            && let Some(decoding) = self.decodings.last_mut()
        {
            decoding.characters.1 = self.decoded.len() as u32;
        }
    }

    #[inline]
    fn number(&mut self, _: &str, start: usize, end: usize) {
        self.add(Kind::Number, start, end, true);
    }

    #[inline]
    fn literal(&mut self, kind: Kind, end: usize) {
        let length = if kind == Kind::False { 5 } else { 4 };
        self.add(kind, end - length, end, true);
    }

    #[inline]
    fn close(&mut self, end: usize) {
        let closing = Closing { end: end as u32, behind: self.nodes.len() as u32 };
        if let Some(level) = self.levels.pop()
            && let Some(node) = self.nodes.get_mut(level as usize)
        {
            node.done = true;
            node.end = self.closings.len() as u32;
            self.closings.push(closing);
        }
    }
}
