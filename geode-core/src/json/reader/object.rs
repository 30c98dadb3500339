//! Objects: one shared loop that expects the properties in declaration order and copes with any.

use super::Reader;
use super::union::Pending;
use crate::json::fault::Fault;
use crate::json::scan::{skip_white, word};
use crate::report::Code;
use crate::shape::{Body, Edge, Field, Key, Role, Shape, Tagging};
use std::borrow::Cow;

/// What [`Reader::field`] returns when the object is done.
pub const DONE: usize = usize::MAX;

/// Progress through one object's properties.
#[derive(Debug)]
pub struct Fields {
    fields: &'static [Field],
    progress: Progress,
    /// Offset of the opening brace; [`NOWHERE`] where no object came.
    pub(super) start: usize,
    /// Offset of the last name that was not the expected one.
    pub(super) named: usize,
    /// What is to be seen of the object: one more than an index into the reader's views, or 0 for all.
    pub(super) view: usize,
    /// Where the reader's bit sets for the properties beyond 64 start.
    wide: usize,
}

/// What was read of an object's properties: what the fast path keeps at hand.
#[derive(Debug, Clone, Copy)]
pub(super) struct Progress {
    /// Bits of properties that are still to come; the first 64.
    awaited: u64,
    /// Index of the property that is expected next.
    next: usize,
    /// What has to come before the next property: the opening brace, where the reader then still stands, or a comma.
    due: u8,
}

/// What comes next in an object, where that takes no more than comparing bytes.
pub(super) enum Ahead {
    /// A property that is still to come, and the offset behind its colon.
    Property { index: usize, behind: usize },
    /// The end, all properties read, and the offset behind it.
    End { behind: usize },
    /// Anything else.
    Unclear,
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
    /// Whether `text`, whose first seven bytes are those of `head`, starts with the name in quotation marks, directly
    /// followed by a colon. The length of all that.
    #[inline(always)]
    fn leads(&self, head: u64, text: &[u8]) -> Option<usize> {
        if (head ^ self.head) & self.head_mask != 0 {
            return None;
        }
        let length = self.name.len() + 3;
        let leads = length <= 7 || self.rest_leads(text, length);
        leads.then_some(length)
    }

    /// The same where the first seven bytes do.
    #[inline]
    fn rest_leads(&self, text: &[u8], length: usize) -> bool {
        let Some(text) = text.get(..length) else { return false };
        text.last_chunk().is_some_and(|last| u64::from_le_bytes(*last) == self.last)
            && (length <= 15 || word(text, 7) == Some(self.middle) && (length <= 23 || self.long_leads(text)))
    }

    /// The same where the first fifteen and the last eight bytes do.
    #[inline(never)]
    fn long_leads(&self, text: &[u8]) -> bool {
        let name = self.name.as_bytes();
        text.get(15..).zip(name.get(14..)).is_some_and(|(text, rest)| text.starts_with(rest))
    }
}

impl Key {
    /// Whether the name comes at `at`, behind `due`, and directly followed by a colon. The offset behind that.
    #[inline(always)]
    pub(super) fn comes(&self, due: u8, bytes: &[u8], mut at: usize) -> Option<usize> {
        let mut first = word(bytes, at)?;
        if first as u8 <= b' ' {
            at = skip_white(bytes, at);
            first = word(bytes, at)?;
        }
        if first as u8 != due {
            return None;
        }
        at += 1;
        let mut head = first >> 8;
        if head as u8 <= b' ' {
            at = skip_white(bytes, at);
            head = word(bytes, at)?;
        }
        self.leads(head, bytes.get(at..)?).map(|length| at + length)
    }
}

impl Progress {
    /// Progress through an object with so many properties, at most 64 of them tracked here, of which the first `read`
    /// have been read.
    #[inline(always)]
    pub(super) fn new(count: usize, read: usize) -> Self {
        let all = if count == 0 { 0 } else { u64::MAX >> 64usize.saturating_sub(count) };
        let awaited = if read < 64 { all >> read << read } else { 0 };
        Progress { awaited, next: read, due: if read == 0 { b'{' } else { b',' } }
    }

    /// Takes what comes at `at`, if it is the name of a property still to come and stands there plainly: the expected
    /// one first. `fields` are at most 64.
    #[inline(always)]
    pub(super) fn ahead(&mut self, fields: &'static [Field], bytes: &[u8], at: usize) -> Ahead {
        let at = skip_white(bytes, at);
        if bytes.get(at) != Some(&self.due) {
            return self.end(bytes, at).map_or(Ahead::Unclear, |behind| Ahead::End { behind });
        }
        let at = skip_white(bytes, at + 1);
        let Some((index, length)) = find(fields, self.next, bytes.get(at..).unwrap_or_default()) else {
            return Ahead::Unclear;
        };
        let bit = 1 << (index % 64);
        if self.awaited & bit == 0 {
            return Ahead::Unclear;
        }
        *self = Progress { awaited: self.awaited ^ bit, next: index + 1, due: b',' };
        Ahead::Property { index, behind: at + length }
    }

    /// The offset behind the end of the object, if it comes at `at` and the object has all its properties.
    #[inline(always)]
    pub(super) fn end(&self, bytes: &[u8], at: usize) -> Option<usize> {
        if self.awaited != 0 || self.due != b',' {
            return None;
        }
        let at = skip_white(bytes, at);
        (bytes.get(at) == Some(&b'}')).then_some(at + 1)
    }
}

/// The property whose name `text` starts with, looked for in turn from the expected one on, and the length as in
/// [`Key::leads`].
#[inline(always)]
fn find(fields: &'static [Field], next: usize, text: &[u8]) -> Option<(usize, usize)> {
    let head = word(text, 0)?;
    let (before, after) = fields.split_at_checked(next).unwrap_or((&[], fields));
    let search = |fields: &'static [Field]| {
        fields.iter().enumerate().find_map(|(index, field)| Some((index, field.key.leads(head, text)?)))
    };
    match search(after) {
        Some((index, length)) => Some((next + index, length)),
        None => search(before),
    }
}

impl<'a> Reader<'a> {
    /// Opens an object whose properties are `fields`. Where no object comes, records that, skips what comes, and the
    /// result is done at once.
    ///
    /// Inside [`union`](Self::union) it goes on where the union left off: behind a tag, or at the content.
    #[inline(never)]
    pub fn object(&mut self, fields: &'static [Field]) -> Fields {
        let mut opened = Fields::unopened(fields);
        if let Pending::Body { start, view, resume } = self.pending {
            self.pending = Pending::Nothing;
            (opened.start, opened.view, opened.progress.due) = (start, view, due(resume));
            self.at = resume.unwrap_or(start);
            self.enter();
        } else if self.peek() == b'{' {
            opened.start = self.at;
            self.enter();
        } else {
            self.mismatch("an object");
            return Fields::unopened(&[]);
        }
        if fields.len() > 64 {
            opened.wide = self.wide.len();
            self.wide.resize(opened.wide + (fields.len() - 1) / 64, u64::MAX);
        }
        opened
    }

    /// Enters the object that comes, if there is nothing special about it. The offset of its brace, at which the reader
    /// still stands.
    #[inline(always)]
    pub(super) fn plain_object(&mut self, fields: &'static [Field]) -> Option<usize> {
        let plain = self.pending == Pending::Nothing
            && fields.len() <= 64
            && self.depth < self.options.max_depth
            && self.peek() == b'{';
        if !plain {
            return None;
        }
        self.depth += 1;
        Some(self.at)
    }

    /// Moves to the next property and stands before its value. Returns its index, or [`DONE`].
    ///
    /// Unknown and repeated properties are recorded and skipped here; missing ones are recorded at the end. After the
    /// text broke it is always `DONE`.
    #[inline(never)]
    pub fn field(&mut self, fields: &mut Fields) -> usize {
        let narrow = fields.fields.get(..64).unwrap_or(fields.fields);
        match fields.progress.ahead(narrow, self.text.as_bytes(), self.at) {
            Ahead::Property { index, behind } => {
                self.at = behind;
                index
            }
            Ahead::End { behind } if fields.fields.len() <= 64 => {
                self.leave(behind);
                DONE
            }
            _ => self.unexpected(fields),
        }
    }

    /// Moves to the next property of a [`plain_object`](Self::plain_object), of which something is not as expected. Its
    /// index, or [`DONE`], and the progress.
    #[inline(never)]
    pub(super) fn surprise(&mut self, fields: &'static [Field], progress: Progress, start: usize) -> (usize, Progress) {
        let mut opened = Fields { progress, start, ..Fields::unopened(fields) };
        (self.unexpected(&mut opened), opened.progress)
    }

    /// Leaves an object that has all its properties.
    #[inline(always)]
    pub(super) fn leave(&mut self, behind: usize) {
        self.at = behind;
        self.depth -= 1;
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
            fields.progress.next = index + 1;
            return index;
        }
        self.close(fields);
        DONE
    }

    /// Moves to the next property that is to be seen, stands behind its colon and returns its name; `None` when the
    /// object has ended or the text broke.
    pub(super) fn property(&mut self, fields: &mut Fields) -> Option<Cow<'a, str>> {
        if fields.start == NOWHERE || self.halted {
            return None;
        }
        loop {
            let first = fields.progress.due == b'{';
            if first {
                self.at += 1;
                fields.progress.due = b',';
            }
            let mut next = self.peek();
            if next == b'}' {
                self.at += 1;
                self.depth -= 1;
                return None;
            }
            if !first {
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
        fields.progress.next = usize::MAX;
        let whole = fields.progress.awaited == 0 && words == 0;
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

    /// Reads a part of an object that was just read: the same text again, from its brace at `start` on, seeing only the
    /// properties that belong to the flattened `field`. `view` is what is to be seen of the object itself.
    pub(super) fn part(&mut self, field: &'static Field, start: usize, view: usize, read: impl FnOnce(&mut Self)) {
        if start == NOWHERE || self.halted {
            return;
        }
        let (behind, views) = (self.at, self.views.len());
        self.views.push(View { parent: view, sight: Sight::Only(field.shape) });
        self.pending = Pending::Body { start, view: views + 1, resume: None };
        self.at = start;
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
        let progress = Progress { awaited: 0, next: 0, due: due(resume) };
        Fields { progress, start, view, ..Fields::unopened(&[]) }
    }

    /// Progress through an object with these properties that has yet to be opened.
    fn unopened(fields: &'static [Field]) -> Fields {
        Fields { fields, progress: Progress::new(fields.len(), 0), start: NOWHERE, named: 0, view: 0, wide: 0 }
    }

    /// Takes the property `index` as read. `false` where it was before.
    #[inline(always)]
    fn take(&mut self, index: usize, wide: &mut [u64]) -> bool {
        let set = match index.checked_sub(64) {
            None => &mut self.progress.awaited,
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
            None => self.progress.awaited,
            Some(index) => wide.get(self.wide + index / 64).copied().unwrap_or(0),
        };
        set & 1 << (index % 64) != 0
    }
}

/// What has to come before the next property of an object that goes on from `resume`, or from its brace.
fn due(resume: Option<usize>) -> u8 {
    if resume.is_some() { b',' } else { b'{' }
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
