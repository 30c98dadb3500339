//! Whether rules fit a shape.

use super::{RECURSIVE, bare};
use crate::shape::{Edge, Limit, Rules, Shape};

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
        rules.constant.is_none() || takes_constant(shape),
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

/// Whether `const` can stand on a value of the shape.
pub const fn takes_constant(shape: &'static Shape) -> bool {
    matches!(
        bare(shape),
        None | Some(Shape::String | Shape::Integer { .. } | Shape::Number | Shape::Boolean | Shape::Enumeration(_))
    )
}

/// Whether any constraint can stand on a value of the shape.
pub const fn takes_rules(shape: &'static Shape) -> bool {
    takes_constant(shape) || matches!(bare(shape), Some(Shape::Array { .. } | Shape::Map { .. }))
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
