//! The schemas of a document by the places that references name.

use std::borrow::Cow;
use std::collections::HashMap;

use super::node::{Node, Schema};

/// Every schema of a document, by JSON Pointer; and by its own `$anchor` or `$id`, where it has one.
pub(crate) struct Places<'s> {
    by_pointer: HashMap<String, &'s Schema>,
    by_name: HashMap<String, &'s Schema>,
    /// The document's own `$id`.
    id: Option<&'s str>,
}

impl<'s> Places<'s> {
    pub(crate) fn of(document: &'s Schema) -> Self {
        let id = document.node().and_then(|node| name(node, "$id")).map(|id| id.trim_end_matches('#'));
        let mut places = Places { by_pointer: HashMap::new(), by_name: HashMap::new(), id };
        places.collect(document, String::new());
        places
    }

    fn collect(&mut self, schema: &'s Schema, pointer: String) {
        if let Some(node) = schema.node() {
            if let Some(anchor) = name(node, "$anchor") {
                self.by_name.insert(format!("#{anchor}"), schema);
            }
            if let Some(id) = name(node, "$id") {
                self.by_name.insert(id.to_owned(), schema);
            }
            for (token, child) in node.children() {
                self.collect(child, format!("{pointer}{token}"));
            }
        }
        self.by_pointer.insert(pointer, schema);
    }

    /// JSON Pointers of all schemas.
    pub(crate) fn pointers(&self) -> impl Iterator<Item = &str> {
        self.by_pointer.keys().map(String::as_str)
    }

    /// The schema at a JSON Pointer.
    pub(crate) fn at(&self, pointer: &str) -> Option<&'s Schema> {
        self.by_pointer.get(pointer).copied()
    }

    /// The JSON Pointer that a reference names, where it names one of this document.
    pub(crate) fn pointer_of<'r>(&self, reference: &'r str) -> Option<Cow<'r, str>> {
        let own =
            self.id.and_then(|id| reference.strip_prefix(id)).filter(|rest| rest.is_empty() || rest.starts_with('#'));
        let fragment = own.unwrap_or(reference);
        let pointer = if fragment.is_empty() { fragment } else { fragment.strip_prefix('#')? };
        (pointer.is_empty() || pointer.starts_with('/')).then(|| decoded(pointer))
    }

    /// The schema that a reference leads to, where it is one of this document.
    pub(crate) fn find(&self, reference: &str) -> Option<&'s Schema> {
        match self.pointer_of(reference) {
            Some(pointer) => self.at(&pointer),
            None => self.by_name.get(reference).copied(),
        }
    }
}

/// A keyword that names a schema.
fn name<'s>(node: &'s Node, keyword: &str) -> Option<&'s str> {
    node.other.iter().find(|(other, _)| other == keyword)?.1.as_str()
}

/// A fragment of a URL without its percent signs.
fn decoded(fragment: &str) -> Cow<'_, str> {
    if !fragment.contains('%') {
        return Cow::Borrowed(fragment);
    }
    let (mut bytes, mut rest) = (Vec::with_capacity(fragment.len()), fragment.as_bytes());
    while let Some((byte, behind)) = rest.split_first() {
        let hex = |at: usize| char::from(*behind.get(at)?).to_digit(16).and_then(|digit| u8::try_from(digit).ok());
        match (byte, hex(0), hex(1)) {
            (b'%', Some(high), Some(low)) => {
                bytes.push(high << 4 | low);
                rest = behind.get(2..).unwrap_or_default();
            }
            _ => {
                bytes.push(*byte);
                rest = behind;
            }
        }
    }
    String::from_utf8(bytes).map_or(Cow::Borrowed(fragment), Cow::Owned)
}
