//! Rules that two comparisons decide.

use super::{Edge, Limit, Rules, Shape};

/// A field's rules in the form that costs the reader least.
///
/// A value that keeps the bounds keeps the rules; for one that doesn't, the rules themselves say what is wrong.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Quick {
    /// There are no rules.
    Nothing,
    /// Text of a length within these bounds, in bytes: a text of n bytes has between n / 4 and n characters.
    Text {
        /// Bytes with which the fewest characters are surely reached.
        least: usize,
        /// Bytes with which the most characters surely aren't exceeded.
        most: usize,
    },
    /// An integer within these bounds.
    Integer {
        /// The smallest.
        least: i64,
        /// The largest.
        most: i64,
    },
    /// A number within these bounds.
    Real {
        /// The smallest.
        least: f64,
        /// The largest.
        most: f64,
    },
    /// Only the rules themselves can tell.
    Rules,
}

impl Quick {
    pub(super) const fn new(rules: &Rules, shape: &Shape) -> Self {
        if rules.is_none() {
            return Quick::Nothing;
        }
        let bounds_only = rules.exclusive_minimum.is_none()
            && rules.exclusive_maximum.is_none()
            && rules.multiple_of.is_none()
            && rules.pattern.is_none()
            && rules.format.is_none()
            && rules.min_items.is_none()
            && rules.max_items.is_none()
            && !rules.unique_items
            && rules.constant.is_none()
            && rules.inner.is_none();
        if !bounds_only {
            return Quick::Rules;
        }
        match shape {
            Shape::Nullable(Edge::Eager(shape)) => of(rules, shape),
            shape => of(rules, shape),
        }
    }
}

const fn of(rules: &Rules, shape: &Shape) -> Quick {
    match shape {
        Shape::String => Quick::Text {
            least: match rules.min_length {
                Some(characters) => characters.saturating_mul(4).saturating_sub(3),
                None => 0,
            },
            most: match rules.max_length {
                Some(characters) => characters,
                None => usize::MAX,
            },
        },
        Shape::Integer { .. } => {
            let (Some(least), Some(most)) = (integer(rules.minimum, i64::MIN), integer(rules.maximum, i64::MAX)) else {
                return Quick::Rules;
            };
            Quick::Integer { least, most }
        }
        Shape::Number => Quick::Real {
            least: match rules.minimum {
                Some(limit) => limit.real(),
                None => f64::NEG_INFINITY,
            },
            most: match rules.maximum {
                Some(limit) => limit.real(),
                None => f64::INFINITY,
            },
        },
        _ => Quick::Rules,
    }
}

/// A limit of integers as a machine integer, where it is one.
const fn integer(limit: Option<Limit>, otherwise: i64) -> Option<i64> {
    match limit {
        None => Some(otherwise),
        Some(Limit::Integer(limit)) if limit == limit as i64 as i128 => Some(limit as i64),
        Some(_) => None,
    }
}
