//! Whether other objects can be merged into one.

use super::{bare, same, same_bytes, takes_null};
use crate::shape::{Body, Edge, Field, Role, Shape, Tagging, Union};

/// The fields of an object into which other objects are merged, held against each other.
#[track_caller]
pub const fn flattened(fields: &'static [Field]) -> &'static [Field] {
    let (mut left, mut i) = (fields, 0);
    while let [field, rest @ ..] = left {
        if let Role::Flatten = field.role() {
            mergeable(&field.edge());
            let (mut others, mut j) = (fields, 0);
            while let [other, rest @ ..] = others {
                assert!(
                    i == j || !clash(field, other),
                    "a flattened property has the name of another property\n\
                     help: rename one of them"
                );
                (others, j) = (rest, j + 1);
            }
        }
        (left, i) = (rest, i + 1);
    }
    fields
}

#[track_caller]
#[expect(clippy::panic, reason = "it is the compile error")]
const fn mergeable(edge: &Edge) {
    if let Edge::Eager(shape) = edge {
        match bare(shape) {
            None | Some(Shape::Object(_)) => {}
            Some(Shape::Union(Union { tagging: Tagging::Version { .. }, .. })) => {
                panic!("versions can't be flattened: each is an object of its own\nhelp: remove `flatten`")
            }
            Some(Shape::Union(union)) => assert!(
                !matches!(union.tagging, Tagging::Untagged),
                "an untagged enum can't be flattened: its properties can't be told\nhelp: give it a tag"
            ),
            Some(Shape::Map { .. }) => panic!(
                "a flattened map would make an open object, which no strict schema allows\n\
                 help: remove `flatten`: the map then goes as a list of entries"
            ),
            Some(_) => panic!("only a struct or a tagged enum can be flattened\nhelp: remove `flatten`"),
        }
        assert!(
            !takes_null(shape),
            "an `Option` can't be flattened: nothing on the wire would say that it is `None`\n\
             help: remove `flatten`"
        );
    }
}

/// Whether a name of the flattened field `a` is one of `b`'s.
const fn clash(a: &'static Field, b: &'static Field) -> bool {
    if !matches!(b.role(), Role::Flatten) {
        return has(&a.edge(), b.key.name());
    }
    // Two flattened fields: each name of the one against all of the other.
    let Edge::Eager(shape) = a.edge() else { return false };
    match bare(shape) {
        Some(Shape::Object(object)) => {
            let mut fields = object.fields;
            while let [field, rest @ ..] = fields {
                if !matches!(field.role(), Role::Flatten) && has(&b.edge(), field.key.name()) {
                    return true;
                }
                fields = rest;
            }
            false
        }
        Some(Shape::Union(union)) => match &union.tagging {
            Tagging::Internal { tag } => has(&b.edge(), tag),
            Tagging::Adjacent { tag, content } => has(&b.edge(), tag) || has(&b.edge(), content),
            _ => false,
        },
        _ => false,
    }
}

/// Whether an object or union has a property of that name.
const fn has(edge: &Edge, name: &str) -> bool {
    let Edge::Eager(shape) = edge else { return false };
    match bare(shape) {
        Some(Shape::Object(object)) => has_field(object.fields, name),
        Some(Shape::Union(union)) => {
            let (tag, bodies) = match &union.tagging {
                Tagging::Internal { tag } => (same(tag, name), true),
                Tagging::Adjacent { tag, content } => (same(tag, name) || same(content, name), false),
                _ => (false, false),
            };
            if tag {
                return true;
            }
            let mut variants = union.variants;
            while let [variant, rest @ ..] = variants {
                let found = match (&variant.body, bodies) {
                    (Body::Fields(fields), true) => has_field(fields, name),
                    (Body::Newtype(edge), true) => has(edge, name),
                    (_, true) => false,
                    (_, false) => matches!(union.tagging, Tagging::External) && same(variant.name, name),
                };
                if found {
                    return true;
                }
                variants = rest;
            }
            false
        }
        _ => false,
    }
}

const fn has_field(mut fields: &'static [Field], name: &str) -> bool {
    while let [field, rest @ ..] = fields {
        let found = if matches!(field.role(), Role::Flatten) {
            has(&field.edge(), name)
        } else {
            same_bytes(field.key.bytes(), name.as_bytes())
        };
        if found {
            return true;
        }
        fields = rest;
    }
    false
}
