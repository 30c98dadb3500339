//! Checks that generated code makes at compile time: whether a shape can stand where it does, and whether rules fit it.
//!
//! A check that fails is a panic in a `const`, so it is a compile error; `#[track_caller]` puts it at the user's own
//! token.

mod constraint;
mod flattened;
mod variant;

pub use constraint::{characters, inside, items, pattern, rules, takes_constant, takes_rules, unwrapped};
pub use flattened::flattened;
pub use variant::{tagged, version};

use super::{Body, Edge, Field, Object, Shape, Union, Variant};

/// Stands for the shape of a type that refers back to the one that is derived, which a `const` can't look into. Such a
/// type is a list, or something behind one.
pub const RECURSIVE: &Shape =
    &Shape::Array { items: Edge::Lazy(|| RECURSIVE), minimum: None, maximum: None, unique: false };

/// The shape beneath names, rules and `Option`; `None` where it is known at run time only.
const fn bare(shape: &'static Shape) -> Option<&'static Shape> {
    let mut shape = shape;
    loop {
        let edge = match shape {
            Shape::Annotated(annotated) => &annotated.of,
            Shape::Nullable(inner) => inner,
            _ => return Some(shape),
        };
        match edge {
            Edge::Eager(next) => shape = next,
            Edge::Lazy(_) => return None,
        }
    }
}

/// Whether `null` is one of the values, so that an `Option` around them couldn't be told apart.
const fn takes_null(shape: &'static Shape) -> bool {
    let mut shape = shape;
    loop {
        match shape {
            Shape::Null | Shape::Nullable(_) => return true,
            Shape::Annotated(annotated) => match annotated.of {
                Edge::Eager(next) => shape = next,
                Edge::Lazy(_) => return false,
            },
            _ => return false,
        }
    }
}

/// Links to a shape that can stand on the wire.
#[track_caller]
pub const fn edge(shape: &'static Shape) -> Edge {
    Edge::Eager(sound(shape))
}

/// The shape, if it can stand on the wire.
#[track_caller]
pub const fn sound(shape: &'static Shape) -> &'static Shape {
    match shape {
        Shape::Annotated(annotated) => through(&annotated.of),
        Shape::Nullable(inner) => {
            if let Edge::Eager(inner) = inner {
                assert!(
                    !takes_null(inner),
                    "an `Option` around a type that can be `null` itself: `null` on the wire would mean both\n\
                     help: remove one `Option`, or use an enum that names the cases"
                );
            }
            through(inner);
        }
        Shape::Array { items, .. } => through(items),
        Shape::Map { key, value } => {
            if let Edge::Eager(shape) = key {
                self::key(shape);
            }
            through(value);
        }
        // Tuples and `Result` are checked where they stand: in our own code nobody would look for the mistake.
        Shape::Object(Object { fields: fields @ [Field { key, .. }, ..], .. }) if same_bytes(key.bytes(), b"_0") => {
            let mut fields: &[Field] = fields;
            while let [field, rest @ ..] = fields {
                through(&field.edge());
                fields = rest;
            }
        }
        Shape::Union(Union { name, variants, .. }) if same(name, "Result") => {
            let mut variants: &[Variant] = variants;
            while let [variant, rest @ ..] = variants {
                if let Body::Newtype(body) = &variant.body {
                    through(body);
                }
                variants = rest;
            }
        }
        _ => {}
    }
    shape
}

#[track_caller]
const fn through(edge: &Edge) {
    if let Edge::Eager(shape) = edge {
        sound(shape);
    }
}

/// Links to a shape that can be the key of a map.
#[track_caller]
pub const fn key(shape: &'static Shape) -> Edge {
    assert!(
        is_text(shape),
        "the keys of a map must be text on the wire\n\
         help: use a list of pairs, `Vec<(K, V)>`"
    );
    Edge::Eager(shape)
}

const fn is_text(shape: &'static Shape) -> bool {
    match bare(shape) {
        Some(Shape::String | Shape::Integer { .. } | Shape::Boolean | Shape::Enumeration(_)) => !takes_null(shape),
        Some(_) => false,
        None => true,
    }
}

const fn same(a: &str, b: &str) -> bool {
    same_bytes(a.as_bytes(), b.as_bytes())
}

const fn same_bytes(mut a: &[u8], mut b: &[u8]) -> bool {
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b) {
        if *first != *other {
            return false;
        }
        (a, b) = (rest, others);
    }
    a.is_empty() && b.is_empty()
}
