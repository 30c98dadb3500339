//! Objects: one shared loop that expects the properties in declaration order and copes with any.

use super::Reader;
use super::union::Pending;
use crate::json::fault::Fault;
use crate::json::scan::word;
use crate::report::Code;
use crate::shape::{Body, Edge, Field, Key, Role, Shape, Tagging};
use std::borrow::Cow;

/// What [`Reader::field`] returns when the object is done.
pub const DONE: usize = usize::MAX;

/// Progress through one object's properties.
#[derive(Debug)]
pub struct Fields {
    fields: &'static [Field],
    /// Bits of properties that are still to come; the first 64.
    awaited: u64,
    /// Index of the property that is expected next.
    next: usize,
    /// Offset of the opening brace; [`NOWHERE`] where no object came.
    pub(super) start: usize,
    /// Offset of the last name that was not the expected one.
    pub(super) named: usize,
    /// What is to be seen of the object: one more than an index into the reader's views, or 0 for all.
    view: usize,
    /// Where the reader's bit sets for the properties beyond 64 start.
    wide: usize,
    /// Whether no property has been read yet, so that no comma is due.
    first: bool,
    /// How often the expected property was another one. After two times nothing is expected any more.
    misses: u8,
}

const NOWHERE: usize = usize::MAX;

/// What is to be seen of an object that is read for a part of it.
#[derive(Debug, Clone, Copy)]
pub(super) struct View {
    /// The view beneath, as in [`Fields`].
    pub(super) parent: usize,
    pub(super) sight: Sight,
}

/// Which properties a view leaves to be seen.
#[derive(Debug, Clone, Copy)]
pub(super) enum Sight {
    /// Only those of a flattened field's shape.
    Only(Edge),
    /// All but a tag. The offset is that of the tag's value; a second one is a repetition.
    Without(&'static Key, usize),
}

/// What a view says about one property.
enum Seen {
    Yes,
    No,
    Again,
}

impl Key {
    /// Whether the name comes at `at`, in quotation marks and directly followed by a colon. The offset behind that.
    #[inline(always)]
    fn comes(&self, bytes: &[u8], at: usize) -> Option<usize> {
        let head = word(bytes, at)?;
        if (head ^ self.head) & self.head_mask != 0 {
            return None;
        }
        let length = self.name.len() + 3;
        if length > 8 {
            let tail = word(bytes, at + 8)?;
            if (tail ^ self.tail) & self.tail_mask != 0 {
                return None;
            }
            if length > 16 && !self.rest_comes(bytes, at) {
                return None;
            }
        }
        Some(at + length)
    }

    /// Whether the quoted name and the colon come, of which the first sixteen bytes do.
    fn rest_comes(&self, bytes: &[u8], at: usize) -> bool {
        let rest = self.name.as_bytes().get(15..).unwrap_or_default();
        let Some(text) = bytes.get(at + 16..) else { return false };
        text.starts_with(rest) && text.get(rest.len()..).is_some_and(|text| text.starts_with(b"\":"))
    }
}

impl<'a> Reader<'a> {
    /// Opens an object whose properties are `fields`. Where no object comes, records that, skips what comes, and the
    /// result is done at once.
    ///
    /// Inside [`union`](Self::union) it goes on where the union left off: behind a tag, or at the content.
    #[inline(never)]
    pub fn object(&mut self, fields: &'static [Field]) -> Fields {
        let awaited = match fields.len() {
            0 => 0,
            count @ 1..=63 => (1 << count) - 1,
            _ => u64::MAX,
        };
        let mut opened =
            Fields { fields, awaited, next: 0, start: self.at, named: 0, view: 0, wide: 0, first: true, misses: 0 };
        if fields.len() > 64 {
            opened.wide = self.wide.len();
            self.wide.resize(opened.wide + (fields.len() - 1) / 64, u64::MAX);
        }
        if let Pending::Body { start, view, resume } = self.pending {
            self.pending = Pending::Nothing;
            (opened.start, opened.view, opened.first) = (start, view, resume.is_none());
            self.at = resume.unwrap_or(start + 1);
            self.enter();
        } else if self.peek() == b'{' {
            opened.start = self.at;
            self.enter();
            self.at += usize::from(!self.halted);
        } else {
            self.mismatch("an object");
            opened.start = NOWHERE;
        }
        opened
    }

    /// Moves to the next property and stands before its value. Returns its index, or [`DONE`].
    ///
    /// Unknown and repeated properties are recorded and skipped here; missing ones are recorded at the end. After the
    /// text broke it is always `DONE`.
    #[inline(never)]
    pub fn field(&mut self, fields: &mut Fields) -> usize {
        if let Some(expected) = fields.fields.get(fields.next)
            && fields.misses < 2
        {
            let bytes = self.text.as_bytes();
            let mut at = self.at;
            let mut due = true;
            if !fields.first {
                due = bytes.get(at) == Some(&b',');
                at += 1;
            }
            if due {
                if bytes.get(at).is_some_and(|&byte| byte <= b' ') {
                    at = crate::json::scan::skip_white(bytes, at);
                }
                if let Some(behind) = expected.key.comes(bytes, at) {
                    let index = fields.next;
                    if fields.take(index, &mut self.wide) {
                        self.at = behind;
                        fields.first = false;
                        fields.next = index + 1;
                        return index;
                    }
                }
            }
        }
        self.unexpected(fields)
    }

    /// Moves to the next property of the object that is ours, wherever it stands in the declaration.
    #[inline(never)]
    fn unexpected(&mut self, fields: &mut Fields) -> usize {
        while let Some(name) = self.property(fields) {
            let index = self.index_of(fields.fields, &name);
            let Some(index) = index else {
                let known = fields.fields.iter().any(|field| {
                    matches!(field.role, Role::Flatten) && owns(field.shape.shape(), &name, self.options.stored)
                });
                if !known {
                    let at = self.offset();
                    self.record(at, Fault::Unknown(fields.fields));
                }
                self.skip();
                continue;
            };
            if !fields.take(index, &mut self.wide) {
                let at = self.offset();
                self.record(at, Fault::Plain(Code::Duplicate, "each property once"));
                self.skip();
                continue;
            }
            fields.misses = fields.misses.saturating_add(u8::from(index != fields.next));
            fields.next = index + 1;
            return index;
        }
        self.close(fields);
        DONE
    }

    /// Moves to the next property that is to be seen, stands behind its colon and returns its name; `None` when the
    /// object has ended or the text broke.
    pub(super) fn property(&mut self, fields: &mut Fields) -> Option<Cow<'a, str>> {
        if fields.start == NOWHERE {
            return None;
        }
        loop {
            let mut next = self.peek();
            if next == b'}' {
                self.at += 1;
                self.depth -= 1;
                return None;
            }
            if !fields.first {
                if next != b',' {
                    self.broken(self.at, "a comma or `}`");
                    return None;
                }
                self.at += 1;
                next = self.peek();
            }
            if next != b'"' {
                self.broken(self.at, "a property name");
                return None;
            }
            fields.first = false;
            fields.named = self.at;
            let name = self.quoted()?;
            if self.peek() != b':' {
                self.broken(self.at, "a colon");
                return None;
            }
            self.at += 1;
            if fields.view == 0 {
                return Some(name);
            }
            let at = self.offset();
            match self.seen(fields.view, &name, at) {
                Seen::Yes => return Some(name),
                Seen::No => {}
                Seen::Again => self.record(at, Fault::Plain(Code::Duplicate, "each property once")),
            }
            self.skip();
        }
    }

    /// Whether the property `name`, whose value stands at offset `at`, is to be seen.
    fn seen(&self, mut view: usize, name: &str, at: usize) -> Seen {
        while let Some(View { parent, sight }) = view.checked_sub(1).and_then(|index| self.views.get(index)) {
            match sight {
                Sight::Only(edge) if !owns(edge.shape(), name, self.options.stored) => return Seen::No,
                Sight::Without(tag, first) if tag.name == name => {
                    return if *first == at { Seen::No } else { Seen::Again };
                }
                _ => {}
            }
            view = *parent;
        }
        Seen::Yes
    }

    fn index_of(&mut self, fields: &'static [Field], name: &str) -> Option<usize> {
        let (length, first) = (name.len(), name.as_bytes().first());
        let found = fields.iter().position(|field| {
            let key = field.key.name;
            key.len() == length
                && key.as_bytes().first() == first
                && key == name
                && !matches!(field.role, Role::Flatten)
        });
        if found.is_none() && self.options.stored {
            return self.alias_of(fields, name);
        }
        found
    }

    #[cold]
    fn alias_of(&mut self, fields: &'static [Field], name: &str) -> Option<usize> {
        let index = fields.iter().position(|field| field.aliases.contains(&name))?;
        let at = self.offset();
        self.note(at, format!("read as the property {:?}, of which it is another name", fields.get(index)?.key.name));
        Some(index)
    }

    /// After the object's end: records what is missing.
    fn close(&mut self, fields: &mut Fields) {
        let (words, start) = (fields.fields.len().div_ceil(64).saturating_sub(1), fields.start);
        fields.next = usize::MAX;
        let whole = fields.awaited == 0 && words == 0;
        if !whole && start != NOWHERE && !self.halted {
            self.missing(fields);
        }
        if words > 0 {
            self.wide.truncate(fields.wide);
        }
    }

    #[cold]
    #[inline(never)]
    fn missing(&mut self, fields: &Fields) {
        for (index, field) in fields.fields.iter().enumerate() {
            if !fields.awaits(index, &self.wide) || matches!(field.role, Role::Flatten) {
                continue;
            }
            if self.options.absent_is_null && field.shape.shape().takes_null() {
                continue;
            }
            if self.options.stored && matches!(field.role, Role::Defaulted) {
                self.note(fields.start, format!("the property {:?} is absent and has its default", field.key.name));
                continue;
            }
            self.record(fields.start, Fault::Missing(field.key.name));
        }
    }

    /// Reads a part of the object that was just read by a `Fields` with flattened fields: the same text again, seeing
    /// only the properties that belong to the field at `index`.
    pub(super) fn part(&mut self, fields: &Fields, index: usize, read: impl FnOnce(&mut Self)) {
        let Some(field) = fields.fields.get(index) else { return };
        if fields.start == NOWHERE || self.halted {
            return;
        }
        let (behind, views) = (self.at, self.views.len());
        self.views.push(View { parent: fields.view, sight: Sight::Only(field.shape) });
        self.pending = Pending::Body { start: fields.start, view: views + 1, resume: None };
        self.at = fields.start;
        read(self);
        self.views.truncate(views);
        self.pending = Pending::Nothing;
        if !self.halted {
            self.at = behind;
        }
    }
}

impl Fields {
    /// Progress through an object whose properties are found by name alone.
    pub(super) fn unknown(start: usize, view: usize, resume: Option<usize>) -> Fields {
        let first = resume.is_none();
        Fields { fields: &[], awaited: 0, next: 0, start, named: 0, view, wide: 0, first, misses: 2 }
    }

    /// Takes the property `index` as read. `false` where it was before.
    #[inline(always)]
    fn take(&mut self, index: usize, wide: &mut [u64]) -> bool {
        let set = match index.checked_sub(64) {
            None => &mut self.awaited,
            Some(index) => match wide.get_mut(self.wide + index / 64) {
                Some(set) => set,
                None => return true,
            },
        };
        let bit = 1 << (index % 64);
        let awaited = *set & bit != 0;
        *set &= !bit;
        awaited
    }

    fn awaits(&self, index: usize, wide: &[u64]) -> bool {
        let set = match index.checked_sub(64) {
            None => self.awaited,
            Some(index) => wide.get(self.wide + index / 64).copied().unwrap_or(0),
        };
        set & 1 << (index % 64) != 0
    }
}

/// Whether the property `name` belongs to a shape that is flattened into the object around it.
fn owns(shape: &Shape, name: &str, stored: bool) -> bool {
    let has = |fields: &[Field]| {
        fields.iter().any(|field| match field.role {
            Role::Flatten => owns(field.shape.shape(), name, stored),
            _ => field.key.name == name || stored && field.aliases.contains(&name),
        })
    };
    match shape {
        Shape::Object(object) => has(object.fields),
        Shape::Nullable(inner) => owns(inner.shape(), name, stored),
        Shape::Annotated(annotated) => owns(annotated.of.shape(), name, stored),
        Shape::Union(union) => {
            let tag = match union.tagging {
                Tagging::Adjacent { tag, content } => return tag.name == name || content.name == name,
                Tagging::Internal { tag } => tag.name == name,
                Tagging::External | Tagging::Untagged | Tagging::Version { .. } => false,
            };
            let external = matches!(union.tagging, Tagging::External);
            tag || union.variants.iter().any(|variant| match &variant.body {
                _ if external && !variant.untagged => {
                    variant.key.name == name || stored && variant.aliases.contains(&name)
                }
                Body::Unit => false,
                Body::Newtype(inner) => owns(inner.shape(), name, stored),
                Body::Fields(fields) => has(fields),
            })
        }
        _ => false,
    }
}
