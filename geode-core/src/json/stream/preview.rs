//! The untyped view of a text that is still coming.

use super::token::Kind;
use super::tree::{Cursor, Node, Tree};

/// A value of a text that is still coming: what can be shown, never what can be relied on.
///
/// Numbers, booleans and `null` are here only once they are complete; a string, an object or an array is here from its
/// first byte on and says by [`state`](Self::state) whether more may come. Nothing has been validated, and nothing
/// turns a preview into a value of the user's type: that comes from the whole text alone.
#[derive(Clone, Copy)]
pub struct Preview<'a> {
    pub(super) text: &'a str,
    pub(super) tree: &'a Tree,
    pub(super) node: &'a Node,
    pub(super) id: u32,
}

/// How far a value has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It has begun; more may come.
    Growing,
    /// It is complete.
    Done,
}

/// What kind of value a [`Preview`] is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum PreviewKind {
    /// `null`.
    Null,
    /// `true` or `false`.
    Boolean,
    /// A number.
    Number,
    /// Text.
    String,
    /// A list.
    Array,
    /// An object.
    Object,
}

impl<'a> Preview<'a> {
    /// Whether more may come.
    pub fn state(&self) -> State {
        if self.node.done { State::Done } else { State::Growing }
    }

    /// Whether the value is complete.
    pub fn is_done(&self) -> bool {
        self.node.done
    }

    /// What kind of value it is.
    pub fn kind(&self) -> PreviewKind {
        match self.node.kind {
            Kind::Object => PreviewKind::Object,
            Kind::Array => PreviewKind::Array,
            Kind::String => PreviewKind::String,
            Kind::Number => PreviewKind::Number,
            Kind::True | Kind::False => PreviewKind::Boolean,
            Kind::Null => PreviewKind::Null,
        }
    }

    /// The text of a string as far as it has come, escapes resolved.
    pub fn as_str(&self) -> Option<&'a str> {
        (self.node.kind == Kind::String).then(|| self.tree.characters(self.node, self.text))
    }

    /// A number as it stands in the text.
    pub fn as_number(&self) -> Option<&'a str> {
        (self.node.kind == Kind::Number).then(|| self.tree.raw(self.node, self.text))
    }

    /// A number as the nearest `f64`.
    pub fn as_f64(&self) -> Option<f64> {
        self.as_number()?.parse().ok()
    }

    /// A number without fraction or exponent, where it fits.
    pub fn as_i64(&self) -> Option<i64> {
        self.as_number()?.parse().ok()
    }

    /// A boolean.
    pub fn as_bool(&self) -> Option<bool> {
        match self.node.kind {
            Kind::True => Some(true),
            Kind::False => Some(false),
            _ => None,
        }
    }

    /// Whether it is `null`.
    pub fn is_null(&self) -> bool {
        self.node.kind == Kind::Null
    }

    /// The elements of an array, or the members' values of an object, that have begun, in order.
    pub fn elements(&self) -> Elements<'a> {
        Elements { text: self.text, tree: self.tree, cursor: Cursor::at_first(self.tree, self.node, self.id) }
    }

    /// The members of an object that have begun, in order, with their names.
    pub fn members(&self) -> impl Iterator<Item = (&'a str, Preview<'a>)> + use<'a> {
        let is_object = self.node.kind == Kind::Object;
        self.elements().filter(move |_| is_object).map(|member| (member.key(), member))
    }

    /// A member of an object by name; the last one where the name came twice.
    pub fn member(&self, name: &str) -> Option<Preview<'a>> {
        self.members().filter(|(key, _)| *key == name).last().map(|(_, value)| value)
    }

    /// The value at a JSON Pointer, seen from here: `/citations/0`. The empty pointer is this value.
    pub fn get(&self, pointer: &str) -> Option<Preview<'a>> {
        if pointer.is_empty() {
            return Some(*self);
        }
        pointer.strip_prefix('/')?.split('/').try_fold(*self, |value, token| match value.node.kind {
            Kind::Object if token.contains('~') => value.member(&token.replace("~1", "/").replace("~0", "~")),
            Kind::Object => value.member(token),
            Kind::Array if token == "0" || !token.starts_with(['0', '+']) => value.elements().nth(token.parse().ok()?),
            _ => None,
        })
    }

    /// A complete value as it stands in the text.
    #[cfg(feature = "client")]
    pub(crate) fn raw(&self) -> Option<&'a str> {
        self.node.done.then(|| self.tree.raw(self.node, self.text))
    }

    fn key(&self) -> &'a str {
        self.tree.key(self.node, self.text)
    }
}

/// Shows how far the value has come, and no content.
impl std::fmt::Debug for Preview<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Preview").field("kind", &self.kind()).field("state", &self.state()).finish_non_exhaustive()
    }
}

/// A place among the elements of one array, which holds while the text grows.
#[cfg(feature = "client")]
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Place {
    /// The element that was handed out last, which is complete.
    last: Option<u32>,
    /// How many elements were handed out.
    pub(crate) passed: usize,
}

#[cfg(feature = "client")]
impl Place {
    /// Moves over the next element and returns its text, if it is complete.
    pub(crate) fn advance<'a>(&mut self, array: Preview<'a>) -> Option<&'a str> {
        if array.kind() != PreviewKind::Array {
            return None;
        }
        let mut cursor = Cursor::at_first(array.tree, array.node, array.id);
        if let Some(last) = self.last {
            cursor.skip(array.tree, last);
        }
        let (id, node) = cursor.advance(array.tree)?;
        let text = Preview { node, id, ..array }.raw()?;
        self.last = Some(id);
        self.passed += 1;
        Some(text)
    }
}

/// The elements of a [`Preview`].
#[derive(Clone)]
pub struct Elements<'a> {
    text: &'a str,
    tree: &'a Tree,
    cursor: Cursor,
}

impl std::fmt::Debug for Elements<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Elements").finish_non_exhaustive()
    }
}

impl<'a> Iterator for Elements<'a> {
    type Item = Preview<'a>;

    fn next(&mut self) -> Option<Preview<'a>> {
        let (id, node) = self.cursor.advance(self.tree)?;
        Some(Preview { text: self.text, tree: self.tree, node, id })
    }
}
