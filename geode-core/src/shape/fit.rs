//! Checks that generated code makes at compile time: whether a shape can stand where it does, and whether rules fit it.
//!
//! A check that fails is a panic in a `const`, so it is a compile error; `#[track_caller]` puts it at the user's own
//! token.

use super::{Edge, Field, Limit, Role, Rules, Shape, Tagging, Union, VERSION};

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
    let mut next = shape;
    loop {
        let inner = match next {
            Shape::Annotated(annotated) => &annotated.of,
            Shape::Nullable(inner) => {
                if let Edge::Eager(inner) = inner {
                    assert!(
                        !takes_null(inner),
                        "an `Option` around a type that can be `null` itself: `null` on the wire would mean both\n\
                         help: remove one `Option`, or use an enum that names the cases"
                    );
                }
                inner
            }
            Shape::Array { items, .. } => items,
            Shape::Map { key, value } => {
                if let Edge::Eager(shape) = key {
                    self::key(shape);
                }
                value
            }
            _ => return shape,
        };
        match inner {
            Edge::Eager(inner) => next = inner,
            Edge::Lazy(_) => return shape,
        }
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

/// The fields of an object into which other objects are merged, held against each other.
#[track_caller]
pub const fn flattened(fields: &'static [Field]) -> &'static [Field] {
    let (mut left, mut i) = (fields, 0);
    while let [field, rest @ ..] = left {
        if let Role::Flatten = field.role {
            mergeable(&field.shape);
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
    if !matches!(b.role, Role::Flatten) {
        return has(&a.shape, b.key.name);
    }
    // Two flattened fields: each name of the one against all of the other.
    let Edge::Eager(shape) = &a.shape else { return false };
    match bare(shape) {
        Some(Shape::Object(object)) => {
            let mut fields = object.fields;
            while let [field, rest @ ..] = fields {
                if !matches!(field.role, Role::Flatten) && has(&b.shape, field.key.name) {
                    return true;
                }
                fields = rest;
            }
            false
        }
        Some(Shape::Union(union)) => match &union.tagging {
            Tagging::Internal { tag } => has(&b.shape, tag.name),
            Tagging::Adjacent { tag, content } => has(&b.shape, tag.name) || has(&b.shape, content.name),
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
                Tagging::Internal { tag } => (same(tag.name, name), true),
                Tagging::Adjacent { tag, content } => (same(tag.name, name) || same(content.name, name), false),
                _ => (false, false),
            };
            if tag {
                return true;
            }
            let mut variants = union.variants;
            while let [variant, rest @ ..] = variants {
                let found = match (&variant.body, bodies) {
                    (super::Body::Fields(fields), true) => has_field(fields, name),
                    (super::Body::Newtype(edge), true) => has(edge, name),
                    (_, true) => false,
                    (_, false) => matches!(union.tagging, Tagging::External) && same(variant.key.name, name),
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
        let found =
            if matches!(field.role, Role::Flatten) { has(&field.shape, name) } else { same(field.key.name, name) };
        if found {
            return true;
        }
        fields = rest;
    }
    false
}

const fn same(a: &str, b: &str) -> bool {
    let (mut a, mut b) = (a.as_bytes(), b.as_bytes());
    while let ([first, rest @ ..], [other, others @ ..]) = (a, b) {
        if *first != *other {
            return false;
        }
        (a, b) = (rest, others);
    }
    a.is_empty() && b.is_empty()
}

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
        if let Role::Constant(version) = field.role
            && same(field.key.name, VERSION)
        {
            return Some(version);
        }
        fields = rest;
    }
    None
}

/// The shape of the elements that `inner` speaks of.
#[track_caller]
#[expect(clippy::panic, reason = "it is the compile error")]
pub const fn items(shape: &'static Shape) -> &'static Shape {
    let edge = match bare(shape) {
        None => return RECURSIVE,
        Some(Shape::Array { items, .. }) => items,
        Some(Shape::Map { value, .. }) => value,
        Some(_) => panic!("`inner` needs a list or a map\nhelp: write the constraint without `inner`"),
    };
    match edge {
        Edge::Eager(items) => items,
        Edge::Lazy(_) => RECURSIVE,
    }
}

/// What garde's `inner` speaks of: the content of an `Option`, or the elements of a list.
#[track_caller]
pub const fn inside(shape: &'static Shape) -> &'static Shape {
    match shape {
        Shape::Nullable(Edge::Eager(inner)) => inner,
        _ => items(shape),
    }
}

/// Rules in which garde's `inner`, where it speaks of the content of an `Option`, has become the rules themselves.
#[track_caller]
pub const fn unwrapped(shape: &'static Shape, rules: Rules) -> Rules {
    match (shape, rules.inner) {
        (Shape::Nullable(_), Some(inner)) => {
            assert!(
                rules.min_length.is_none() && rules.max_length.is_none() && rules.minimum.is_none(),
                "constraints on an `Option` and, by `inner`, on its content\nhelp: keep one"
            );
            *inner
        }
        _ => rules,
    }
}

/// Checks that a length doesn't count the bytes of a text.
#[track_caller]
pub const fn characters(shape: &'static Shape) {
    assert!(
        !matches!(bare(shape), Some(Shape::String)),
        "garde counts bytes here, JSON Schema counts characters\n\
         help: write `length(chars, …)`, or `#[geode(length(…))]`"
    );
}

/// The rules for a shape: a length becomes one of elements where the shape is a list, and each must fit.
#[track_caller]
pub const fn rules(shape: &'static Shape, mut rules: Rules) -> Rules {
    let Some(shape) = bare(shape) else { return rules };
    if matches!(shape, Shape::Array { .. } | Shape::Map { .. }) {
        if rules.min_length.is_some() {
            rules.min_items = rules.min_length;
            rules.min_length = None;
        }
        if rules.max_length.is_some() {
            rules.max_items = rules.max_length;
            rules.max_length = None;
        }
    }
    let numeric = rules.minimum.is_some()
        || rules.maximum.is_some()
        || rules.exclusive_minimum.is_some()
        || rules.exclusive_maximum.is_some()
        || rules.multiple_of.is_some();
    assert!(
        !numeric || matches!(shape, Shape::Integer { .. } | Shape::Number),
        "`range` and `multiple_of` need a number\nhelp: remove the constraint, or change the type"
    );
    let textual =
        rules.min_length.is_some() || rules.max_length.is_some() || rules.pattern.is_some() || rules.format.is_some();
    assert!(
        !textual || matches!(shape, Shape::String),
        "`length`, `pattern` and `format` need text (`length` a list, too)\nhelp: remove the constraint, or change the \
         type"
    );
    let listed = rules.min_items.is_some() || rules.max_items.is_some() || rules.inner.is_some();
    assert!(
        !listed || matches!(shape, Shape::Array { .. } | Shape::Map { .. }),
        "`items` and `inner` need a list or a map\nhelp: for text write `length`"
    );
    assert!(!rules.unique_items || matches!(shape, Shape::Array { .. }), "`unique` needs a list");
    assert!(
        rules.constant.is_none()
            || matches!(
                shape,
                Shape::String | Shape::Integer { .. } | Shape::Number | Shape::Boolean | Shape::Enumeration(_)
            ),
        "`const` needs text, a number, a boolean or an enum without data"
    );
    if let Some(step) = rules.multiple_of {
        assert!(positive(step), "`multiple_of` must be above zero");
    }
    if let Shape::Integer { minimum, maximum } = shape {
        within(rules.minimum, *minimum, *maximum);
        within(rules.maximum, *minimum, *maximum);
    }
    rules
}

const fn positive(limit: Limit) -> bool {
    match limit {
        Limit::Integer(n) => n > 0,
        Limit::Unsigned(n) => n > 0,
        Limit::Real(n) => n > 0.0,
    }
}

/// Checks that a limit is a value of its integer type.
#[track_caller]
const fn within(limit: Option<Limit>, minimum: Limit, maximum: Limit) {
    let Some(Limit::Integer(limit)) = limit else { return };
    let low = if let Limit::Integer(low) = minimum { limit >= low } else { true };
    let high = if let Limit::Integer(high) = maximum { limit <= high } else { true };
    assert!(low && high, "the limit is no value of the type\nhelp: remove it, or change the type");
}

/// A regular expression of the subset that all read alike.
#[track_caller]
#[expect(clippy::panic, reason = "it is the compile error")]
pub const fn pattern(source: &'static str) -> &'static str {
    match crate::pattern::validate(source) {
        Ok(()) => source,
        Err(message) => panic!("{}", message),
    }
}
