//! Objects: one shared loop that expects the properties in declaration order and copes with any.

use super::Reader;
use super::ahead::{Ahead, Progress};
use super::union::Pending;
use super::view::{Seen, owns};
use crate::json::fault::Fault;
use crate::report::Code;
use crate::shape::{Field, Role};
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

pub(super) const NOWHERE: usize = usize::MAX;

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
                    matches!(field.role(), Role::Flatten) && owns(field.shape(), &name, self.options.stored)
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

    fn index_of(&mut self, fields: &'static [Field], name: &str) -> Option<usize> {
        let (length, first) = (name.len(), name.as_bytes().first());
        let found = fields.iter().position(|field| {
            let key = field.key.bytes();
            key.len() == length
                && key.first() == first
                && key == name.as_bytes()
                && !matches!(field.role(), Role::Flatten)
        });
        if found.is_none() && self.options.stored {
            return self.alias_of(fields, name);
        }
        found
    }

    #[cold]
    fn alias_of(&mut self, fields: &'static [Field], name: &str) -> Option<usize> {
        let index = fields.iter().position(|field| field.aliases().contains(&name))?;
        let at = self.offset();
        self.note(at, format!("read as the property {:?}, of which it is another name", fields.get(index)?.key.name()));
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
            if !fields.awaits(index, &self.wide) || matches!(field.role(), Role::Flatten) {
                continue;
            }
            if self.options.absent_is_null && field.shape().takes_null() {
                continue;
            }
            if self.options.stored && matches!(field.role(), Role::Defaulted) {
                self.note(fields.start, format!("the property {:?} is absent and has its default", field.key.name()));
                continue;
            }
            self.record(fields.start, Fault::Missing(field.key.name()));
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
