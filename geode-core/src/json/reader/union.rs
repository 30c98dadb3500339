//! Unions, in serde's four taggings, and unions of versions.

use super::object::Fields;
use super::view::{Sight, View};
use super::{DONE, Reader};
use crate::json::fault::Fault;
use crate::output::StructuredOutput;
use crate::report::Code;
use crate::shape::{Body, Tagging, Union};

/// What the next body is to go on from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pending {
    /// From where the reader stands.
    Nothing,
    /// From an object that has been looked into.
    Body {
        /// Offset of its opening brace.
        start: usize,
        /// What is to be seen of it, as in [`Fields`].
        view: usize,
        /// Offset behind the tag, where the tag came first.
        resume: Option<usize>,
    },
    /// The body is nothing, and has been read.
    Unit,
}

/// What is left to do when a variant's body has been read.
enum Rest {
    Nothing,
    /// Close the object around the body.
    Object(Fields),
    /// Close the object around the tag and the content, going on from this offset.
    Adjacent(Fields, &'static str, &'static str, Option<usize>),
    /// Forget the view that hid the tag.
    Views(usize),
}

impl Reader<'_> {
    /// Reads a value of a union, whatever its tagging: finds the variant, calls `variant` with its index to read the
    /// body by [`unit`](Self::unit), [`payload`](Self::payload) or [`object`](Self::object), and closes what it opened.
    pub fn union<T>(
        &mut self,
        union: &'static Union,
        mut variant: impl FnMut(&mut Self, usize) -> Option<T>,
    ) -> Option<T> {
        let untagged = matches!(union.tagging, Tagging::Untagged);
        if untagged || union.variants.iter().any(|variant| variant.untagged) {
            let mut value = None;
            let accepted = self.untagged(union, !untagged, &mut |reader, index| {
                value = match index {
                    Some(index) => variant(reader, index),
                    None => reader.tagged(union, &mut variant),
                };
                value.is_some()
            });
            return value.filter(|_| accepted);
        }
        self.tagged(union, &mut variant)
    }

    fn tagged<T>(
        &mut self,
        union: &'static Union,
        variant: &mut impl FnMut(&mut Self, usize) -> Option<T>,
    ) -> Option<T> {
        let (index, rest) = self.choose(union)?;
        let value = variant(self, index);
        self.conclude(rest).and(value)
    }

    /// Inside [`union`](Self::union): the body of a variant that carries nothing.
    #[inline(never)]
    pub fn unit(&mut self) -> Option<()> {
        match self.pending {
            Pending::Unit => {
                self.pending = Pending::Nothing;
                Some(())
            }
            Pending::Body { .. } => {
                let mut fields = self.object(&[]);
                while self.field(&mut fields) != DONE {}
                Some(())
            }
            Pending::Nothing => self.nothing(),
        }
    }

    /// Inside [`union`](Self::union): the body of a newtype variant.
    #[inline]
    pub fn payload<T: StructuredOutput>(&mut self) -> Option<T> {
        T::read(self)
    }

    /// Finds the variant of a tagged union and stands before its body.
    #[inline(never)]
    fn choose(&mut self, union: &'static Union) -> Option<(usize, Rest)> {
        let mark = self.mark();
        let chosen = match union.tagging {
            Tagging::External => self.choose_external(union),
            Tagging::Internal { tag } => self.choose_internal(union, tag),
            Tagging::Adjacent { tag, content } => self.choose_adjacent(union, tag, content),
            Tagging::Version { tag } => self.choose_version(union, tag),
            Tagging::Untagged => None,
        };
        if self.halted {
            return None;
        }
        if chosen.is_none() || chosen.as_ref().is_some_and(|(index, _)| *index == union.variants.len()) {
            // nothing was acceptable, or all of it stands for the fallback
            self.abandon(&mark);
        }
        chosen
    }

    /// Opens the object that is pending, or comes next, to look at its properties by name.
    fn look(&mut self) -> Option<Fields> {
        let fields = match self.pending {
            Pending::Body { start, view, resume } => {
                self.at = resume.unwrap_or(start);
                Fields::unknown(start, view, resume)
            }
            _ => {
                if self.peek() != b'{' {
                    let expected = Fault::Plain(Code::Type, "an object");
                    self.not_a_value(expected);
                    return None;
                }
                Fields::unknown(self.at, 0, None)
            }
        };
        self.pending = Pending::Nothing;
        self.enter();
        (!self.halted).then_some(fields)
    }

    /// Records `fault` for the value that comes, unless no value comes at all.
    #[cold]
    fn not_a_value(&mut self, fault: Fault) {
        match self.peek() {
            b'"' | b'{' | b'[' | b't' | b'f' | b'n' | b'-' | b'0'..=b'9' => self.record(self.at, fault),
            _ => self.broken(self.at, "a JSON value"),
        }
    }

    fn choose_external(&mut self, union: &'static Union) -> Option<(usize, Rest)> {
        let spliced = self.pending != Pending::Nothing;
        if !spliced && self.peek() == b'"' {
            let at = self.at;
            let name = self.quoted()?;
            let index = self.variant_of(union, &name, at)?;
            let Some(variant) = union.variants.get(index) else { return Some((index, Rest::Nothing)) };
            if !matches!(variant.body, Body::Unit) {
                let expected = format!("an object with the property {:?}", variant.name);
                self.record(at, Fault::Told(Code::Type, expected));
                return None;
            }
            self.pending = Pending::Unit;
            return Some((index, Rest::Nothing));
        }
        if !spliced && self.peek() != b'{' {
            let only_units = union.variants.iter().all(|variant| matches!(variant.body, Body::Unit));
            let expected = if only_units { "a string" } else { "an object that names its variant" };
            self.not_a_value(Fault::Plain(Code::Type, expected));
            return None;
        }
        let mut fields = self.look()?;
        let Some(name) = self.property(&mut fields) else {
            let expected = Fault::Tag(union).expected();
            self.record(fields.start, Fault::Told(Code::Missing, format!("a property that is {expected}")));
            return None;
        };
        let index = self.variant_of(union, &name, fields.named)?;
        let Some(variant) = union.variants.get(index) else { return Some((index, Rest::Nothing)) };
        if matches!(variant.body, Body::Unit) {
            if !spliced {
                self.record(fields.start, Fault::Told(Code::Type, format!("the string {:?}", variant.name)));
                return None;
            }
            self.nothing()?;
            self.pending = Pending::Unit;
        }
        Some((index, Rest::Object(fields)))
    }

    fn choose_internal(&mut self, union: &'static Union, tag: &'static str) -> Option<(usize, Rest)> {
        let depth = self.depth;
        let before = self.pending;
        let mut fields = self.look()?;
        let start = fields.start;
        let (parent, resume) = match before {
            Pending::Body { view, resume, .. } => (view, resume),
            _ => (0, None),
        };
        let mut leads = true;
        while let Some(name) = self.property(&mut fields) {
            if name != tag {
                leads = false;
                self.skip();
                continue;
            }
            let at = self.offset();
            let name = self.string()?;
            let index = self.variant_of(union, &name, at)?;
            if index == union.variants.len() {
                return Some((index, Rest::Nothing));
            }
            let views = self.views.len();
            self.views.push(View { parent, sight: Sight::Without(tag, at) });
            let resume = if leads { Some(self.at) } else { resume };
            self.pending = Pending::Body { start, view: views + 1, resume };
            (self.at, self.depth) = (start, depth);
            return Some((index, Rest::Views(views)));
        }
        self.record(start, Fault::Missing(tag));
        None
    }

    /// Looks for the version, wherever it stands, and goes back to the start: the version is one of the body's own
    /// properties.
    fn choose_version(&mut self, union: &'static Union, tag: &'static str) -> Option<(usize, Rest)> {
        let (depth, before) = (self.depth, self.pending);
        let mut fields = self.look()?;
        let start = fields.start;
        while let Some(name) = self.property(&mut fields) {
            if name != tag {
                self.skip();
                continue;
            }
            let at = self.offset();
            let version = self.string()?;
            let Some(index) = union.variants.iter().position(|variant| variant.name == version) else {
                self.record(at, Fault::Version(union));
                return None;
            };
            (self.at, self.depth, self.pending) = (start, depth, before);
            return Some((index, Rest::Nothing));
        }
        self.record(start, Fault::Missing(tag));
        None
    }

    fn choose_adjacent(
        &mut self,
        union: &'static Union,
        tag: &'static str,
        content: &'static str,
    ) -> Option<(usize, Rest)> {
        let mut fields = self.look()?;
        let (mut chosen, mut body) = (None, None);
        while let Some(name) = self.property(&mut fields) {
            if chosen.is_none() && name == tag {
                let at = self.offset();
                let name = self.string()?;
                let index = self.variant_of(union, &name, at)?;
                let Some(variant) = union.variants.get(index) else { return Some((index, Rest::Nothing)) };
                if matches!(variant.body, Body::Unit) {
                    if let Some(at) = body {
                        self.record(at, Fault::Told(Code::UnknownProperty, format!("no {:?}", content)));
                        return None;
                    }
                    self.pending = Pending::Unit;
                    return Some((index, Rest::Adjacent(fields, tag, content, None)));
                }
                if let Some(body) = body {
                    let back = std::mem::replace(&mut self.at, body);
                    return Some((index, Rest::Adjacent(fields, tag, content, Some(back))));
                }
                chosen = Some(index);
            } else if body.is_none() && name == content {
                if let Some(index) = chosen {
                    return Some((index, Rest::Adjacent(fields, tag, content, None)));
                }
                body = Some(self.offset());
                self.skip();
            } else {
                self.surplus(&name, tag, content, chosen.is_some(), body.is_some());
            }
        }
        self.record(fields.start, Fault::Missing(if chosen.is_none() { tag } else { content }));
        None
    }

    /// Records a property of a tagged object that is neither the tag nor the content, or is so a second time.
    #[cold]
    fn surplus(&mut self, name: &str, tag: &str, content: &str, tagged: bool, held: bool) {
        let at = self.offset();
        let again = name == tag && tagged || name == content && held;
        let fault = match again {
            true => Fault::Plain(Code::Duplicate, "each property once"),
            false => Fault::Plain(Code::UnknownProperty, "only the properties that the object has"),
        };
        self.record(at, fault);
        self.skip();
    }

    /// Closes what [`choose`](Self::choose) opened.
    #[inline(never)]
    fn conclude(&mut self, rest: Rest) -> Option<()> {
        self.pending = Pending::Nothing;
        match rest {
            Rest::Nothing => {}
            Rest::Views(views) => self.views.truncate(views),
            Rest::Object(mut fields) => {
                while self.property(&mut fields).is_some() {
                    let at = self.offset();
                    self.record(at, Fault::Plain(Code::UnknownProperty, "a single property"));
                    self.skip();
                }
            }
            Rest::Adjacent(mut fields, tag, content, back) => {
                if let Some(back) = back
                    && !self.halted
                {
                    self.at = back;
                }
                while let Some(name) = self.property(&mut fields) {
                    self.surplus(&name, tag, content, true, true);
                }
            }
        }
        (!self.halted).then_some(())
    }
}
