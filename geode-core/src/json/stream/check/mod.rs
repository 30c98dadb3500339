//! Holds a text against a shape while it comes, to stop as soon as no continuation can fit.
//!
//! It is sound and incomplete: what it reports, the reader would report too; what it can't tell cheaply, it leaves to
//! the reader.

mod expect;

use std::borrow::Cow;

use self::expect::{Expect, Names};
use super::token::{Kind, Sink};
use super::tree::Tree;
use crate::json::ReadOptions;
use crate::report::{Code, Violation};
use crate::shape::{Edge, Field, Role, Rules, Shape};

/// Bytes of a property name from which on an unknown one is not waited for.
const MAX_NAME: usize = 64;

/// The place in the shape where the text stands.
pub(super) struct Checker {
    options: ReadOptions,
    levels: Vec<Level>,
    /// What the next value must be.
    next: Expect,
    /// How many levels of unchecked values are open.
    unchecked: usize,
    /// Most characters of the current string.
    max_length: usize,
    length: usize,
    /// What the current string or name must be one of, and its text so far.
    names: Names,
    name: String,
    start: usize,
    violation: Option<Box<Violation>>,
}

/// An object or array that is open.
struct Level {
    place: Place,
    /// What the next element of an array must be.
    inner: Expect,
    /// Elements or members that have begun.
    count: usize,
}

enum Place {
    Array { max_items: usize },
    Object { fields: &'static [Field], seen: u64, current: Option<usize>, start: usize },
    Entry { key: Edge, value: Edge, rules: &'static Rules, current: Option<&'static str> },
    Wrapper { root: &'static Shape },
}

impl Checker {
    pub(super) fn new(shape: &'static Shape, options: &ReadOptions) -> Self {
        let next = match options.wrapped_root {
            true => Expect::wrapper(shape),
            false => Expect::value(shape, &Rules::NONE),
        };
        Checker {
            options: *options,
            levels: Vec::new(),
            next,
            unchecked: 0,
            max_length: usize::MAX,
            length: 0,
            names: Names::Any,
            name: String::new(),
            start: 0,
            violation: None,
        }
    }

    pub(super) fn take_violation(&mut self) -> Option<Box<Violation>> {
        self.violation.take()
    }

    #[cold]
    fn report(&mut self, at: usize, code: Code, expected: String, found: &str) {
        if self.violation.is_some() {
            return;
        }
        self.violation = Some(Box::new(Violation {
            pointer: self.pointer(),
            code,
            expected: expected.into(),
            found: Cow::Owned(found.chars().take(80).collect()),
            suggestion: None,
            offset: at,
        }));
    }

    /// JSON Pointer of the value that has begun.
    fn pointer(&self) -> String {
        let mut pointer = String::new();
        for level in &self.levels {
            pointer.push('/');
            match &level.place {
                Place::Array { .. } => pointer.push_str(&level.count.saturating_sub(1).to_string()),
                Place::Object { fields, current, .. } => {
                    let name =
                        current.and_then(|index| fields.get(index)).map_or(&*self.name, |field| field.key.name());
                    pointer.push_str(&name.replace('~', "~0").replace('/', "~1"));
                }
                Place::Entry { current, .. } => pointer.push_str(current.unwrap_or(&self.name)),
                Place::Wrapper { .. } => pointer.push_str("value"),
            }
        }
        pointer
    }

    /// Whether nothing is to be checked where the text stands.
    fn idle(&self) -> bool {
        self.unchecked > 0 || self.violation.is_some()
    }

    fn begin_value(&mut self, kind: Kind, at: usize) {
        let opens = matches!(kind, Kind::Object | Kind::Array);
        if self.idle() {
            self.unchecked += usize::from(opens);
            return;
        }
        self.start = at;
        if let Some(level) = self.levels.last_mut()
            && let Place::Array { max_items } = level.place
        {
            level.count += 1;
            self.next = level.inner;
            if level.count > max_items {
                self.levels.pop(); // the list is at fault, not its element
                return self.report(at, Code::Items, format!("at most {max_items} elements"), "");
            }
        }
        if !self.next.takes(kind) {
            return self.report(at, Code::Type, self.next.describe(), kind.describe());
        }
        match kind {
            Kind::Object | Kind::Array => match self.next.level(kind, at) {
                Some((place, inner)) => self.levels.push(Level { place, inner, count: 0 }),
                None => self.unchecked = 1,
            },
            Kind::String => {
                self.max_length = self.next.max_length();
                self.names = self.next.names();
                self.length = 0;
                self.name.clear();
            }
            _ => {}
        }
    }

    fn begin_name(&mut self, at: usize) {
        if self.idle() {
            return;
        }
        self.start = at;
        self.max_length = usize::MAX;
        self.name.clear();
        self.names = match self.levels.last_mut().map(|level| &mut level.place) {
            Some(Place::Object { fields, current, .. }) => {
                *current = None;
                Names::Fields(fields)
            }
            Some(Place::Entry { current, .. }) => {
                *current = None;
                Names::List(&["key", "value"])
            }
            Some(Place::Wrapper { .. }) => Names::List(&["value"]),
            _ => Names::Any,
        };
    }

    fn text(&mut self, text: &str) {
        if self.idle() {
            return;
        }
        if self.max_length != usize::MAX {
            self.length += text.chars().count();
            if self.length > self.max_length {
                let limit = self.max_length;
                return self.report(self.start, Code::Length, format!("at most {limit} characters"), "");
            }
        }
        if !matches!(self.names, Names::Any) {
            self.name.push_str(text);
            // a property name comes to its end soon, and is worth naming in full
            let soon = matches!(self.names, Names::Fields(_) | Names::List(_)) && self.name.len() < MAX_NAME;
            if !soon && !self.names.any_begins_with(&self.name, self.options.any_case) {
                self.unknown_name();
            }
        }
    }

    #[cold]
    fn unknown_name(&mut self) {
        let code = match self.names {
            Names::Fields(_) | Names::List(_) => Code::UnknownProperty,
            Names::Constant(_) => Code::Constant,
            _ => Code::UnknownValue,
        };
        let found = self.name.clone();
        self.report(self.start, code, self.names.describe(), &found);
    }

    fn end_text(&mut self) {
        if self.idle() || matches!(self.names, Names::Any) {
            return;
        }
        if !self.names.contains(&self.name, self.options.any_case) {
            return self.unknown_name();
        }
        self.names = Names::Any;
    }

    /// Finds what the value behind a property name must be.
    fn end_name(&mut self) {
        self.end_text();
        if self.idle() {
            return;
        }
        let mut repeated = false;
        match self.levels.last_mut().map(|level| &mut level.place) {
            Some(Place::Object { fields, seen, current, .. }) => {
                let index = fields.iter().position(|field| field.key.is(&self.name));
                *current = index;
                self.next = Expect::any();
                if let Some((index, field)) = index.and_then(|index| Some((index, fields.get(index)?))) {
                    let bit = 1u64.checked_shl(index as u32).unwrap_or(0);
                    repeated = *seen & bit != 0;
                    *seen |= bit;
                    self.next = Expect::field(field);
                }
            }
            Some(Place::Entry { key, value, rules, current }) => {
                (*current, self.next) = match &*self.name {
                    "key" => (Some("key"), Expect::value(key.shape(), &Rules::NONE)),
                    _ => (Some("value"), Expect::value(value.shape(), rules)),
                };
            }
            Some(Place::Wrapper { root }) => self.next = Expect::value(root, &Rules::NONE),
            _ => {}
        }
        if repeated {
            self.report(self.start, Code::Duplicate, "each property once".to_owned(), "");
        }
    }

    fn end_level(&mut self) {
        if self.violation.is_some() {
            return;
        }
        if self.unchecked > 0 {
            self.unchecked -= 1;
            return;
        }
        let Some(level) = self.levels.pop() else { return };
        let Place::Object { fields, seen, start, .. } = level.place else { return };
        let missing = fields.iter().take(64).enumerate().find(|(index, field)| {
            seen & (1 << index) == 0
                && field.role() == Role::Property
                && !(self.options.absent_is_null && Expect::field(field).takes(Kind::Null))
        });
        if let Some((_, field)) = missing {
            self.report(start, Code::Missing, format!("the property {:?}", field.key.name()), "");
        }
    }
}

impl Kind {
    fn describe(self) -> &'static str {
        match self {
            Kind::Object => "an object",
            Kind::Array => "an array",
            Kind::String => "a string",
            Kind::Number => "a number",
            Kind::True | Kind::False => "a boolean",
            Kind::Null => "null",
        }
    }
}

/// The tree and the checker, both fed in one pass.
impl Sink for (&mut Tree, &mut Checker) {
    #[inline]
    fn begin(&mut self, kind: Kind, at: usize) {
        self.0.begin(kind, at);
        self.1.begin_value(kind, at);
    }

    #[inline]
    fn plain(&mut self, text: &str, start: usize, end: usize) {
        self.0.plain(text, start, end);
        self.1.text(text.get(start..end).unwrap_or_default());
    }

    fn escape(&mut self, text: &str, at: usize) {
        self.0.escape(text, at);
    }

    fn escaped(&mut self, character: char) {
        self.0.escaped(character);
        self.1.text(character.encode_utf8(&mut [0; 4]));
    }

    #[inline]
    fn end_string(&mut self, at: usize) {
        self.0.end_string(at);
        self.1.end_text();
    }

    #[inline]
    fn begin_key(&mut self, at: usize) {
        self.0.begin_key(at);
        self.1.begin_name(at);
    }

    #[inline]
    fn end_key(&mut self, at: usize) {
        self.0.end_key(at);
        self.1.end_name();
    }

    #[inline]
    fn number(&mut self, text: &str, start: usize, end: usize) {
        self.0.number(text, start, end);
        self.1.number(text.get(start..end).unwrap_or_default(), start);
    }

    #[inline]
    fn literal(&mut self, kind: Kind, end: usize) {
        self.0.literal(kind, end);
    }

    #[inline]
    fn close(&mut self, end: usize) {
        self.0.close(end);
        self.1.end_level();
    }
}

impl Checker {
    fn number(&mut self, text: &str, at: usize) {
        if self.idle() {
            return;
        }
        if let Some((code, expected)) = self.next.refuses_number(text) {
            self.report(at, code, expected, text);
        }
    }
}
