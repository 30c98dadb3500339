//! Whether a shape can be a variant: the body beside a tag, or one of several versions.

use super::{bare, same, same_bytes, takes_null};
use crate::shape::{Edge, Role, Shape, Tagging, VERSION};

/// Checks that the body of a variant with an internal tag is an object, so that the tag can stand in it.
#[track_caller]
pub const fn tagged(edge: Edge) -> Edge {
    if let Edge::Eager(shape) = &edge {
        let fits = match bare(shape) {
            None | Some(Shape::Object(_)) => true,
            Some(Shape::Union(union)) => matches!(union.tagging, Tagging::Internal { .. } | Tagging::Adjacent { .. }),
            Some(_) => false,
        };
        assert!(
            fits && !takes_null(shape),
            "the tag must stand among the properties of an object, and this is none\n\
             help: give the enum a `content` too, or name the field: `Variant {{ value: T }}`"
        );
    }
    edge
}

/// The version that an object carries. `earlier` are the shapes of the versions before it in a union of versions.
#[track_caller]
#[expect(clippy::panic, reason = "it is the compile error")]
pub const fn version(shape: &'static Shape, mut earlier: &[&'static Shape]) -> &'static str {
    let Some(version) = version_of(shape) else {
        panic!("a version must be a struct that says which it is\nhelp: add `#[geode(version = \"…\")]` to the struct")
    };
    while let [first, rest @ ..] = earlier {
        if let Some(other) = version_of(first) {
            assert!(
                !same(version, other),
                "an earlier variant has the same version\nhelp: give each struct a `version` of its own"
            );
        }
        earlier = rest;
    }
    version
}

const fn version_of(shape: &'static Shape) -> Option<&'static str> {
    let Shape::Object(object) = shape else { return None };
    let mut fields = object.fields;
    while let [field, rest @ ..] = fields {
        if let Role::Constant(version) = field.role()
            && same_bytes(field.key.bytes(), VERSION.as_bytes())
        {
            return Some(version);
        }
        fields = rest;
    }
    None
}
